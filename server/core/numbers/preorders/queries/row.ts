import type { Currency } from '#contract/money.ts'
import type { PreorderState } from '#contract/preorder.ts'
import { notifySql } from '#server/core/notifications/queries/raise-sql.ts'
import { raisesHooks } from '#server/core/webhooks/queries/raise-sql.ts'

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
  api_key_id: number | null
  created_at: Date
  deadline_at: Date
  tries: number
  next_try_at: Date
}

export function columnsOf(table?: string): string {
  const prefix = table === undefined ? '' : `${table}.`
  return COLUMN_NAMES.map((name) => `${prefix}${name}`).join(', ')
}

const COLUMN_NAMES = [
  'id',
  'user_id',
  'service_code',
  'country_id',
  'operator_wanted',
  'max_price_micros',
  'currency',
  'state',
  'activation_id',
  'input_hash',
  'api_key_id',
  'created_at',
  'deadline_at',
  'tries',
  'next_try_at',
] as const satisfies (keyof PreorderRow)[]

export const stateEvents = (source: string) => `state_event AS (
    INSERT INTO events (at, kind, user_id, subject_id)
    SELECT $now, 'preorder.' || state, user_id, id FROM ${source}
  )`

/**
 * A pre-order bought within this time after it was made needs no notification, because the buyer still has the page
 * open.
 */
const OWN_PRESS = `interval '1 minute'`

/** SQL: notifies the buyer of the end of a pre-order, except of a cancel, which the buyer made. */
export const tellEnd = (source: string) => `ends AS (
    SELECT user_id, CASE state WHEN 'bought' THEN 'preorder-bought' ELSE 'preorder-ended' END AS kind,
      jsonb_build_object('serviceCode', service_code, 'countryId', country_id, 'state', state) AS details,
      CASE state WHEN 'bought' THEN '/activations' ELSE '/' END AS link, 'preorder:' || id AS dedupe_key,
      state = 'bought' AND api_key_id IS NULL AND created_at > $now::timestamptz - ${OWN_PRESS} AS by_press
    FROM ${source} WHERE state IN ('bought', 'expired', 'failed')
  ), ${notifySql('ends', 'CASE WHEN s.by_press THEN $now::timestamptz END')}`

/**
 * SQL for a WHERE clause: raises webhooks about the end of a pre-order, including a cancel. The state is part of the
 * webhook's key, so each end raises one webhook.
 */
export const hooksOfEnd = (source: string) =>
  `(SELECT ${raisesHooks({
    event: `CASE o.state WHEN 'bought' THEN 'preorder.bought' ELSE 'preorder.ended' END`,
    subject: `'preorder:' || o.id`,
    details: `jsonb_build_object('preorder_id', o.id, 'service_id', o.service_code, 'country_id', o.country_id,
          'state', o.state, 'activation_id', o.activation_id)`,
  })} FROM ${source} o WHERE state IN ('bought', 'expired', 'failed', 'cancelled')) IS NOT FALSE`

/**
 * SQL: inserts a charge (a row with the held price) for each row of `source`. A pre-order may get several charges,
 * because its price may be held again.
 */
export const insertCharge = (source: string) => `charge AS (
    INSERT INTO charges (user_id, purpose, preorder_id, price_micros, currency, money, created_at)
    SELECT user_id, 'preorder', id, max_price_micros, currency, 'held', $now FROM ${source}
    RETURNING id, user_id, price_micros, currency
  )`
