import { SECOND } from '#contract/time.ts'
import { createResoldAccount, type ResoldAccount } from '#server/adapters/shared/resold/account.ts'
import { MOST_LIST_BYTES, MOST_LOOK_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import type { SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { type Ask, createAsk } from '../wire/ask.ts'
import { type BoughtDialect, dialects } from '../wire/dialects.ts'
import { type ActiveItem, readActive } from '../wire/read-active.ts'
import { parseResellSettings, type ResellSettings } from './settings.ts'

export type Account = ResoldAccount & {
  readonly settings: ResellSettings
  readonly dialect: BoughtDialect
  readonly ask: Ask
  /** The prefix of the names that our orders have at the supplier. */
  marker: string
  /** The newest poll of all open activations, and its start in milliseconds of performance.now. */
  look: { beganMs: number; items: Promise<ActiveItem[]> } | null
}

export function createAccount(ctx: Context, row: SupplierRow): Account {
  const settings = parseResellSettings(row.code, row.settings)
  const dialect = dialects[settings.dialect].bought
  const account = createResoldAccount(ctx, row, settings)
  const note = (answered: boolean, why?: string) => account.link.note('reach', answered, why)
  return {
    ...account,
    dialect,
    ask: createAsk(ctx, { ...settings, code: row.code, keyHeader: dialect.keyHeader, note }),
    marker: '',
    look: null,
  }
}

export function pollSecondsOf({ settings, dialect }: Account): number {
  return settings.pollSeconds ?? dialect.pollSeconds
}

export function orderNameOf({ marker }: Account, reference: string): string {
  return `${marker}-${reference}`
}

/** Returns our reference from an order's name, or null if another installation of Ringpost made the order. */
export function referenceOfName({ marker }: Account, name: string | null): string | null {
  return name?.startsWith(`${marker}-`) === true ? name.slice(marker.length + 1) : null
}

const SHARED_MS = SECOND
const PAGE = 100
const MAX_PAGES = 50

type Look = { fresh?: boolean; signal?: AbortSignal }

/**
 * Polls all open activations of the account. Activations of other installations come without messages. Callers within a
 * second share a poll, unless `fresh` forces a new one. Pages may shift during a poll, so one absence proves nothing.
 */
export async function lookAtActive(account: Account, { fresh = false, signal }: Look = {}): Promise<ActiveItem[]> {
  const { look } = account
  const nowMs = performance.now()
  if (!fresh && look !== null && nowMs - look.beganMs < SHARED_MS) return look.items
  const items = readAll(account, signal)
  account.look = { beganMs: nowMs, items }
  return items
}

async function readAll({ ask, dialect, open }: Account, signal?: AbortSignal): Promise<ActiveItem[]> {
  const { list } = dialect
  if (list === null) throw new Error('this dialect lists no activations')
  const found = new Map<string, ActiveItem>()
  const ours = new Set([...open.values()].map(({ activationId }) => activationId))
  let left = MOST_LOOK_BYTES
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const parameters: Record<string, string> = list.paged ? { start: String(page * PAGE), limit: String(PAGE) } : {}
    const mostBytes = Math.min(MOST_LIST_BYTES, left)
    const reply = await ask({ action: 'getActiveActivations', parameters, mostBytes, ...(signal && { signal }) })
    left -= Buffer.byteLength(reply.text)
    const items = readActive(reply, list.again)
    if (items === null) throw new Error(`its activations cannot be read: ${reply.word ?? `status ${reply.status}`}`)
    for (const item of items) {
      found.set(item.activationId, ours.has(item.activationId) ? item : { ...item, messages: [] })
    }
    if (!list.paged || items.length < PAGE) break
  }
  return [...found.values()]
}
