import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import type { Db } from '#server/db/pool.ts'
import { sqlList } from '#server/db/sql-list.ts'
import { debitForHold, recordHold, releaseHolds } from '#server/money/settle-sql.ts'
import { reportedByTaker } from '#server/numbers/activations/queries/used.ts'
import type { PurchaseLimits } from '#server/numbers/limits/limits.ts'
import { limitReachedSql, pairClosedSql } from '#server/numbers/limits/queries/limits-sql.ts'
import { transitions } from '#server/numbers/rentals/state.ts'
import { attemptEvents } from '#server/numbers/sourcing/queries/attempt-events.ts'
import type { SettledNumber } from '#server/numbers/sourcing/settle-number.ts'
import type { OrphanQuery } from '#server/numbers/sourcing/settle-orphans.ts'
import { COLUMNS, type RentalRow, rentalEvents, STORED_COLUMNS, settleFirstCharge } from './row.ts'

export type RentReservation = {
  userId: number
  serviceCode: string
  countryId: number
  operatorWanted: string | null
  hours: number
  priceMicros: bigint
  currency: Currency
  supplierId: number
  /** The most the first attempt may cost us, in the currency of its offer. */
  costLimitMicros: bigint
  costCurrency: Currency
  channel: string
  idempotencyKey: string | null
  inputHash: string | null
  /** What the configuration allows; the account may have limits of its own. */
  limits: PurchaseLimits
  now: Date
  cancelUntil: Date
  expiresAt: Date
  warnAt: Date
}

/**
 * Holds the money and inserts the rental with its charge, or does neither: null when the account cannot pay or is blocked, a
 * limit of it is reached, the service is closed to it, or the key is spent.
 */
export async function reserveRental(db: Db, input: RentReservation): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-reserve',
    text: `WITH ${debitForHold({
      userId: '$1',
      amount: '$5',
      currency: '$6',
      unless: `(EXISTS (SELECT FROM rentals WHERE user_id = $1 AND idempotency_key = $9)
        OR ${pairClosedSql({ userId: '$1', serviceCode: '$2', countryId: '$3', at: '$11' })}
        OR ${limitReachedSql({ userId: '$1', price: '$5', at: '$11', openLimit: '$18', dayLimit: '$19' })})`,
    })}, made AS (
      INSERT INTO rentals (user_id, service_code, country_id, operator_wanted, state, hours, supplier_id, channel,
        idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency, cancel_until, warn_at)
      SELECT user_id, $2, $3, $4, 'reserving', $15, $7, $8, $9, $10, $11, $12, $13, $14, $16, $17 FROM payer
      RETURNING ${STORED_COLUMNS}
    ), charge AS (
      INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, created_at)
      SELECT user_id, 'rental', id, hours, $5, $6, 'held', $11 FROM made
      RETURNING id, user_id, price_micros, currency
    ), ${recordHold('charge', '$11', 'charge_id')}
    SELECT made.*, charge.price_micros, charge.currency FROM made, charge`,
    values: [
      input.userId,
      input.serviceCode,
      input.countryId,
      input.operatorWanted,
      input.priceMicros,
      input.currency,
      input.supplierId,
      input.channel,
      input.idempotencyKey,
      input.inputHash,
      input.now,
      input.expiresAt,
      input.costLimitMicros,
      input.costCurrency,
      input.hours,
      input.cancelUntil,
      input.warnAt,
      input.limits.openNumbers,
      input.limits.daySpendMicros,
    ],
  })
  return rows[0] ?? null
}

/** A job that finds out what the attempt of `source` did, and gives back whatever was rented, where `when` holds. */
const abandonJobs = (source: string, when: string) => `abandoned AS (
    SELECT graphile_worker.add_job('abandon-rental',
      json_build_object('supplierId', supplier_id, 'reference', 'r' || id || '-' || attempt), max_attempts := 25)
    FROM ${source} WHERE ${when}
  )`

