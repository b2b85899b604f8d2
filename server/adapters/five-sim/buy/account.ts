import { createResoldAccount, type ResoldAccount } from '#server/adapters/shared/resold/account.ts'
import { MOST_LIST_BYTES } from '#server/adapters/shared/resold/wire/get-outside.ts'
import type { SupplierRow } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { type FiveSimSettings, parseFiveSimSettings } from '../settings.ts'
import { type Ask, createAsk } from '../wire/ask.ts'
import { type FiveSimOrder, readOrder, readOrders } from '../wire/read-order.ts'
import { meaningOf, nameOf } from '../wire/words.ts'

export type Account = ResoldAccount & {
  readonly settings: FiveSimSettings
  readonly ask: Ask
  /** Our rating at the supplier, in hundredths, or null before the first read. At 0 the supplier sells nothing. */
  ratingHundredths: number | null
}

export function createAccount(ctx: Context, row: SupplierRow): Account {
  const settings = parseFiveSimSettings(row.code, row.settings)
  const account = createResoldAccount(ctx, row, settings)
  const note = (answered: boolean, why?: string) => account.link.note('reach', answered, why)
  return { ...account, ask: createAsk(ctx, { ...settings, code: row.code, note }), ratingHundredths: null }
}

export const PAGE = 100

type Page = { orders: FiveSimOrder[]; rows: number; bytes: number }
type Limits = { left: number; signal?: AbortSignal }

/**
 * Lists one page of orders, newest first, ended orders included. The poll may still read `left` bytes. The result's
 * `rows` also counts unreadable orders, and `bytes` is the size of the page.
 */
export async function listOrders(account: Account, page: number, { left, signal }: Limits): Promise<Page> {
  const paging = { limit: String(PAGE), offset: String(page * PAGE), order: 'id', reverse: 'true' }
  const query = { category: 'activation', ...paging }
  const how = { mostBytes: Math.min(MOST_LIST_BYTES, left), ...(signal && { signal }) }
  const answered = await account.ask({ path: ['user', 'orders'], query, ...how })
  const read = readOrders(answered.json)
  account.link.note('key', meaningOf(answered) !== 'bad-key')
  if (read === null) throw new Error(`its orders cannot be read: ${nameOf(answered)}`)
  return { ...read, bytes: Buffer.byteLength(answered.body) }
}

export async function checkOrder(account: Account, id: string, signal?: AbortSignal): Promise<FiveSimOrder | null> {
  const answered = await account.ask({ path: ['user', 'check', id], ...(signal && { signal }) })
  const order = readOrder(answered.json)
  if (order?.activationId === id) return order
  if (order === null && meaningOf(answered) === 'no-order') return null
  throw new Error(`an order was answered with ${nameOf(answered)}`)
}
