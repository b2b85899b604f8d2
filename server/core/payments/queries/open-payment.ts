import type { Db } from '#server/house/db/pool.ts'
import { COLUMNS, OPEN_STATES, type PaymentRow } from './payments.ts'

export async function findOpenBySystem(
  tx: Db,
  input: { userId: number; gatewayId: number; system: string },
): Promise<PaymentRow | null> {
  const { rows } = await tx.query<PaymentRow>({
    name: 'payment-open-by-system',
    text: `SELECT ${COLUMNS} FROM payments p WHERE user_id = $userId AND gateway_id = $gatewayId AND system = $system
        AND p.${OPEN_STATES} ORDER BY id DESC LIMIT 1`,
    values: input,
  })
  return rows[0] ?? null
}

/**
 * Locks the user's open payments by one payment system. Call it before locking the account. Payments begun in between
 * need no lock.
 */
export async function lockOpenBySystem(
  tx: Db,
  input: { userId: number; gatewayId: number; system: string },
): Promise<void> {
  await tx.query({
    name: 'payment-open-lock',
    text: `SELECT FROM payments WHERE user_id = $userId AND gateway_id = $gatewayId AND system = $system
        AND ${OPEN_STATES} ORDER BY id FOR NO KEY UPDATE`,
    values: input,
  })
}

/** Stores an idempotency key, so that a repeated request finds the payment that answered the first request. */
export async function rememberKey(
  tx: Db,
  input: { userId: number; key: string; paymentId: bigint; inputHash: string; now: Date },
): Promise<void> {
  await tx.query({
    name: 'payment-key-remember',
    text: `INSERT INTO payment_keys (user_id, idempotency_key, payment_id, input_hash, at)
      VALUES ($userId, $key, $paymentId, $inputHash, $now)`,
    values: input,
  })
}
