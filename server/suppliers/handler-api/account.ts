import { MEBIBYTE, SECOND } from '#contract/time.ts'
import type { SupplierContext, SupplierRow } from '#server/suppliers/supplier.ts'
import { type Dialect, dialects } from './dialects.ts'
import { createFunds, type Funds } from './funds.ts'
import { createLink, type Link } from './link.ts'
import { Names } from './names.ts'
import type { OpenNumber } from './open-number.ts'
import { parseResellSettings, type ResellSettings } from './settings.ts'
import { type Ask, createAsk } from './wire/ask.ts'
import { type ActiveItem, readActive } from './wire/read-active.ts'

/** Our account at a service that speaks the protocol. */
export type Account = {
  readonly ctx: SupplierContext
  readonly supplierId: number
  readonly code: string
  readonly settings: ResellSettings
  readonly dialect: Dialect
  readonly ask: Ask
  /** By our reference. */
  readonly open: Map<string, OpenNumber>
  /** References whose purchase is being asked now. */
  readonly asking: Set<string>
  /** References whose answer got lost, with their pair (`pairOf`). */
  readonly lost: Map<string, string>
  readonly link: Link
  readonly funds: Funds
  names: Names
  /** Begins the name of each of our orders. */
  marker: string
  /** Open numbers have changed. */
  wakePoll: () => void
  /** The newest look at all open activations, and when it began (milliseconds of performance.now). */
  look: { beganMs: number; items: Promise<ActiveItem[]> } | null
}

export function createAccount(ctx: SupplierContext, row: SupplierRow): Account {
  const settings = parseResellSettings(row.code, row.settings)
  const dialect = dialects[settings.dialect]
  const link = createLink(ctx, row.id)
  const note = (answered: boolean) => link.note('reach', answered)
  return {
    ...{ ctx, supplierId: row.id, code: row.code, settings, dialect },
    ask: createAsk({ ...settings, keyHeader: dialect.keyHeader, note }),
    open: new Map(),
    asking: new Set(),
    lost: new Map(),
    link,
    funds: createFunds(ctx, row.id),
    names: new Names({ corrected: [], services: [], countries: [] }),
    marker: '',
    wakePoll: () => undefined,
    look: null,
  }
}

export function pairOf({ service, country }: { service: string; country: string }): string {
  return `${service} ${country}`
}

/** A lost order is found by what is open: purchases of its pair would be mistaken for it. */
export function isLookedFor({ dialect, lost }: Account, pair: string): boolean {
  return dialect.orderId !== 'lookup' && dialect.list !== null && [...lost.values()].includes(pair)
}

export function orderNameOf({ marker }: Account, reference: string): string {
  return `${marker}-${reference}`
}

/** null: not an order of this installation. */
export function referenceOfName({ marker }: Account, name: string | null): string | null {
  return name?.startsWith(`${marker}-`) === true ? name.slice(marker.length + 1) : null
}

const SHARED_MS = SECOND
const PAGE = 100
const MAX_PAGES = 50

type Look = { fresh?: boolean; signal?: AbortSignal }

/**
 * All open activations, of strangers without their messages: one look serves everybody who asks within a second.
 * `fresh`: it begins now. A page that shifts while it is read may leave a row out, so one absence proves nothing.
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

const MOST_LIST_BYTES = 8 * MEBIBYTE
/** Of all pages together. */
const MOST_LOOK_BYTES = 16 * MEBIBYTE
