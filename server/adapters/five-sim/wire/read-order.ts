import { createHash } from 'node:crypto'
import type { ReadMessage, SoldNumber } from '#server/adapters/shared/resold/sold-number.ts'
import { readAmount } from '#server/adapters/shared/resold/wire/amounts.ts'
import { isRecord, readTime, textOf } from '#server/adapters/shared/resold/wire/json-fields.ts'
import { readToldCode } from '#server/adapters/shared/resold/wire/told-code.ts'
import { ORDER_STATUSES } from './words.ts'

export type FiveSimOrder = SoldNumber & {
  product: string | null
  country: string | null
  operator: string | null
  status: string
  madeAt: Date | null
  /** Returns the newest messages, oldest first. They are parsed on demand, as lists hold other programs' orders too. */
  messages(): ReadMessage[]
}

/** The maximum number of orders read from a page. Pages should have a hundred; the limit stops a wrong reply. */
const MOST_ROWS = 5_000
const MOST_MESSAGES = 1_000

const ID = /^\d{1,20}$/
const PHONE = /^\+?(\d{5,15})$/

const STATES: ReadonlyMap<string, { over: boolean; refunded: boolean }> = new Map(Object.entries(ORDER_STATUSES))

export const isOver = ({ status }: FiveSimOrder): boolean => STATES.get(status)?.over === true
export const isRefunded = ({ status }: FiveSimOrder): boolean => STATES.get(status)?.refunded === true

export function readOrder(json: unknown): FiveSimOrder | null {
  if (!isRecord(json)) return null
  const id = textOf(json.id) ?? ''
  const phone = PHONE.exec(textOf(json.phone) ?? '')?.[1]
  const status = textOf(json.status)
  if (!ID.test(id) || phone === undefined || status === null) return null
  const madeAt = readTime(json.created_at)?.at ?? null
  return {
    activationId: id,
    phone,
    status: status.toUpperCase(),
    madeAt,
    costMicros: readAmount(json.price),
    lifetimeMs: lifetimeOf(madeAt, readTime(json.expires)?.at),
    product: textOf(json.product),
    country: textOf(json.country),
    operator: textOf(json.operator),
    messages: () => readMessages(json.sms),
  }
}

/** Returns the readable orders and the number of all rows, or null if the JSON is no list of orders. */
export function readOrders(json: unknown): { orders: FiveSimOrder[]; rows: number } | null {
  if (!isRecord(json)) return null
  // 5sim may write an empty list as null.
  const rows = json.Data === null ? [] : json.Data
  if (!Array.isArray(rows)) return null
  return { orders: rows.slice(0, MOST_ROWS).flatMap((row) => readOrder(row) ?? []), rows: rows.length }
}

/** Returns the lifetime as the difference of two times of the supplier, so a wrong clock does not matter. */
function lifetimeOf(madeAt: Date | null, endsAt: Date | undefined): number | null {
  const lifetimeMs = madeAt === null || endsAt === undefined ? 0 : endsAt.getTime() - madeAt.getTime()
  return lifetimeMs > 0 ? lifetimeMs : null
}

/** Reads `sms`, which is a list, or null before the first message. Time, sender and text stand in for missing ids. */
function readMessages(sms: unknown): ReadMessage[] {
  if (!Array.isArray(sms)) return []
  const newest = sms.slice(-MOST_MESSAGES).filter(isRecord)
  const read = newest.flatMap((message) => {
    const text = textOf(message.text) ?? textOf(message.code)
    if (text === null) return []
    const sender = textOf(message.sender) ?? ''
    const came = textOf(message.created_at) ?? textOf(message.date)
    const id = came === null ? null : idOf([came, sender, text])
    return [{ came: came ?? '', message: { id, sender, text, code: readToldCode(message.code) } }]
  })
  return read.toSorted((one, other) => (one.came < other.came ? -1 : 1)).map(({ message }) => message)
}

const ID_LENGTH = 24

function idOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_LENGTH)
}
