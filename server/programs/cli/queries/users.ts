import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'

export type UserSheet = {
  id: number
  email: string | null
  name: string
  role: string
  zone: string
  locale: string
  created_at: Date
  signed_in_at: Date | null
  email_verified_at: Date | null
  blocked_at: Date | null
  two_factor: boolean
  identities: string[]
  passkeys: number
  api_key_since: Date | null
  sessions: number
  currency: Currency | null
  available_micros: bigint | null
  held_micros: bigint | null
  debt_micros: bigint | null
  open_numbers_limit: number | null
  day_spend_limit_micros: bigint | null
  /** The owner of the sandbox API keys that use this account. */
  sandbox_of: number | null
  /** The account that the user's sandbox API keys use. */
  sandbox: number | null
  open_activations: number
  open_rentals: number
  activations: number
  pauses: { pair: string; until: string }[]
}

/** Finds a user by id if `who` is digits, else by e-mail address. */
export async function findUserSheet(db: Db, who: string, now: Date): Promise<UserSheet | null> {
  const byId = /^\d{1,9}$/.test(who)
  const { rows } = await db.query<UserSheet>({
    text: `SELECT u.id, u.email, u.name, u.role, u.zone, u.locale, u.created_at, u.signed_in_at, u.email_verified_at, u.blocked_at,
        EXISTS (SELECT FROM two_factor f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS two_factor,
        ARRAY(SELECT provider FROM identities i WHERE i.user_id = u.id ORDER BY provider) AS identities,
        (SELECT count(*)::integer FROM passkeys k WHERE k.user_id = u.id) AS passkeys,
        (SELECT max(k.created_at) FROM api_keys k WHERE k.user_id = u.id AND k.revoked_at IS NULL) AS api_key_since,
        (SELECT count(*)::integer FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL) AS sessions,
        u.sandbox_of, (SELECT s.id FROM users s WHERE s.sandbox_of = u.id) AS sandbox, a.currency, a.available_micros, a.held_micros, a.debt_micros, a.open_numbers_limit, a.day_spend_limit_micros,
        (SELECT count(*)::integer FROM activations o WHERE o.user_id = u.id
          AND o.state IN (${sqlList(['reserving', ...ACTIVE_STATES])})) AS open_activations,
        (SELECT count(*)::integer FROM rentals r WHERE r.user_id = u.id AND r.state IN ('reserving', 'active')) AS open_rentals,
        (SELECT count(*)::integer FROM activations o WHERE o.user_id = u.id) AS activations,
        COALESCE((SELECT jsonb_agg(jsonb_build_object('pair', p.service_code || '/' || p.country_id, 'until', p.until) ORDER BY p.until)
          FROM purchase_pauses p WHERE p.user_id = u.id AND p.until > $2), '[]') AS pauses
      FROM users u LEFT JOIN accounts a ON a.user_id = u.id
      WHERE ${byId ? 'u.id = $1::integer' : 'lower(u.email) = lower($1)'}`,
    values: [who, now],
  })
  return rows[0] ?? null
}

export async function listErased(
  db: Db,
  input: { since: Date | null; limit: number },
): Promise<{ id: number; erased_at: Date }[]> {
  const { rows } = await db.query<{ id: number; erased_at: Date }>({
    text: `SELECT id, erased_at FROM users WHERE erased_at IS NOT NULL AND sandbox_of IS NULL AND ($since::timestamptz IS NULL OR erased_at >= $since)
      ORDER BY erased_at DESC, id LIMIT $limit`,
    values: input,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

/**
 * Returns true if a restored database contains the deleted account again. A newer account with the same id does not
 * count.
 */
export async function hasComeBack(db: Db, input: { userId: number; erasedAt: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'SELECT FROM users WHERE id = $userId AND erased_at IS NULL AND created_at <= $erasedAt',
    values: input,
  })
  return rowCount === 1
}
