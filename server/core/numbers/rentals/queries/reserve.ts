import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { reportedBy } from '#server/core/numbers/activations/queries/used.ts'
import {
  keyRefuses,
  limitReached,
  limitValues,
  PAIR_CLOSED,
  type PurchaseLimits,
} from '#server/core/numbers/limits/queries/limits-sql.ts'
import { transitions } from '#server/core/numbers/rentals/state.ts'
import type { FailedOrder, NextAttempt, SettledNumber } from '#server/core/numbers/sourcing/order-kind.ts'
import { abandonJobs, nextAttemptSql, orphansSql, takeOverSql } from '#server/core/numbers/sourcing/queries/attempts.ts'
import { type OrphanQuery, orphanValues } from '#server/core/numbers/sourcing/queries/orphan-values.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { debitForHold, recordHold, releaseHolds } from '#server/house/money/settle-sql.ts'
import { RUB_PER_USD } from '#server/house/rates/queries.ts'
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
  costLimitMicros: bigint
  costCurrency: Currency
  channel: string
  apiKeyId?: number | null
  idempotencyKey: string | null
  inputHash: string | null
  /** The reason why the first supplier was preferred; null if only one supplier could be chosen. */
  route?: string | null
  /** The limits of the configuration, which an account's own limits override. */
  limits: PurchaseLimits
  /** The node that rents the number (server/house/nodes). */
  nodeId: bigint
  now: Date
  cancelUntil: Date
  expiresAt: Date
  warnAt: Date
}

/**
 * Holds the money and inserts the rental with a charge (the price of the first period), or does neither. Returns null
 * if there is too little money, or the account, the service, a limit or the API key refuses.
 */
export async function reserveRental(db: Db, input: RentReservation): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-reserve',
    text: `WITH ${debitForHold(`(EXISTS (SELECT FROM rentals WHERE user_id = $userId AND idempotency_key = $idempotencyKey)
      OR ${PAIR_CLOSED} OR ${limitReached()} OR ${keyRefuses()})`)}, made AS (
      INSERT INTO rentals (user_id, service_code, country_id, operator_wanted, state, hours, supplier_id, channel,
        idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency, cancel_until, warn_at, node_id)
      SELECT user_id, $serviceCode, $countryId, $operatorWanted, 'reserving', $hours, $supplierId, $channel, $idempotencyKey, $inputHash, $now, $expiresAt, $costLimitMicros, $costCurrency, $cancelUntil, $warnAt, $nodeId FROM payer
      RETURNING ${STORED_COLUMNS}
    ), charge AS (
      INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, created_at, api_key_id)
      SELECT user_id, 'rental', id, hours, $priceMicros, $currency, 'held', $now, $apiKeyId FROM made
      RETURNING id, user_id, price_micros, currency
    ), routed AS (
      INSERT INTO events (at, kind, user_id, subject_id, data)
      SELECT $now, 'rental.routed', user_id, id, jsonb_build_object('why', $route::text) FROM made WHERE $route::text IS NOT NULL
    ), ${recordHold('charge', 'charge_id')}
    SELECT made.*, charge.price_micros, charge.currency FROM made, charge`,
    values: { apiKeyId: null, route: null, ...input, ...limitValues(input.limits) },
  })
  return rows[0] ?? null
}

/** Moves a reservation to its next supplier, as `nextAttempt` does for activations. */
export async function nextRentalAttempt(db: Db, input: NextAttempt): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-next-attempt',
    queuesJobs: true,
    text: nextAttemptSql('rental', COLUMNS),
    values: input,
  })
  return rows[0] ?? null
}

/**
 * Stores a rented number in its reservation. Returns null if the reservation was moved or settled by somebody else.
 * Returns null also if the number must not be sold to this buyer (`number_closed`), was reported as used by this buyer,
 * or was already used. A rental for all services refuses a number used for any service, because earlier holders may
 * have accounts on it.
 */
export async function settleRented(db: Db, input: SettledNumber): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-settle',
    text: `WITH settled AS (
      UPDATE rentals SET state = 'active', phone = $phone, operator = $operator, supplier_reference = $supplierReference, cost_micros = $costMicros,
        cost_rate_micros = ${RUB_PER_USD},
        family = NULLIF($family, service_code), senders_known = $sendersKnown
      WHERE id = $id AND attempt = $attempt AND node_id = $nodeId AND state IN (${sqlList(transitions.settle)})
        AND NOT EXISTS (SELECT FROM burnt_numbers b WHERE b.phone = $phone AND (rentals.service_code = '${FULL_NUMBER}'
          OR b.service_code IN (rentals.service_code, '${FULL_NUMBER}')))
        AND NOT ${reportedBy({ phone: '$phone', serviceCode: 'rentals.service_code', userId: 'rentals.user_id' })}
        AND NOT number_closed($phone, user_id, $family, $sendersKnown, true, $now)
      RETURNING ${COLUMNS}
    ), ${rentalEvents('settled')}
    SELECT * FROM settled`,
    values: input,
  })
  return rows[0] ?? null
}

/**
 * Fails the reservation and releases the money. `abandon` means that the last attempt has an unknown outcome. A failed
 * order of handler_api frees its idempotency key.
 */
export async function failRental(db: Db, input: FailedOrder): Promise<{ id: bigint } | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'rental-fail',
    queuesJobs: true,
    text: `WITH failed AS (
      UPDATE rentals SET state = 'failed', ended_at = $now,
        idempotency_key = CASE WHEN channel = 'handler_api' THEN NULL ELSE idempotency_key END
      WHERE id = $id AND node_id = $nodeId AND state IN (${sqlList(transitions.fail)})
      RETURNING id, user_id, state, supplier_id, attempt
    ), ${settleFirstCharge('failed', 'released')}, ${releaseHolds('settled', 'charge_id')},
    ${rentalEvents('failed')}, ${abandonJobs('rental', 'failed')}
    SELECT id FROM failed WHERE (SELECT count(*) FROM abandoned) >= 0`,
    values: input,
  })
  return rows[0] ?? null
}

export async function listRentalOrphans(db: Db, query: OrphanQuery): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-list-orphans',
    text: orphansSql('rental', COLUMNS),
    values: orphanValues(query),
  })
  return rows
}

/** Takes over the reservations and extensions of nodes that have ended. */
export async function takeOverRentals(db: Db, nodeId: bigint): Promise<void> {
  await db.query({
    name: 'rental-take-over',
    text: takeOverSql('rental', `state = 'reserving' OR extension_id IS NOT NULL`),
    values: { nodeId },
  })
}
