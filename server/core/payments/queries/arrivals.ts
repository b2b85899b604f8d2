import type { Db } from '#server/house/db/pool.ts'
import { OPEN_STATES } from './payments.ts'

/**
 * Returns the payment that arriving money belongs to: one open at the arrival, any open one, or the newest unpaid one.
 * The account must be locked.
 */
export async function findWaiting(
  tx: Db,
  input: { gatewayId: number; userId: number; system: string; at: Date; since: Date },
): Promise<string | null> {
  const { rows } = await tx.query<{ transaction_id: string }>({
    name: 'payment-waiting',
    text: `SELECT transaction_id FROM payments p WHERE user_id = $userId AND gateway_id = $gatewayId AND system = $system
        AND (p.${OPEN_STATES} OR state IN ('expired', 'failed', 'partial') AND created_at > $since)
      ORDER BY $at BETWEEN created_at AND expires_at DESC, p.${OPEN_STATES} DESC, id DESC LIMIT 1`,
    values: input,
  })
  return rows[0]?.transaction_id ?? null
}

export async function findIdByTransaction(db: Db, transactionId: string): Promise<bigint | null> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'payment-id-by-transaction',
    text: 'SELECT id FROM payments WHERE transaction_id = $1',
    values: [transactionId],
  })
  return rows[0]?.id ?? null
}
