import type { Currency } from '#contract/money.ts'
import type { RentalState } from '#contract/rental.ts'
import { ENDED_PAIRS, raisesOrderHooks } from '#server/core/webhooks/queries/raise-sql.ts'
import { priorityOf } from '#server/house/db/sandbox-sql.ts'

export type RentalRow = {
  id: bigint
  user_id: number
  service_code: string
  country_id: number
  operator_wanted: string | null
  operator: string | null
  state: RentalState
  /** The hours paid for, including extensions. */
  hours: number
  supplier_id: number
  attempt: number
  supplier_reference: string | null
  cost_limit_micros: bigint
  cost_currency: Currency | null
  phone: string | null
  code: string | null
  sms_count: number
  idempotency_key: string | null
  input_hash: string | null
  created_at: Date
  cancel_until: Date
  captured_at: Date | null
  expires_at: Date
  extension_id: bigint | null
  warned_at: Date | null
  ended_at: Date | null
  price_micros: bigint
  currency: Currency
}

const STORED = `id, user_id, service_code, country_id, operator_wanted, operator, state, hours, supplier_id, attempt,
  supplier_reference, cost_limit_micros, cost_currency, phone, code, sms_count, idempotency_key, input_hash, created_at, cancel_until, captured_at,
  expires_at, extension_id, warned_at, ended_at`

export const STORED_COLUMNS = STORED.replaceAll(/(\w+)/g, 'rentals.$1')

/** SQL: the sum paid for the rental, without changes of `charges` by the same statement. */
export const PAID_MICROS = `(SELECT sum(price_micros)::bigint FROM charges
    WHERE rental_id = rentals.id AND (purpose = 'rental' OR money = 'captured'))`

export const COLUMNS = `${STORED_COLUMNS},
  ${PAID_MICROS} AS price_micros,
  (SELECT currency FROM accounts WHERE accounts.user_id = rentals.user_id) AS currency`

/**
 * SQL: appends an event to the table `events` for each rental in `source`. `kind` is an SQL expression, such as the
 * state.
 */
export const rentalEvents = (source: string, kind = 'state') => `rental_event AS (
    INSERT INTO events (at, kind, user_id, subject_id)
    SELECT $now, 'rental.' || ${kind}, user_id, id FROM ${source}
  )`

/**
 * SQL for the WHERE clause of a statement; the expression is true for each row of `source`. It queues a job that tells
 * the supplier of the rental's end.
 */
export const endRentalQueued = (
  source: string,
) => `(SELECT bool_and(queue_job('end-rental', json_build_object('rentalId', o.id::text), 25,
      ${priorityOf('o')}) IS NOT NULL) FROM ${source} o)`

/** SQL: like `endRentalQueued`, but also raises the buyer's webhooks. */
export const endRentalTold = (source: string) =>
  `${endRentalQueued(source)} AND (SELECT bool_and(${raisesOrderHooks('rental', {
    event: `'rental.ended'`,
    more: `${ENDED_PAIRS}, 'expires_at', o.expires_at`,
  })}) FROM ${source} o)`

/** SQL: the CTE `settled` captures or releases the charges of first periods that are still held. */
export const settleFirstCharge = (source: string, money: 'captured' | 'released') => `settled AS (
    UPDATE charges SET money = '${money}', settled_at = $now FROM ${source}
    WHERE charges.rental_id = ${source}.id AND charges.purpose = 'rental' AND charges.money = 'held'
    RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
  )`
