import type { Currency } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import type { Db } from '#server/db/pool.ts'
import { sqlList } from '#server/db/sql-list.ts'
import { debitForHold, recordHold, releaseHolds } from '#server/money/settle-sql.ts'
import { transitions } from '#server/numbers/activations/state.ts'
import type { PurchaseLimits } from '#server/numbers/limits/limits.ts'
import { limitReachedSql, pairClosedSql } from '#server/numbers/limits/queries/limits-sql.ts'
import { attemptEvents } from '#server/numbers/sourcing/queries/attempt-events.ts'
import type { SettledNumber } from '#server/numbers/sourcing/settle-number.ts'
import type { OrphanQuery } from '#server/numbers/sourcing/settle-orphans.ts'
import { type ActivationRow, COLUMNS, columnsOf, stateEvents } from './row.ts'
import { reportedByTaker } from './used.ts'

export type Reservation = {
  userId: number
  serviceCode: string
  countryId: number
  operatorWanted: string | null
  priceMicros: bigint
  currency: Currency
  supplierId: number
  /** The most the first attempt may cost us, in the currency of its offer. */
  costLimitMicros: bigint
  /** Numbers that begin with one of these are not wanted. */
  excludedPrefixes: readonly string[]
  channel: string
  idempotencyKey: string | null
  inputHash: string | null
  /** The activation whose number is bought once more. */
  repeatOf?: bigint | null
  /** What the configuration allows; the account may have limits of its own. */
  limits: PurchaseLimits
  now: Date
  expiresAt: Date
}

/**
 * Holds the money and inserts the activation, or does neither: null when the account cannot pay or is blocked, a limit of it
 * is reached, the service is closed to it, or the key is spent.
 */
export async function reserve(db: Db, input: Reservation): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-reserve',
    text: `WITH ${debitForHold({ userId: '$1', amount: '$5', currency: '$6', unless: reservationForbidden() })},
    ${INSERT_RESERVED}, ${recordHold('made', '$11')}
    SELECT * FROM made`,
    values: reservationValues(input),
  })
  return rows[0] ?? null
}

/**
 * For statements that reserve: the key was used, the service is closed to this buyer, or one more breaks a limit. `besides`:
 * an activation that the statement ends, as SQL.
 */
export function reservationForbidden(besides?: string): string {
  const closed = pairClosedSql({ userId: '$1', serviceCode: '$2', countryId: '$3', at: '$11' })
  const limited = limitReachedSql({
    ...{ userId: '$1', price: '$5', at: '$11', openLimit: '$16', dayLimit: '$17' },
    ...(besides !== undefined && { besides }),
  })
  return `(EXISTS (SELECT FROM activations WHERE user_id = $1 AND idempotency_key = $9) OR ${closed} OR ${limited})`
}

/** For statements that reserve: the new activation, `made`, when there is a `payer`. Its values are $1 to $17. */
export const INSERT_RESERVED = `made AS (
      INSERT INTO activations (user_id, service_code, country_id, operator_wanted, state, money, price_micros, currency,
        supplier_id, channel, idempotency_key, input_hash, created_at, expires_at, cost_limit_micros, excluded_prefixes, repeat_of)
      SELECT user_id, $2, $3, $4, 'reserving', 'held', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM payer
      RETURNING ${COLUMNS}
    )`

/**
 * How "no limit" is written (migrations/0033_limits.sql). Not NULL: of that the function that checks the limits cannot say
 * that it is none before it has summed a day of purchases, which costs a purchase several times as much as all else.
 */
const NO_OPEN_LIMIT = 2_147_483_647
const NO_SPEND_LIMIT = 9_223_372_036_854_775_807n

export function reservationValues(input: Reservation): unknown[] {
  return [
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
    input.excludedPrefixes,
    input.repeatOf ?? null,
    input.limits.openNumbers ?? NO_OPEN_LIMIT,
    input.limits.daySpendMicros ?? NO_SPEND_LIMIT,
  ]
}

