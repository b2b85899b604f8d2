import type { Currency } from '#contract/money.ts'
import type { DisputeState, PaymentState } from '#contract/payment.ts'
import type { Guidance, PaymentOrder } from '#server/core/gateways/gateway.ts'
import type { Db } from '#server/house/db/pool.ts'
import { UNKNOWN_AFTER_MS } from '../check-times.ts'
import { STILL_PROMISED } from './bonuses.ts'

/** The details of the first request, stored until the gateway answers, because a repeat must send equal details. */
export type BeginDetails = Pick<PaymentOrder, 'locale' | 'returnUrl' | 'email'>

export type PaymentRow = {
  id: bigint
  transaction_id: string
  user_id: number
  gateway_id: number
  system: string
  state: PaymentState
  amount_micros: bigint
  currency: Currency
  fee_points: number
  bonus_points: number
  bonus_rule_id: number | null
  rule_bonus_micros: bigint
  provider_id: string | null
  guidance: Guidance | null
  confirmations: { seen: number; needed: number } | null
  input_hash: string | null
  press: BeginDetails | null
  created_at: Date
  expires_at: Date
  paid_at: Date | null
  checks: number
}

export type ShownPayment = PaymentRow & {
  received_micros: bigint
  refunded_micros: bigint
  fee_micros: bigint
  bonus_micros: bigint
  rounding_micros: bigint
  promised_micros: bigint
  is_closed: boolean
  dispute: DisputeState | null
}

export const COLUMNS = `p.id, p.transaction_id, p.user_id, p.gateway_id, p.system, p.state, p.amount_micros, p.currency, p.fee_points,
  p.bonus_points, p.bonus_rule_id, p.rule_bonus_micros, p.provider_id, p.guidance, p.confirmations, p.input_hash, p.press, p.created_at,
  p.expires_at, p.paid_at, p.checks`

const sumOf = (plus: string, minus: string) => `COALESCE((SELECT sum(CASE WHEN kind IN (${plus}) THEN amount_micros
    WHEN kind IN (${minus}) THEN -amount_micros ELSE 0 END) FROM transfers t WHERE t.payment_id = p.id), 0)::bigint`
/** Returns SQL for the state of a payment's dispute; with several, an open or lost one comes first. */
export const disputeOf = (
  alias: string,
) => `(SELECT r.state FROM reversals r WHERE r.payment_id = ${alias}.id AND r.kind = 'dispute'
    ORDER BY r.state = 'open' DESC, r.state = 'lost' DESC LIMIT 1)`
const SHOWN = `${COLUMNS}, p.state = 'expired' AND p.closed_at IS NOT NULL AS is_closed, ${disputeOf('p')} AS dispute,
  ${sumOf(`'topup', 'voucher'`, `''`)} AS received_micros, ${sumOf(`'fee'`, `'fee_back'`)} AS fee_micros,
  ${sumOf(`'payment_refund', 'dispute'`, `'payment_refund_failed', 'dispute_won'`)} AS refunded_micros,
  ${sumOf(`'bonus'`, `'bonus_back'`)} AS bonus_micros, ${sumOf(`'rounding'`, `''`)} AS rounding_micros,
  ${STILL_PROMISED} AS promised_micros`

export const OPEN_STATES = `state IN ('created', 'pending', 'confirming')`

/** Stores a payment. Returns null if the account already has `openLimit` open payments. The account must be locked. */
export async function insertPayment(
  tx: Db,
  input: {
    transactionId: string
    userId: number
    gatewayId: number
    system: string
    amountMicros: bigint
    currency: Currency
    feePoints: number
    bonusPoints: number
    bonusRuleId?: number | null
    ruleBonusMicros?: bigint
    idempotencyKey: string | null
    inputHash: string | null
    network: string | null
    press?: BeginDetails
    openLimit: number
    now: Date
    expiresAt: Date
    nextCheckAt: Date | null
  },
): Promise<PaymentRow | null> {
  const { rows } = await tx.query<PaymentRow>({
    name: 'payment-insert',
    text: `INSERT INTO payments AS p (transaction_id, user_id, gateway_id, system, state, amount_micros, currency, fee_points,
        bonus_points, bonus_rule_id, rule_bonus_micros, idempotency_key, input_hash, network, press, created_at, expires_at, next_check_at)
      SELECT $transactionId, $userId, $gatewayId, $system, 'created', $amountMicros, $currency, $feePoints, $bonusPoints, $bonusRuleId,
        $ruleBonusMicros, $idempotencyKey, $inputHash, $network, $press, $now, $expiresAt, $nextCheckAt
      WHERE (SELECT count(*) FROM payments WHERE user_id = $userId AND ${OPEN_STATES}
          AND (state <> 'created' OR created_at > $unansweredSince)) < $openLimit
      RETURNING ${COLUMNS}`,
    values: {
      bonusRuleId: null,
      ruleBonusMicros: 0n,
      ...input,
      press: input.press === undefined ? null : JSON.stringify(input.press),
      // Payments without a gateway's answer soon leave the limit of open payments, so that a payer may switch gateways.
      unansweredSince: new Date(input.now.getTime() - UNKNOWN_AFTER_MS),
    },
  })
  return rows[0] ?? null
}

