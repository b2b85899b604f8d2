import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type ReversalKind = 'refund' | 'dispute'
export type ReversalState = 'asked' | 'done' | 'failed' | 'open' | 'won' | 'lost'
export type ReversalRow = {
  id: bigint
  payment_id: bigint
  kind: ReversalKind
  state: ReversalState
  provider_id: string | null
  amount_micros: bigint
  bonus_micros: bigint
  fee_micros: bigint
  /** True if the refund, when stored, left a part of the payment unrefunded. */
  is_part: boolean
  cancel_at: Date | null
}

const REVERSAL = 'id, payment_id, kind, state, provider_id, amount_micros, bonus_micros, fee_micros, is_part, cancel_at'

/** Stores a deposit. Returns null if it was credited before, for any payment. */
export async function insertDeposit(
  tx: Db,
  input: {
    paymentId: bigint
    gatewayId: number
    providerId: string
    amountMicros: bigint
    /**
     * The deposit's value less the whole cents credited for it. Negative if earlier fractions helped to make a cent.
     */
    restMicros: bigint
    currency: Currency
    payerHash: Buffer | null
    now: Date
  },
): Promise<bigint | null> {
  const { rows } = await tx.query<{ id: bigint }>({
    name: 'deposit-insert',
    text: `INSERT INTO deposits (payment_id, gateway_id, provider_id, amount_micros, rest_micros, currency, payer_hash, at)
      VALUES ($paymentId, $gatewayId, $providerId, $amountMicros, $restMicros, $currency, $payerHash, $now)
      ON CONFLICT ON CONSTRAINT deposits_once DO NOTHING RETURNING id`,
    values: input,
  })
  return rows[0]?.id ?? null
}

/**
 * Returns which of the deposits `providerIds` were credited before, for any payment. The gateway reports all deposits
 * each time.
 */
export async function listKnownDeposits(
  tx: Db,
  input: { gatewayId: number; providerIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (input.providerIds.length === 0) return new Set()
  const { rows } = await tx.query<{ provider_id: string }>({
    name: 'deposits-known',
    text: 'SELECT provider_id FROM deposits WHERE gateway_id = $1 AND provider_id = ANY ($2)',
    values: [input.gatewayId, input.providerIds],
  })
  return new Set(rows.map((row) => row.provider_id))
}

export async function findDeposit(
  db: Db,
  input: { gatewayId: number; providerId: string },
): Promise<{ payment_id: bigint; amount_micros: bigint } | null> {
  const { rows } = await db.query<{ payment_id: bigint; amount_micros: bigint }>({
    name: 'deposit-find',
    text: 'SELECT payment_id, amount_micros FROM deposits WHERE gateway_id = $gatewayId AND provider_id = $providerId',
    values: input,
  })
  return rows[0] ?? null
}

export type SumArrived = {
  arrivedMicros: bigint
  /** The sum of fractions of all deposits that does not make a whole cent yet. */
  restMicros: bigint
  bonusMicros: bigint
  feeMicros: bigint
  hadBonus: boolean
}

/** Returns the money that has arrived for a payment, its bonus and its fee, in micros. Reversals do not reduce them. */
export async function sumArrived(tx: Db, paymentId: bigint): Promise<SumArrived> {
  const { rows } = await tx.query<SumArrived>({
    name: 'payment-arrived',
    text: `SELECT COALESCE(sum(amount_micros) FILTER (WHERE kind IN ('topup', 'voucher')), 0)::bigint AS "arrivedMicros",
        COALESCE(sum(amount_micros) FILTER (WHERE kind = 'bonus' AND reversal_id IS NULL), 0)::bigint AS "bonusMicros",
        COALESCE(sum(amount_micros) FILTER (WHERE kind = 'fee' AND reversal_id IS NULL), 0)::bigint AS "feeMicros",
        COALESCE(bool_or(kind = 'bonus'), false) AS "hadBonus",
        (SELECT COALESCE(sum(rest_micros), 0) FROM deposits WHERE payment_id = $1)::bigint AS "restMicros"
      FROM transfers WHERE payment_id = $1`,
    values: [paymentId],
  })
  return rows[0] ?? { arrivedMicros: 0n, restMicros: 0n, bonusMicros: 0n, feeMicros: 0n, hadBonus: false }
}

export async function listReversals(tx: Db, paymentId: bigint): Promise<ReversalRow[]> {
  const { rows } = await tx.query<ReversalRow>({
    name: 'payment-reversals',
    text: `SELECT ${REVERSAL} FROM reversals WHERE payment_id = $1 ORDER BY id`,
    values: [paymentId],
  })
  return rows
}

export async function hasAwaitedReversal(db: Db, paymentId: bigint): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'payment-awaited-reversal',
    text: `SELECT FROM reversals WHERE payment_id = $1 AND state IN ('asked', 'open') LIMIT 1`,
    values: [paymentId],
  })
  return rowCount > 0
}

