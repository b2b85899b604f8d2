import type { Guidance } from '#server/core/gateways/gateway.ts'
import type { Db } from '#server/house/db/pool.ts'
import { COLUMNS, type PaymentRow } from './payments.ts'

/**
 * Returns the sum, in micros, of a user's payments by one payment system that are or can be paid. Returns null if the
 * user is no longer new.
 */
export async function sumOfNewAccount(
  tx: Db,
  input: { userId: number; system: string; youngerThan: Date; now: Date },
): Promise<bigint | null> {
  const { rows } = await tx.query<{ micros: bigint }>({
    name: 'payments-of-new-account',
    text: `SELECT (SELECT COALESCE(sum(amount_micros), 0) FROM payments WHERE user_id = u.id AND system = $system
        AND (state NOT IN ('failed', 'expired') OR state = 'expired' AND payable_until > $now))::bigint AS micros
      FROM users u WHERE id = $userId AND created_at > $youngerThan`,
    values: input,
  })
  return rows[0]?.micros ?? null
}

/** Stores the gateway's reply. The state changes only from `created`, because a webhook may have changed it earlier. */
export async function storeBegun(
  db: Db,
  input: { id: bigint; providerId: string; guidance: Guidance; nextCheckAt: Date | null },
): Promise<PaymentRow | null> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment-begun',
    text: `UPDATE payments p SET provider_id = COALESCE(provider_id, $providerId), guidance = $guidance, press = NULL,
        next_check_at = CASE state WHEN 'created' THEN $nextCheckAt ELSE next_check_at END,
        state = CASE state WHEN 'created' THEN 'pending' ELSE state END
      WHERE id = $id RETURNING ${COLUMNS}`,
    values: { ...input, guidance: JSON.stringify(input.guidance) },
  })
  return rows[0] ?? null
}

/** Releases the idempotency keys of a payment, so that a repeated request begins a new payment. */
export async function releaseKeys(db: Db, id: bigint): Promise<void> {
  await db.query({
    name: 'payment-release-keys',
    text: `WITH gone AS (DELETE FROM payment_keys WHERE payment_id = $1)
      UPDATE payments SET idempotency_key = NULL WHERE id = $1`,
    values: [id],
  })
}
