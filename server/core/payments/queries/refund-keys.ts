import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { ReversalState } from './money.ts'

export type EarlierRefund = {
  id: bigint
  payment_id: bigint
  state: ReversalState
  amount_micros: bigint
  input_hash: string | null
  at: Date
}

const COLUMNS = 'id, payment_id, state, amount_micros, input_hash, at'

export async function findRefundByKey(tx: Db, key: string): Promise<EarlierRefund | null> {
  const { rows } = await tx.query<EarlierRefund>({
    name: 'refund-by-key',
    text: `SELECT ${COLUMNS} FROM reversals WHERE idempotency_key = $1`,
    values: [key],
  })
  return rows[0] ?? null
}

/** Returns the payment's newest refund of `amountMicros` that has not failed. The payment must be locked. */
export async function findSameRefund(
  tx: Db,
  input: { paymentId: bigint; amountMicros: bigint; since: Date },
): Promise<EarlierRefund | null> {
  const { rows } = await tx.query<EarlierRefund>({
    name: 'refund-same',
    text: `SELECT ${COLUMNS} FROM reversals WHERE payment_id = $paymentId AND kind = 'refund' AND state <> 'failed'
        AND amount_micros = $amountMicros AND at > $since ORDER BY id DESC LIMIT 1`,
    values: input,
  })
  return rows[0] ?? null
}

/** Stores an idempotency key. Returns false and leaves the transaction aborted if another payment took the key. */
export async function storeRefundKey(tx: Db, input: { id: bigint; key: string; inputHash: string }): Promise<boolean> {
  try {
    await tx.query({
      name: 'refund-key',
      text: 'UPDATE reversals SET idempotency_key = $key, input_hash = $inputHash WHERE id = $id',
      values: input,
    })
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'reversals_idempotency')) return false
    throw error
  }
}
