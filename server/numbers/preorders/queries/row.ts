import type { Currency } from '#contract/money.ts'
import type { PreorderState } from '#contract/preorder.ts'

/** One pre-order as stored. Amounts are micros; ids come as bigint from PostgreSQL. */
export type PreorderRow = {
  id: bigint
  user_id: number
  service_code: string
  country_id: number
  operator_wanted: string | null
  max_price_micros: bigint
  currency: Currency
  state: PreorderState
  activation_id: bigint | null
  input_hash: string | null
  created_at: Date
  deadline_at: Date
  /** How often a purchase came to nothing, and when the next one may be tried. */
  tries: number
  next_try_at: Date
}

/** The columns of a PreorderRow, for RETURNING and SELECT, each prefixed by a table or alias where there is one. */
export function columnsOf(table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`
  return COLUMN_NAMES.map((name) => `${prefix}${name}`).join(', ')
}

const COLUMN_NAMES = [
  ...['id', 'user_id', 'service_code', 'country_id', 'operator_wanted', 'max_price_micros', 'currency', 'state'],
  ...['activation_id', 'input_hash', 'created_at', 'deadline_at', 'tries', 'next_try_at'],
] as const satisfies (keyof PreorderRow)[]

/** One event row for each pre-order of `source`, named after its new state. */
export const stateEvents = (source: string) => `state_event AS (
    INSERT INTO events (at, kind, user_id, subject_id)
    SELECT $now, 'preorder.' || state, user_id, id FROM ${source}
  )`

/** The hold of a pre-order for each row of `source`: a charge of its own, because it may be held again later. */
export const insertCharge = (source: string) => `charge AS (
    INSERT INTO charges (user_id, purpose, preorder_id, price_micros, currency, money, created_at)
    SELECT user_id, 'preorder', id, max_price_micros, currency, 'held', $now FROM ${source}
    RETURNING id, user_id, price_micros, currency
  )`