/** Moves a reservation on to its next attempt. With `abandon`, the attempt left behind may have sold us a number: a job finds out and gives it back. */
export async function nextAttempt(
  db: Db,
  input: { id: bigint; attempt: number; supplierId: number; costLimitMicros: bigint; abandon: boolean; now: Date },
): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-next-attempt',
    text: `WITH left_behind AS (
      SELECT id, user_id, supplier_id, attempt FROM activations WHERE id = $1 AND state = 'reserving' AND attempt = $2 FOR UPDATE
    ), ${attemptEvents('activation', { at: '$6', unknown: '$4' })}, abandoned AS (
      SELECT graphile_worker.add_job('abandon-attempt',
        json_build_object('supplierId', supplier_id, 'reference', id || '-' || attempt), max_attempts := 25)
      FROM left_behind WHERE $4
    )
    UPDATE activations SET attempt = activations.attempt + 1, supplier_id = $3, cost_limit_micros = $5
    FROM left_behind WHERE activations.id = left_behind.id AND (SELECT count(*) FROM abandoned) >= 0
    RETURNING ${columnsOf('activations')}`,
    values: [input.id, input.attempt, input.supplierId, input.abandon, input.costLimitMicros, input.now],
  })
  return rows[0] ?? null
}

/**
 * Gives the number to the buyer. Null when the reservation has moved on, or the number is burnt for the service, reported as used
 * by this buyer, or closed to him because messages could go astray (`number_closed` of migrations/0056_sale_rule.sql). Bought
 * once more, it must be the very number this buyer had, and may be burnt.
 */
export async function settleBought(db: Db, input: SettledNumber): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-settle',
    text: `WITH settled AS (
      UPDATE activations
      SET state = 'waiting', phone = $3, operator = $4, supplier_reference = $5, cost_micros = $6,
        family = NULLIF($8, service_code), senders_known = $9
      WHERE id = $1 AND attempt = $2 AND state IN (${sqlList(transitions.settle)})
        AND CASE WHEN repeat_of IS NULL
          THEN NOT EXISTS (SELECT FROM burnt_numbers b
            WHERE b.phone = $3 AND b.service_code IN (activations.service_code, '${FULL_NUMBER}'))
            AND NOT ${reportedByTaker('activations', '$3')}
          ELSE EXISTS (SELECT FROM activations earlier WHERE earlier.id = activations.repeat_of AND earlier.phone = $3
            AND earlier.user_id = activations.user_id AND earlier.service_code = activations.service_code) END
        AND NOT number_closed($3, user_id, $8, $9, false, $7)
      RETURNING ${COLUMNS}
    ), settled_event AS (
      INSERT INTO events (at, kind, user_id, subject_id) SELECT $7, 'activation.waiting', user_id, id FROM settled
    )
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

/**
 * Gives up a reservation and releases the money. With `abandon`, the last attempt's outcome is unknown. In handler_api a
 * key is the number of an order, and an order that was never made may be tried again under its number.
 */
export async function failReservation(
  db: Db,
  input: { id: bigint; now: Date; abandon: boolean },
): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-fail',
    text: `WITH failed AS (
      UPDATE activations SET state = 'failed', money = 'released', ended_at = $2,
        idempotency_key = CASE WHEN channel = 'handler_api' THEN NULL ELSE idempotency_key END
      WHERE id = $1 AND state IN (${sqlList(transitions.fail)})
      RETURNING ${COLUMNS}
    ), ${releaseHolds('failed', '$2')}, ${stateEvents('failed', '$2')}, abandoned AS (
      SELECT graphile_worker.add_job('abandon-attempt',
        json_build_object('supplierId', supplier_id, 'reference', id || '-' || attempt), max_attempts := 25)
      FROM failed WHERE $3
    )
    SELECT failed.* FROM failed WHERE (SELECT count(*) FROM abandoned) >= 0`,
    values: [input.id, input.now, input.abandon],
  })
  return rows[0] ?? null
}

/**
 * Reservations made until `before`, oldest first, after the place `after`. One that stays open does not come again, so
 * a walk through all of them ends.
 */
export async function listOrphans(db: Db, { before, after, limit }: OrphanQuery): Promise<ActivationRow[]> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-list-orphans',
    text: `SELECT ${COLUMNS} FROM activations
      WHERE state = 'reserving' AND created_at <= $1 AND (created_at, id) > (COALESCE($2, '-infinity'::timestamptz), $3)
      ORDER BY created_at, id LIMIT $4`,
    values: [before, after?.createdAt ?? null, after?.id ?? 0n, limit],
  })
  return rows
}
