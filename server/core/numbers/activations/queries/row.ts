import type { ActivationState } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import { ENDED_PAIRS, raisesOrderHooks } from '#server/core/webhooks/queries/raise-sql.ts'
import { priorityOf } from '#server/house/db/sandbox-sql.ts'

export type ActivationRow = {
  id: bigint
  user_id: number
  service_code: string
  country_id: number
  operator_wanted: string | null
  operator: string | null
  state: ActivationState
  money: 'held' | 'captured' | 'released'
  price_micros: bigint
  currency: Currency
  supplier_id: number
  attempt: number
  supplier_reference: string | null
  phone: string | null
  code: string | null
  sms_count: number
  again_asked_at: Date | null
  /** The time of the last closed notice (a message that the buyer has not paid to read). */
  notice_at: Date | null
  cost_limit_micros: bigint | null
  excluded_prefixes: string[]
  repeat_of: bigint | null
  idempotency_key: string | null
  input_hash: string | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

export const COLUMNS = `id, user_id, service_code, country_id, operator_wanted, operator, state, money, price_micros, currency,
  supplier_id, attempt, supplier_reference, phone, code, sms_count, again_asked_at, notice_at, cost_limit_micros, excluded_prefixes, repeat_of,
  idempotency_key, input_hash, created_at, expires_at, ended_at`

export type ShownActivation = Pick<
  ActivationRow,
  | ('id' | 'user_id' | 'service_code' | 'country_id' | 'operator' | 'state' | 'money' | 'price_micros' | 'currency')
  | ('phone' | 'code' | 'sms_count' | 'notice_at' | 'created_at' | 'expires_at')
>

/** The columns that receiving a message needs. Each further column costs a measurable microsecond. */
export const SHOWN_COLUMNS = `id, user_id, service_code, country_id, operator, state, money, price_micros, currency,
  phone, code, sms_count, notice_at, created_at, expires_at`

export function columnsOf(table: string): string {
  return COLUMNS.replaceAll(/(\w+)/g, `${table}.$1`)
}

export const stateEvents = (source: string) => `state_event AS (
    INSERT INTO events (at, kind, user_id, subject_id)
    SELECT $now, 'activation.' || state, user_id, id FROM ${source}
  )`

/**
 * SQL for the WHERE clause of a statement that ends activations; the expression is true for each row of `source`. It
 * queues a job that tells the supplier, and raises webhooks about the refund. A finished activation has no refund, so
 * it raises no webhooks.
 */
export const endTold = (
  source: string,
) => `(SELECT bool_and(queue_job('end-number', json_build_object('activationId', o.id::text), 25,
      ${priorityOf('o')}) IS NOT NULL AND (o.state = 'finished' OR ${raisesOrderHooks('activation', {
        event: `CASE o.state WHEN 'expired' THEN 'activation.expired' ELSE 'activation.cancelled' END`,
        more: ENDED_PAIRS,
      })})) FROM ${source} o)`
