import type { Db } from '#server/house/db/pool.ts'
import { deltaOf } from '#server/house/money/checked-rows.ts'

/**
 * Locks the demo's mark, so that nodes that start together fill it once. Returns true if nothing was bought or paid yet
 * and no history was made.
 */
export async function claimPast(tx: Db): Promise<boolean> {
  await tx.query({ text: `SELECT FROM settings WHERE key = 'demo' FOR UPDATE` })
  const { rows } = await tx.query<{ free: boolean }>({
    text: `SELECT NOT EXISTS (SELECT FROM settings WHERE key = 'demo_past') AND NOT EXISTS (SELECT FROM transfers) AS free`,
  })
  return rows[0]?.free ?? false
}

export async function notePast(tx: Db, now: Date): Promise<void> {
  await tx.query({
    text: `INSERT INTO settings (key, value, updated_at) VALUES ('demo_past', 'true', $1)`,
    values: [now],
  })
}

export async function findPastNeeds(
  tx: Db,
  buyerId: number,
): Promise<{ sandbox: number; voucher: number; supplierId: number; apiKeyId: number; rubPerUsdMicros: bigint }> {
  const { rows } = await tx.query<{
    sandbox: number
    voucher: number
    supplier_id: number
    api_key_id: number
    rub_per_usd: bigint
  }>({
    text: `SELECT (SELECT id FROM gateways WHERE code = 'sandbox') AS sandbox, (SELECT id FROM gateways WHERE code = 'voucher') AS voucher,
      (SELECT id FROM suppliers WHERE code = 'simulator') AS supplier_id,
      (SELECT max(id) FROM api_keys WHERE user_id = $1 AND by_staff AND revoked_at IS NULL) AS api_key_id,
      (SELECT rub_micros FROM exchange_rates WHERE currency = 'usd') AS rub_per_usd`,
    values: [buyerId],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the demo has nothing to make a history of')
  const { sandbox, voucher, supplier_id: supplierId, api_key_id: apiKeyId, rub_per_usd: rubPerUsdMicros } = row
  return { sandbox, voucher, supplierId, apiKeyId, rubPerUsdMicros }
}

/** Sets each balance to the sum of the account's transfers. */
export async function sumBalances(tx: Db): Promise<void> {
  await tx.query({
    text: `UPDATE accounts a SET available_micros = sums.available, held_micros = sums.held
      FROM (SELECT user_id, sum(${deltaOf('available')})::bigint AS available, sum(${deltaOf('held')})::bigint AS held
        FROM transfers GROUP BY user_id) sums
      WHERE a.user_id = sums.user_id`,
  })
}

/** A person was there before the first purchase. */
export async function ageUser(tx: Db, input: { userId: number; createdAt: Date }): Promise<void> {
  await tx.query({
    text: 'UPDATE users SET created_at = $createdAt, email_verified_at = $createdAt, signed_in_at = $createdAt WHERE id = $userId',
    values: input,
  })
}

export async function noteKeyUse(tx: Db, input: { keyId: number; at: Date }): Promise<void> {
  await tx.query({ text: 'UPDATE api_keys SET last_used_at = $at WHERE id = $keyId', values: input })
}
