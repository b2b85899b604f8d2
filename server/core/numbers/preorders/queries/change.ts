import type { Currency } from '#contract/money.ts'
import { NOTIFY_RUNS } from '#server/core/notifications/queries/raise-sql.ts'
import {
  INSERT_RESERVED,
  INSERT_ROUTED,
  type Reservation,
  type ReservedId,
  reservationForbidden,
  reservationValues,
  unlessFull,
} from '#server/core/numbers/activations/queries/purchase.ts'
import type { ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { keyRefuses, PAIR_CLOSED } from '#server/core/numbers/limits/queries/limits-sql.ts'
import type { Db, Pool } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { debitForHold, debitInstead, recordHold, recordInstead, releaseHolds } from '#server/house/money/settle-sql.ts'
import { columnsOf, hooksOfEnd, insertCharge, type PreorderRow, stateEvents, tellEnd } from './row.ts'

export type NewPreorder = {
  userId: number
  serviceCode: string
  countryId: number
  operatorWanted: string | null
  maxPriceMicros: bigint
  currency: Currency
  idempotencyKey: string | null
  inputHash: string | null
  openLimit: number
  apiKeyId?: number | null
  now: Date
  deadlineAt: Date
}

/**
 * Holds the price and inserts the pre-order, or does neither. Returns null if there is too little money, too many
 * pre-orders are open, or the account, the service or the API key refuses. The pre-order gets the retry delay of
 * waiting pre-orders for the same numbers.
 */
export async function insertPreorder(pool: Pool, input: NewPreorder): Promise<PreorderRow | null> {
  return transaction(pool, async (tx) => {
    // The account is locked first, so the next statement sees all earlier pre-orders and the limit is exact.
    await tx.query({ text: 'SELECT FROM accounts WHERE user_id = $1 FOR UPDATE', values: [input.userId] })
    const unless = `(EXISTS (SELECT FROM preorders WHERE user_id = $userId AND idempotency_key = $idempotencyKey)
      OR ${PAIR_CLOSED} OR ${keyRefuses()}
      OR (SELECT count(*) FROM preorders WHERE user_id = $userId AND state IN ('waiting', 'buying')) >= $openLimit)`
    const { rows } = await tx.query<PreorderRow>({
      name: 'preorder-insert',
      text: `WITH ${debitForHold(unless)}, made AS (
        INSERT INTO preorders (user_id, service_code, country_id, operator_wanted, max_price_micros, currency, state,
          idempotency_key, input_hash, created_at, api_key_id, deadline_at, next_try_at)
        SELECT user_id, $serviceCode, $countryId, $operatorWanted, $priceMicros, $currency, 'waiting', $idempotencyKey, $inputHash, $now, $apiKeyId, $deadlineAt, GREATEST($now, (SELECT max(next_try_at) FROM preorders
          WHERE state = 'waiting' AND service_code = $serviceCode AND country_id = $countryId AND operator_wanted IS NOT DISTINCT FROM $operatorWanted AND tries > 0))
        FROM payer
        RETURNING ${columnsOf()}
      ), ${insertCharge('made')}, ${recordHold('charge', 'charge_id')}, ${stateEvents('made')}
      SELECT * FROM made`,
      values: { apiKeyId: null, ...input, priceMicros: input.maxPriceMicros },
    })
    return rows[0] ?? null
  })
}

/**
 * Turns the hold of a pre-order into the hold of a purchase and releases the difference. Returns null and changes
 * nothing if the pre-order is not waiting, or if `reserve` would return null. Throws PromotionFull.
 */
export async function reserveForPreorder(
  db: Db,
  input: Reservation & { preorderId: bigint },
): Promise<ActivationRow | null> {
  return unlessFull(
    input,
    db.query<ReservedId>({
      name: 'preorder-reserve',
      text: `WITH earlier AS (
      SELECT p.user_id, c.id AS charge_id, c.price_micros FROM preorders p JOIN charges c ON c.preorder_id = p.id
      WHERE p.id = $preorderId AND p.user_id = $userId AND p.state = 'waiting' AND p.deadline_at > $now AND c.money = 'held'
        AND c.price_micros >= $priceMicros
      FOR UPDATE
    ), ${debitInstead('earlier', reservationForbidden())}, freed AS (
      UPDATE charges SET money = 'released', settled_at = $now FROM payer, earlier WHERE charges.id = earlier.charge_id
      RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
    ), ${INSERT_RESERVED}, ${INSERT_ROUTED}, bound AS (
      UPDATE preorders SET state = 'buying', activation_id = made.id FROM made WHERE preorders.id = $preorderId
      RETURNING ${columnsOf('preorders')}
    ), ${recordInstead({ freed: 'freed', of: 'charge_id', made: 'made' })}, ${stateEvents('bound')}
    SELECT id FROM made`,
      values: { ...reservationValues(input), preorderId: input.preorderId },
    }),
  )
}

/**
 * Cancels or expires a waiting pre-order. Returns null if the pre-order is not waiting, or for `expired`, if its
 * deadline has not come.
 */
export async function endWaiting(
  db: Db,
  input: { id: bigint; state: 'cancelled' | 'expired'; now: Date },
): Promise<PreorderRow | null> {
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-end-waiting',
    // If `holdAgain` has just held the price, the join misses the new charge, and nothing is ended.
    text: `WITH open AS (
      SELECT p.id, c.id AS charge_id FROM preorders p JOIN charges c ON c.preorder_id = p.id
      WHERE p.id = $id AND p.state = 'waiting' AND c.money = 'held' AND ($state = 'cancelled' OR p.deadline_at <= $now) FOR UPDATE
    ), freed AS (
      UPDATE charges SET money = 'released', settled_at = $now FROM open WHERE charges.id = open.charge_id
      RETURNING charges.id, charges.user_id, charges.price_micros, charges.currency
    ), ended AS (
      UPDATE preorders SET state = $state, ended_at = $now FROM open WHERE preorders.id = open.id
      RETURNING ${columnsOf('preorders')}
    ), ${releaseHolds('freed', 'charge_id')}, ${stateEvents('ended')}, ${tellEnd('ended')}
    SELECT * FROM ended WHERE ${NOTIFY_RUNS} AND ${hooksOfEnd('ended')}`,
    values: input,
  })
  return rows[0] ?? null
}

