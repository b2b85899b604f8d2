import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { transitions } from '#server/core/numbers/activations/state.ts'
import {
  keyRefuses,
  limitReached,
  limitValues,
  PAIR_CLOSED,
  type PurchaseLimits,
} from '#server/core/numbers/limits/queries/limits-sql.ts'
import type { FailedOrder, NextAttempt, SettledNumber } from '#server/core/numbers/sourcing/order-kind.ts'
import { abandonJobs, nextAttemptSql, orphansSql, takeOverSql } from '#server/core/numbers/sourcing/queries/attempts.ts'
import { type OrphanQuery, orphanValues } from '#server/core/numbers/sourcing/queries/orphan-values.ts'
import { isCheckViolation } from '#server/house/db/constraint.ts'
import type { NamedValues } from '#server/house/db/named-values.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { debitForHold, recordHold, releaseHolds } from '#server/house/money/settle-sql.ts'
import { RUB_PER_USD } from '#server/house/rates/queries.ts'
import { type ActivationRow, COLUMNS, columnsOf, stateEvents } from './row.ts'
import { reportedBy } from './used.ts'

export type Reservation = {
  userId: number
  serviceCode: string
  countryId: number
  operatorWanted: string | null
  priceMicros: bigint
  currency: Currency
  supplierId: number
  /** The highest cost that the first offer may have, in `costCurrency`. */
  costLimitMicros: bigint
  costCurrency: Currency
  excludedPrefixes: readonly string[]
  channel: string
  idempotencyKey: string | null
  inputHash: string | null
  repeatOf?: bigint | null
  /** The promotion that bears the loss of a sale below cost. */
  promotionId?: number | null
  apiKeyId?: number | null
  /** The reason why the first supplier was preferred; null if only one supplier could be chosen. */
  route?: string | null
  /** The limits of the configuration, which an account's own limits override. */
  limits: PurchaseLimits
  /** The node that buys the number (server/house/nodes). */
  nodeId: bigint
  now: Date
  expiresAt: Date
}

/**
 * Holds the price and inserts the activation, or does neither. Returns null if there is too little money, or the
 * account, the service, a limit or the API key refuses. Throws PromotionFull.
 */
export async function reserve(db: Db, input: Reservation): Promise<ActivationRow | null> {
  const isRouted = input.route != null
  return unlessFull(
    input,
    db.query<ReservedId>({
      name: isRouted ? 'activation-reserve-routed' : 'activation-reserve',
      text: isRouted ? RESERVE_ROUTED : RESERVE,
      values: reservationValues(input),
    }),
  )
}

/** The error that a promotion can bear no further loss, so its price is no longer valid. No money is held. */
export class PromotionFull extends Error {
  override readonly name = 'PromotionFull'
}

/**
 * Returns the activation that the statement `made` inserted. Throws PromotionFull if the promotion is at its loss limit
 * (migrations/0206_promotions.sql).
 */
export async function unlessFull(
  input: Reservation,
  made: Promise<{ rows: ReservedId[] }>,
): Promise<ActivationRow | null> {
  const [row] = (await whileNotFull(made)).rows
  return row === undefined ? null : reservedRow(row.id, input)
}

/** Throws PromotionFull in the place of the error by which a statement tells it. */
export async function whileNotFull<Made>(made: Promise<Made>): Promise<Made> {
  try {
    return await made
  } catch (error) {
    if (isCheckViolation(error, 'promotions_within_limit')) throw new PromotionFull()
    throw error
  }
}

export type ReservedId = { id: bigint }

/** Builds the inserted row in JavaScript, because a RETURNING clause would cost PostgreSQL 60 µs and pg 20 µs. */
export function reservedRow(id: bigint, input: Reservation): ActivationRow {
  return {
    id,
    user_id: input.userId,
    service_code: input.serviceCode,
    country_id: input.countryId,
    operator_wanted: input.operatorWanted,
    operator: null,
    state: 'reserving',
    money: 'held',
    price_micros: input.priceMicros,
    currency: input.currency,
    supplier_id: input.supplierId,
    attempt: 1,
    supplier_reference: null,
    phone: null,
    code: null,
    sms_count: 0,
    again_asked_at: null,
    notice_at: null,
    cost_limit_micros: input.costLimitMicros,
    excluded_prefixes: [...input.excludedPrefixes],
    repeat_of: input.repeatOf ?? null,
    idempotency_key: input.idempotencyKey,
    input_hash: input.inputHash,
    created_at: input.now,
    expires_at: input.expiresAt,
    ended_at: null,
  }
}

/**
 * SQL: true if the API key, the service or a limit refuses the purchase. `besides` is SQL for the id of an activation
 * that the same statement ends, which the limits do not count.
 */
export function reservationForbidden(besides?: string): string {
  const limited = limitReached(besides === undefined ? {} : { besides })
  return `(${PAIR_CLOSED} OR ${limited} OR ${keyRefuses(besides)})`
}

/** SQL: the CTE `made` inserts the activation if the CTE `payer` has a row. */
export const INSERT_RESERVED = `made AS (
      INSERT INTO activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency,
        supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, cost_currency,
        excluded_prefixes, repeat_of, api_key_id, promotion_id, node_id)
      SELECT user_id, $serviceCode, $countryId, $operatorWanted, 'reserving', 'held', $priceMicros, $currency,
        $supplierId, $channel, $idempotencyKey, $inputHash, $now, $expiresAt, $costLimitMicros, $costCurrency,
        $excludedPrefixes, $repeatOf, $apiKeyId, $promotionId, $nodeId
      FROM payer
      RETURNING id, user_id, price_micros, currency
    )`

