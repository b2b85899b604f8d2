import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/db/pool.ts'

export type SessionOwner = {
  session_id: bigint
  user_id: number
  role: 'user' | 'operator'
  currency: Currency
  locale: Locale
  access_expires_at: Date
}

const OWNER = `s.id AS session_id, s.user_id, u.role, a.currency, u.locale, s.access_expires_at`
const ALIVE = `s.revoked_at IS NULL AND u.blocked_at IS NULL`

/** Whose access token this is, by its SHA-256. Expired, revoked and blocked ones are nobody's. */
export async function findByAccessToken(db: Db, input: { hash: Buffer; now: Date }): Promise<SessionOwner | null> {
  const { rows } = await db.query<SessionOwner>({
    name: 'session-by-access',
    text: `SELECT ${OWNER} FROM sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
      WHERE s.access_hash = $1 AND s.access_expires_at > $2 AND ${ALIVE}`,
    values: [input.hash, input.now],
  })
  return rows[0] ?? null
}

/** Whose unspent refresh token this is. Looking does not spend it. */
export async function findByRefreshToken(db: Db, input: { hash: Buffer; now: Date }): Promise<SessionOwner | null> {
  const { rows } = await db.query<SessionOwner>({
    name: 'session-by-refresh',
    text: `SELECT ${OWNER} FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
      JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
      WHERE r.hash = $1 AND r.spent_at IS NULL AND r.expires_at > $2 AND ${ALIVE}`,
    values: [input.hash, input.now],
  })
  return rows[0] ?? null
}

export type NewTokens = {
  accessHash: Buffer
  accessExpiresAt: Date
  refreshHash: Buffer
  refreshExpiresAt: Date
}

export async function insertSession(
  db: Db,
  input: NewTokens & { userId: number; userAgent: string; address: string; now: Date },
): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'session-insert',
    text: `WITH made AS (
      INSERT INTO sessions (user_id, access_hash, access_expires_at, user_agent, address, created_at, last_used_at)
      VALUES ($1, $2, $3, $6, $7, $8, $8) RETURNING id
    ), token AS (
      INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $4, id, $5 FROM made
    )
    SELECT id FROM made`,
    values: [
      input.userId,
      input.accessHash,
      input.accessExpiresAt,
      input.refreshHash,
      input.refreshExpiresAt,
      input.userAgent,
      input.address,
      input.now,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('inserting a session returned nothing')
  return row.id
}

/** Spends a refresh token and puts its successor in place, once: null when it was spent, expired or revoked before. */
export async function rotate(
  db: Db,
  input: NewTokens & { spentHash: Buffer; now: Date },
): Promise<{ sessionId: bigint } | null> {
  const { rows } = await db.query<{ session_id: bigint }>({
    name: 'session-rotate',
    text: `WITH spent AS (
      UPDATE refresh_tokens r SET spent_at = $6 FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE r.hash = $1 AND r.spent_at IS NULL AND r.expires_at > $6 AND s.id = r.session_id AND ${ALIVE}
      RETURNING r.session_id
    ), renewed AS (
      UPDATE sessions SET access_hash = $2, access_expires_at = $3, last_used_at = $6
      FROM spent WHERE sessions.id = spent.session_id
    ), token AS (
      INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $4, session_id, $5 FROM spent
    )
    SELECT session_id FROM spent`,
    values: [
      input.spentHash,
      input.accessHash,
      input.accessExpiresAt,
      input.refreshHash,
      input.refreshExpiresAt,
      input.now,
    ],
  })
  const row = rows[0]
  return row === undefined ? null : { sessionId: row.session_id }
}

/** A token that was spent: when, and of which session, if that is still alive. */
export async function findSpent(
  db: Db,
  hash: Buffer,
): Promise<{ sessionId: bigint; userId: number; spentAt: Date } | null> {
  const { rows } = await db.query<{ session_id: bigint; user_id: number; spent_at: Date }>({
    text: `SELECT r.session_id, s.user_id, r.spent_at FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
      WHERE r.hash = $1 AND r.spent_at IS NOT NULL AND s.revoked_at IS NULL`,
    values: [hash],
  })
  const row = rows[0]
  return row === undefined ? null : { sessionId: row.session_id, userId: row.user_id, spentAt: row.spent_at }
}

export async function revokeSession(db: Db, input: { sessionId: bigint; now: Date }): Promise<void> {
  await db.query({
    text: 'UPDATE sessions SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL',
    values: [input.sessionId, input.now],
  })
}