/** Marks a pre-order as bought. Returns null if it was marked before or the purchase got no number. */
export async function markBought(db: Db, input: { id: bigint; now: Date }): Promise<PreorderRow | null> {
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-bought',
    text: `WITH bought AS (
      UPDATE preorders p SET state = 'bought', ended_at = $now FROM activations a
      WHERE p.id = $id AND p.state = 'buying' AND a.id = p.activation_id AND a.state NOT IN ('reserving', 'failed')
      RETURNING ${columnsOf('p')}
    ), ${stateEvents('bought')}, ${tellEnd('bought')}
    SELECT * FROM bought WHERE ${NOTIFY_RUNS} AND ${hooksOfEnd('bought')}`,
    values: input,
  })
  return rows[0] ?? null
}

/**
 * Holds the whole price again after a failed purchase, so that the pre-order waits until `nextTryAt`. A pre-order
 * without enough money fails, and after its deadline it expires. Returns null if the purchase has not failed or the
 * price was held again before.
 */
export async function holdAgain(
  db: Db,
  input: { id: bigint; now: Date; nextTryAt: Date },
): Promise<PreorderRow | null> {
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-hold-again',
    text: `WITH over AS (
      SELECT p.id, p.user_id, p.max_price_micros, p.currency, p.deadline_at > $now AS in_time
      FROM preorders p JOIN activations a ON a.id = p.activation_id
      WHERE p.id = $id AND p.state = 'buying' AND a.state = 'failed' FOR UPDATE OF p
    ), payer AS (
      UPDATE accounts SET available_micros = available_micros - over.max_price_micros,
        held_micros = held_micros + over.max_price_micros
      FROM over WHERE accounts.user_id = over.user_id AND accounts.currency = over.currency AND over.in_time
        AND available_micros >= over.max_price_micros AND debt_micros = 0
      RETURNING accounts.user_id
    ), settled AS (
      UPDATE preorders SET activation_id = NULL, tries = tries + 1, next_try_at = $nextTryAt,
        state = CASE WHEN EXISTS (SELECT FROM payer) THEN 'waiting' WHEN over.in_time THEN 'failed' ELSE 'expired' END,
        ended_at = CASE WHEN EXISTS (SELECT FROM payer) THEN NULL ELSE $now END
      FROM over WHERE preorders.id = over.id
      RETURNING ${columnsOf('preorders')}
    ), held_again AS (SELECT * FROM settled WHERE state = 'waiting'),
    ${insertCharge('held_again')}, ${recordHold('charge', 'charge_id')}, ${stateEvents('settled')}, ${tellEnd('settled')}
    SELECT * FROM settled WHERE ${NOTIFY_RUNS} AND ${hooksOfEnd('settled')}`,
    values: input,
  })
  return rows[0] ?? null
}

export async function postpone(db: Db, input: { id: bigint; until: Date }): Promise<void> {
  await db.query({
    name: 'preorder-postpone',
    text: `UPDATE preorders SET next_try_at = $2 WHERE id = $1 AND state = 'waiting'`,
    values: [input.id, input.until],
  })
}

/** Gives all pre-orders for the same numbers the same retry delay, so that no buyer overtakes another. */
export async function postponeKind(db: Db, row: PreorderRow): Promise<void> {
  await db.query({
    name: 'preorder-postpone-kind',
    text: `UPDATE preorders SET next_try_at = $next_try_at WHERE state = 'waiting' AND service_code = $service_code AND country_id = $country_id
      AND operator_wanted IS NOT DISTINCT FROM $operator_wanted AND next_try_at < $next_try_at`,
    values: row,
  })
}