/** SQL: the CTE `routed` records why the first supplier was preferred, if several could be chosen. */
export const INSERT_ROUTED = `routed AS (
      INSERT INTO events (at, kind, user_id, subject_id, data)
      SELECT $now, 'activation.routed', user_id, id, jsonb_build_object('why', $route::text) FROM made WHERE $route::text IS NOT NULL
    )`

const reservation = `WITH ${debitForHold(reservationForbidden())}, ${INSERT_RESERVED}, ${recordHold('made')}`
const RESERVE = `${reservation} SELECT id FROM made`
const RESERVE_ROUTED = `${reservation}, ${INSERT_ROUTED} SELECT id FROM made`

export function reservationValues(input: Reservation): NamedValues {
  return { repeatOf: null, apiKeyId: null, route: null, promotionId: null, ...input, ...limitValues(input.limits) }
}

/**
 * Moves a reservation to its next supplier. With `abandon`, a job gives back any number that the failed attempt bought.
 */
export async function nextAttempt(db: Db, input: NextAttempt): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-next-attempt',
    queuesJobs: true,
    text: nextAttemptSql('activation', columnsOf('activations')),
    values: input,
  })
  return rows[0] ?? null
}

/** SQL: true if nobody burnt the number for the service, and the buyer has not reported the number as already used. */
export function isNewToBuyer(sold: { phone: string; serviceCode: string; userId: string }): string {
  return `NOT EXISTS (SELECT FROM burnt_numbers b
          WHERE b.phone = ${sold.phone} AND b.service_code IN (${sold.serviceCode}, '${FULL_NUMBER}'))
          AND NOT ${reportedBy(sold)}`
}

const SETTLE = `WITH settled AS (
    UPDATE activations
    SET state = 'waiting', phone = $phone, operator = $operator, supplier_reference = $supplierReference, cost_micros = $costMicros,
      cost_rate_micros = ${RUB_PER_USD}, expires_at = LEAST(expires_at, $expiresAt::timestamptz),
      family = NULLIF($family, service_code), senders_known = $sendersKnown
    WHERE id = $id AND attempt = $attempt AND node_id = $nodeId AND state IN (${sqlList(transitions.settle)})
      AND CASE WHEN repeat_of IS NULL
        THEN ${isNewToBuyer({ phone: '$phone', serviceCode: 'activations.service_code', userId: 'activations.user_id' })}
        ELSE EXISTS (SELECT FROM activations earlier WHERE earlier.id = activations.repeat_of AND earlier.phone = $phone
          AND earlier.user_id = activations.user_id AND earlier.service_code = activations.service_code) END
      AND NOT number_closed($phone, user_id, $family, $sendersKnown, false, $now)
    RETURNING id, user_id, expires_at
  ), settled_event AS (
    INSERT INTO events (at, kind, user_id, subject_id) SELECT $now, 'activation.waiting', user_id, id FROM settled
  )
  SELECT expires_at FROM settled`

/**
 * Stores a bought number in its reservation (`reserved` is the row as inserted). Returns null if the reservation was
 * meanwhile settled or moved to another supplier. Returns null also if the number was used for the service, reported by
 * this buyer, or refused by the sale rule (`number_closed` in migrations/0056_sale_rule.sql). A purchase that repeats
 * an activation must get the number of that activation, which may be used already. The activation ends no later than at
 * the supplier.
 */
export async function settleBought(
  db: Db,
  input: SettledNumber,
  reserved: ActivationRow,
): Promise<ActivationRow | null> {
  const { rows } = await db.query<Pick<ActivationRow, 'expires_at'>>({
    name: 'activation-settle',
    text: SETTLE,
    values: { ...input, expiresAt: input.expiresAt ?? null },
  })
  const [settled] = rows
  if (settled === undefined) return null
  const { phone, operator, supplierReference } = input
  return { ...reserved, ...settled, state: 'waiting', phone, operator, supplier_reference: supplierReference }
}

/**
 * Fails the reservation and releases the money. `abandon` means that the last attempt has an unknown outcome. A failed
 * order of handler_api frees its idempotency key, so that the client can try again.
 */
export async function failReservation(db: Db, input: FailedOrder): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-fail',
    queuesJobs: true,
    text: `WITH failed AS (
      UPDATE activations SET state = 'failed', money = 'released', ended_at = $now,
        idempotency_key = CASE WHEN channel = 'handler_api' THEN NULL ELSE idempotency_key END
      WHERE id = $id AND node_id = $nodeId AND state IN (${sqlList(transitions.fail)})
      RETURNING ${COLUMNS}
    ), ${releaseHolds('failed')}, ${stateEvents('failed')}, ${abandonJobs('activation', 'failed')}
    SELECT failed.* FROM failed WHERE (SELECT count(*) FROM abandoned) >= 0`,
    values: input,
  })
  return rows[0] ?? null
}

export const ANY_RESERVING = `EXISTS (SELECT FROM activations WHERE state = 'reserving')`

export async function listOrphans(db: Db, query: OrphanQuery): Promise<ActivationRow[]> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-list-orphans',
    text: orphansSql('activation', COLUMNS),
    values: orphanValues(query),
  })
  return rows
}

/** Takes over the reservations of nodes that have ended. */
export async function takeOverReservations(db: Db, nodeId: bigint): Promise<void> {
  await db.query({
    name: 'activation-take-over',
    text: takeOverSql('activation', `state = 'reserving'`),
    values: { nodeId },
  })
}
