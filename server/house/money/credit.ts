import type { Db } from '#server/house/db/pool.ts'

export type Adjustment = {
  userId: number
  /** A positive amount credits the user, and a negative amount debits the user. Zero is not allowed. */
  amountMicros: bigint
  idempotencyKey: string
  at: Date
}

/**
 * Changes the available balance by hand. `repeated` means that a used idempotency key moved no money. Null means that
 * there is no account, or too little balance for the debit.
 */
export async function adjustBalance(
  db: Db,
  input: Adjustment,
): Promise<{ availableMicros: bigint; repeated: boolean } | null> {
  const { rows } = await db.query<{ available_micros: bigint; repeated: boolean }>({
    text: `WITH spent AS (
      SELECT FROM transfers WHERE user_id = $userId AND idempotency_key = $idempotencyKey
    ), changed AS (
      UPDATE accounts SET available_micros = available_micros + $amountMicros
      WHERE user_id = $userId AND available_micros + $amountMicros >= 0 AND NOT EXISTS (SELECT FROM spent)
      RETURNING user_id, currency, available_micros
    ), moved AS (
      INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, idempotency_key, at)
      SELECT CASE WHEN $amountMicros > 0 THEN 'credit' ELSE 'debit' END, user_id,
        CASE WHEN $amountMicros > 0 THEN 'adjustments' ELSE 'available' END,
        CASE WHEN $amountMicros > 0 THEN 'available' ELSE 'adjustments' END,
        abs($amountMicros::bigint), currency, $idempotencyKey, $at
      FROM changed
    )
    SELECT available_micros, false AS repeated FROM changed
    UNION ALL
    SELECT available_micros, true FROM accounts WHERE user_id = $userId AND EXISTS (SELECT FROM spent)`,
    values: input,
  })
  const row = rows[0]
  if (row === undefined) return null
  return { availableMicros: row.available_micros, repeated: row.repeated }
}
