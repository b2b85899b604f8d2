import type { Db } from '#server/house/db/pool.ts'

/** Limits of an account. Null means the configured limit; `NO_OPEN_LIMIT` and `NO_SPEND_LIMIT` mean no limit. */
export type AccountLimits = { openNumbers: number | null; daySpendMicros: bigint | null }

/** The maximum value of a column means that there is no limit (migrations/0033_limits.sql). */
export const NO_OPEN_LIMIT = 2_147_483_647
export const NO_SPEND_LIMIT = 9_223_372_036_854_775_807n

export async function lockLimits(tx: Db, userId: number): Promise<AccountLimits> {
  const { rows } = await tx.query<{ open_numbers_limit: number | null; day_spend_limit_micros: bigint | null }>({
    text: 'SELECT open_numbers_limit, day_spend_limit_micros FROM accounts WHERE user_id = $1 FOR UPDATE',
    values: [userId],
  })
  return {
    openNumbers: rows[0]?.open_numbers_limit ?? null,
    daySpendMicros: rows[0]?.day_spend_limit_micros ?? null,
  }
}

export async function setLimits(tx: Db, input: AccountLimits & { userId: number }): Promise<void> {
  await tx.query({
    text: 'UPDATE accounts SET open_numbers_limit = $2, day_spend_limit_micros = $3 WHERE user_id = $1',
    values: [input.userId, input.openNumbers, input.daySpendMicros],
  })
}

/** Blocks or unblocks a service. Returns null if the service does not exist. */
export async function setServiceBlocked(
  tx: Db,
  input: { code: string; blockedAt: Date | null },
): Promise<{ name: string; changed: boolean } | null> {
  const { rows } = await tx.query<{ name_en: string; changed: boolean }>({
    text: `WITH before AS (SELECT code, name_en, blocked_at FROM services WHERE code = $1 FOR UPDATE), changed AS (
      UPDATE services SET blocked_at = $2 FROM before
      WHERE services.code = before.code AND (before.blocked_at IS NULL) <> ($2::timestamptz IS NULL) RETURNING services.code
    )
    SELECT name_en, EXISTS (SELECT FROM changed) AS changed FROM before`,
    values: [input.code, input.blockedAt],
  })
  const row = rows[0]
  return row === undefined ? null : { name: row.name_en, changed: row.changed }
}