export async function lockPayment(tx: Db, id: bigint): Promise<PaymentRow | null> {
  const { rows } = await tx.query<PaymentRow>({
    name: 'payment-lock',
    text: `SELECT ${COLUMNS} FROM payments p WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function storeSettled(
  tx: Db,
  input: {
    id: bigint
    state: PaymentState
    confirmations: PaymentRow['confirmations']
    paidAt: Date | null
    nextCheckAt: Date | null
  },
): Promise<PaymentRow> {
  const { rows } = await tx.query<PaymentRow>({
    name: 'payment-settled',
    text: `UPDATE payments p SET state = $state, confirmations = $confirmations, paid_at = $paidAt, next_check_at = $nextCheckAt,
        press = CASE $state WHEN 'created' THEN press END,
        checks = checks + 1
      WHERE id = $id RETURNING ${COLUMNS}`,
    values: { ...input, confirmations: input.confirmations && JSON.stringify(input.confirmations) },
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the locked payment is gone')
  return row
}

export async function findPayment(db: Db, id: bigint): Promise<PaymentRow | null> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment-find',
    text: `SELECT ${COLUMNS} FROM payments p WHERE id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function findPaymentByKey(db: Db, input: { userId: number; key: string }): Promise<PaymentRow | null> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment-by-key',
    text: `SELECT ${COLUMNS} FROM payments p WHERE user_id = $userId AND idempotency_key = $key
      UNION ALL SELECT ${COLUMNS.replace('p.input_hash', 'k.input_hash')} FROM payment_keys k JOIN payments p ON p.id = k.payment_id
        WHERE k.user_id = $userId AND k.idempotency_key = $key
      LIMIT 1`,
    values: input,
  })
  return rows[0] ?? null
}

export async function findShown(
  db: Db,
  input: { userId: number; transactionId: string },
): Promise<ShownPayment | null> {
  const { rows } = await db.query<ShownPayment>({
    name: 'payment-shown',
    text: `SELECT ${SHOWN} FROM payments p WHERE user_id = $userId AND transaction_id = $transactionId`,
    values: input,
  })
  return rows[0] ?? null
}

export async function listOpenPayments(db: Db, input: { userId: number; limit: number }): Promise<ShownPayment[]> {
  const { rows } = await db.query<ShownPayment>({
    name: 'payments-open',
    text: `SELECT ${SHOWN} FROM payments p WHERE user_id = $userId AND p.${OPEN_STATES} ORDER BY id DESC LIMIT $limit`,
    values: input,
  })
  return rows
}

export type PaymentsWanted = {
  userId: number
  from: Date | null
  until: Date | null
  search: string | null
  systems: string[]
  transactionId: string | null
}

const WANTED = `user_id = $userId AND ($from::timestamptz IS NULL OR created_at >= $from)
    AND ($until::timestamptz IS NULL OR created_at < $until)
    AND ($transactionId::text IS NULL OR transaction_id = $transactionId)
    AND ($search::text IS NULL OR transaction_id ILIKE $search OR system = ANY($systems::text[]))`

export async function listPayments(
  db: Db,
  input: PaymentsWanted & { offset: number; limit: number },
): Promise<ShownPayment[]> {
  const { rows } = await db.query<ShownPayment>({
    name: 'payments-list',
    text: `WITH page AS (SELECT id FROM payments WHERE ${WANTED} ORDER BY id DESC OFFSET $offset LIMIT $limit)
      SELECT ${SHOWN} FROM page JOIN payments p USING (id) ORDER BY p.id DESC`,
    values: input,
  })
  return rows
}

export async function countPayments(db: Db, input: PaymentsWanted): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'payments-count',
    text: `SELECT count(*) FROM payments WHERE ${WANTED}`,
    values: input,
  })
  return Number(rows[0]?.count ?? 0n)
}

/** Closes an open payment; money that still arrives is credited. Returns null if it is not open or has expired. */
export async function closePayment(
  db: Db,
  input: { userId: number; transactionId: string; now: Date },
): Promise<PaymentRow | null> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment-close',
    text: `UPDATE payments p SET state = 'expired', expires_at = LEAST(expires_at, $now), payable_until = expires_at,
        closed_at = CASE WHEN $now < expires_at THEN $now::timestamptz END, press = NULL
      WHERE user_id = $userId AND transaction_id = $transactionId AND p.${OPEN_STATES} AND state <> 'confirming'
      RETURNING ${COLUMNS}`,
    values: input,
  })
  return rows[0] ?? null
}

export async function noteUnpayable(db: Db, id: bigint): Promise<void> {
  await db.query({
    name: 'payment-unpayable',
    text: 'UPDATE payments SET payable_until = NULL WHERE id = $1',
    values: [id],
  })
}

/** Lists payments whose next check is due, at most `limit` of each gateway, so that no gateway crowds out others. */
export async function listDuePayments(
  db: Db,
  input: { now: Date; limit: number },
): Promise<{ id: bigint; gateway_id: number }[]> {
  const { rows } = await db.query<{ id: bigint; gateway_id: number }>({
    name: 'payments-due',
    text: `SELECT due.id, g.id AS gateway_id FROM gateways g CROSS JOIN LATERAL (SELECT id FROM payments
        WHERE gateway_id = g.id AND next_check_at <= $now ORDER BY next_check_at LIMIT $limit) due`,
    values: input,
  })
  return rows
}

export async function leaseCheck(db: Db, input: { id: bigint; nextCheckAt: Date }): Promise<void> {
  await db.query({
    name: 'payment-lease',
    text: 'UPDATE payments SET next_check_at = $nextCheckAt WHERE id = $id',
    values: input,
  })
}

export async function postponeCheck(db: Db, input: { id: bigint; nextCheckAt: Date | null }): Promise<void> {
  await db.query({
    name: 'payment-postpone',
    text: 'UPDATE payments SET next_check_at = $nextCheckAt, checks = checks + 1 WHERE id = $id',
    values: input,
  })
}
