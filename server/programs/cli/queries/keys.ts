import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type KeySheet = {
  id: number
  user_id: number
  email: string | null
  name: string
  by_staff: boolean
  sandbox: boolean
  scopes: string[]
  addresses: string[]
  day_limit_micros: bigint | null
  currency: Currency | null
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

/** Lists API keys with ids below `after`, newest first, of one user or (with a null `userId`) of all. */
export async function listKeySheets(
  db: Db,
  input: { userId: number | null; after: bigint | null; limit: number },
): Promise<KeySheet[]> {
  const { rows } = await db.query<KeySheet>({
    text: `SELECT k.id, k.user_id, u.email, k.name, k.by_staff, k.sandbox, k.scopes, k.addresses, k.day_limit_micros, a.currency,
        k.created_at, k.last_used_at, k.revoked_at
      FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN accounts a ON a.user_id = k.user_id
      WHERE ($1::integer IS NULL OR k.user_id = $1) AND ($2::bigint IS NULL OR k.id < $2)
      ORDER BY k.id DESC LIMIT $3`,
    values: [input.userId, input.after, input.limit],
  })
  return rows
}

export async function findKeySheet(db: Db, id: number): Promise<{ user_id: number; name: string } | null> {
  const { rows } = await db.query<{ user_id: number; name: string }>({
    text: 'SELECT user_id, name FROM api_keys WHERE id = $1',
    values: [id],
  })
  return rows[0] ?? null
}