export async function insertReversal(
  tx: Db,
  input: {
    paymentId: bigint
    gatewayId: number
    kind: ReversalKind
    state: ReversalState
    providerId: string | null
    amountMicros: bigint
    currency: Currency
    isPart: boolean
    now: Date
  },
): Promise<ReversalRow> {
  const { rows } = await tx.query<ReversalRow>({
    name: 'reversal-insert',
    text: `INSERT INTO reversals (payment_id, gateway_id, kind, state, provider_id, amount_micros, currency, is_part, at)
      VALUES ($paymentId, $gatewayId, $kind, $state, $providerId, $amountMicros, $currency, $isPart, $now)
      RETURNING ${REVERSAL}`,
    values: input,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('a reversal was not inserted')
  return row
}

export async function updateReversal(
  tx: Db,
  input: { id: bigint; state: ReversalState; providerId: string | null; now: Date },
): Promise<void> {
  await tx.query({
    name: 'reversal-update',
    text: `UPDATE reversals SET state = $state, provider_id = COALESCE(provider_id, $providerId),
        settled_at = CASE WHEN $state IN ('asked', 'open') THEN NULL ELSE $now::timestamptz END
      WHERE id = $id`,
    values: input,
  })
}

/** Stores the parts of bonus and fee that a reversal moves. The caller moves equal amounts in the same transaction. */
export async function storeShares(
  tx: Db,
  input: { id: bigint; bonusMicros: bigint; feeMicros: bigint },
): Promise<void> {
  await tx.query({
    name: 'reversal-shares',
    text: 'UPDATE reversals SET bonus_micros = $bonusMicros, fee_micros = $feeMicros WHERE id = $id',
    values: input,
  })
}

/**
 * Stores the gateway's answer to a refund. Returns false if the refund already has an answer, or `providerId` belongs
 * to another refund.
 */
export async function storeRefundAnswer(
  db: Db,
  input: { id: bigint; state: 'asked' | 'done'; providerId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'refund-answer',
    text: `UPDATE reversals r SET state = $state, provider_id = $providerId,
        settled_at = CASE $state WHEN 'asked' THEN NULL ELSE $now::timestamptz END
      WHERE id = $id AND state = 'asked' AND provider_id IS NULL AND NOT EXISTS (SELECT FROM reversals other
        WHERE other.gateway_id = r.gateway_id AND other.kind = r.kind AND other.provider_id = $providerId)`,
    values: input,
  })
  return rowCount === 1
}

export async function findReversal(db: Db, id: bigint): Promise<ReversalRow | null> {
  const { rows } = await db.query<ReversalRow>({
    text: `SELECT ${REVERSAL} FROM reversals WHERE id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** Lists accounts that have both a debt and a balance to repay it, because money came back without a new payment. */
export async function listDebtors(db: Db, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ user_id: number }>({
    name: 'debtors',
    text: 'SELECT user_id FROM accounts WHERE debt_micros > 0 AND available_micros > 0 ORDER BY user_id LIMIT $1',
    values: [limit],
  })
  return rows.map((row) => row.user_id)
}

export async function hasLeft(tx: Db, userId: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'payment-payer-left',
    text: 'SELECT FROM users WHERE id = $1 AND erased_at IS NOT NULL',
    values: [userId],
  })
  return rowCount === 1
}