/** Moves a reservation on to its next attempt. `abandon` as in `nextAttempt` of activations. */
export async function nextRentalAttempt(
  db: Db,
  input: {
    id: bigint
    attempt: number
    supplierId: number
    costLimitMicros: bigint
    costCurrency: Currency
    abandon: boolean
    now: Date
  },
): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-next-attempt',
    text: `WITH left_behind AS (
      SELECT id, user_id, supplier_id, attempt FROM rentals WHERE id = $1 AND state = 'reserving' AND attempt = $2 FOR UPDATE
    ), ${attemptEvents('rental', { at: '$7', unknown: '$6' })}, ${abandonJobs('left_behind', '$6')}
    UPDATE rentals SET attempt = rentals.attempt + 1, supplier_id = $3, cost_limit_micros = $4, cost_currency = $5
    FROM left_behind WHERE rentals.id = left_behind.id AND (SELECT count(*) FROM abandoned) >= 0
    RETURNING ${COLUMNS}`,
    values: [
      input.id,
      input.attempt,
      input.supplierId,
      input.costLimitMicros,
      input.costCurrency,
      input.abandon,
      input.now,
    ],
  })
  return rows[0] ?? null
}

/**
 * Gives the number to the buyer. Null when the reservation has moved on, or the number is closed to him because somebody has it or
 * messages could go astray (`number_closed` of migrations/0056_sale_rule.sql), reported as used by him, or burnt: for its
 * service or as a whole number, and for a whole number by any service, because the accounts of whoever had it before hang on it.
 */
export async function settleRented(db: Db, input: SettledNumber): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-settle',
    text: `WITH settled AS (
      UPDATE rentals SET state = 'active', phone = $3, operator = $4, supplier_reference = $5, cost_micros = $6,
        family = NULLIF($8, service_code), senders_known = $9
      WHERE id = $1 AND attempt = $2 AND state IN (${sqlList(transitions.settle)})
        AND NOT EXISTS (SELECT FROM burnt_numbers b WHERE b.phone = $3 AND (rentals.service_code = '${FULL_NUMBER}'
          OR b.service_code IN (rentals.service_code, '${FULL_NUMBER}')))
        AND NOT ${reportedByTaker('rentals', '$3')}
        AND NOT number_closed($3, user_id, $8, $9, true, $7)
      RETURNING ${COLUMNS}
    ), ${rentalEvents('settled', '$7')}
    SELECT * FROM settled`,
    values: [
      input.id,
      input.attempt,
      input.phone,
      input.operator,
      input.supplierReference,
      input.costMicros,
      input.now,
      input.family,
      input.sendersKnown,
    ],
  })
  return rows[0] ?? null
}

/** Gives up a reservation and releases the money. With `abandon`, the last attempt's outcome is unknown. */
export async function failRental(
  db: Db,
  input: { id: bigint; now: Date; abandon: boolean },
): Promise<{ id: bigint } | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'rental-fail',
    text: `WITH failed AS (
      UPDATE rentals SET state = 'failed', ended_at = $2
      WHERE id = $1 AND state IN (${sqlList(transitions.fail)})
      RETURNING id, user_id, state, supplier_id, attempt
    ), ${settleFirstCharge('failed', 'released', '$2')}, ${releaseHolds('settled', '$2', 'charge_id')},
    ${rentalEvents('failed', '$2')}, ${abandonJobs('failed', '$3')}
    SELECT id FROM failed WHERE (SELECT count(*) FROM abandoned) >= 0`,
    values: [input.id, input.now, input.abandon],
  })
  return rows[0] ?? null
}

/** Reservations made until `before`, oldest first, after the place `after`. */
export async function listRentalOrphans(db: Db, { before, after, limit }: OrphanQuery): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-list-orphans',
    text: `SELECT ${COLUMNS} FROM rentals
      WHERE state = 'reserving' AND created_at <= $1 AND (created_at, id) > (COALESCE($2, '-infinity'::timestamptz), $3)
      ORDER BY created_at, id LIMIT $4`,
    values: [before, after?.createdAt ?? null, after?.id ?? 0n, limit],
  })
  return rows
}
