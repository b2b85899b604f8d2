import type { Db } from '#server/house/db/pool.ts'

/** Returns a manual adjustment in micros, negative for a debit; null if the idempotency key is unused. */
export async function findAdjustment(
  db: Db,
  input: { userId: number; idempotencyKey: string },
): Promise<bigint | null> {
  const { rows } = await db.query<{ micros: bigint }>({
    text: `SELECT CASE kind WHEN 'credit' THEN amount_micros ELSE -amount_micros END AS micros FROM transfers
      WHERE user_id = $1 AND idempotency_key = $2 AND kind IN ('credit', 'debit')`,
    values: [input.userId, input.idempotencyKey],
  })
  return rows[0]?.micros ?? null
}
