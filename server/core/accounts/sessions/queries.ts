import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import type { InterfaceLocale } from '#contract/settings/languages.ts'
import type { UserRole } from '#contract/user.ts'
import { dropSubscriptions } from '#server/core/notifications/push/queries/drop-sql.ts'
import type { Db } from '#server/house/db/pool.ts'

export type SessionOwner = {
  session_id: bigint
  user_id: number
  role: UserRole
  currency: Currency
  locale: Locale
  access_expires_at: Date
  last_used_at: Date
  blocked: boolean
}

const OWNER = `s.id AS session_id, s.user_id, u.role, a.currency, u.locale, s.access_expires_at, s.last_used_at,
  u.blocked_at IS NOT NULL AS blocked`
const ALIVE = `s.revoked_at IS NULL AND u.erased_at IS NULL`

/** Returns the owner of an access token, even a blocked user; null if the token has expired or was revoked. */
export async function findByAccessToken(db: Db, input: { hash: Buffer; now: Date }): Promise<SessionOwner | null> {
  const { rows } = await db.query<SessionOwner>({
    name: 'session-by-access',
    text: `SELECT ${OWNER} FROM sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.user_id = u.id
      WHERE s.access_hash = $1 AND s.access_expires_at > $2 AND ${ALIVE}`,
    values: [input.hash, input.now],
  })
  return rows[0] ?? null
}

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

export type PersonSigningIn = {
  email: string | null
  locale: Locale
  /** The language that the user chose for the interface. Null if the language came from the registration page. */
  chosenLocale: InterfaceLocale | null
  timeZone: string | null
  passwordHash: string | null
  signedInBefore: boolean
}

export async function noteSignIn(tx: Db, input: { userId: number; now: Date }): Promise<PersonSigningIn | null> {
  const { rows } = await tx.query<PersonSigningIn>({
    name: 'session-note-sign-in',
    text: `WITH person AS (
      SELECT id, email, locale, password_hash AS "passwordHash", signed_in_at IS NOT NULL AS "signedInBefore",
        settings ->> 'locale' AS "chosenLocale", settings ->> 'time_zone' AS "timeZone"
      FROM users WHERE id = $1 FOR NO KEY UPDATE
    ), noted AS (
      UPDATE users SET signed_in_at = $2 FROM person WHERE users.id = person.id
    )
    SELECT email, locale, "passwordHash", "signedInBefore", "chosenLocale", "timeZone" FROM person`,
    values: [input.userId, input.now],
  })
  return rows[0] ?? null
}

const MAX_SESSIONS_COMPARED = 50

export async function findKnownDevice(
  db: Db,
  input: { userId: number; deviceHash: Buffer | null; address: string },
): Promise<{ byCookie: boolean; userAgents: string[] }> {
  const { rows } = await db.query<{ by_cookie: boolean; user_agents: string[] }>({
    name: 'session-known-device',
    text: `SELECT
      EXISTS (SELECT FROM sessions WHERE user_id = $userId AND device_hash = $deviceHash) AS by_cookie,
      ARRAY(SELECT user_agent FROM sessions WHERE user_id = $userId AND address = $address
        ORDER BY id DESC LIMIT $limit) AS user_agents`,
    values: { ...input, limit: MAX_SESSIONS_COMPARED },
  })
  const row = rows[0]
  return { byCookie: row?.by_cookie ?? false, userAgents: row?.user_agents ?? [] }
}

export async function isDeviceOf(db: Db, input: { userId: number; deviceHash: Buffer }): Promise<boolean> {
  const { rows } = await db.query<{ known: boolean }>({
    name: 'session-device-of',
    text: 'SELECT EXISTS (SELECT FROM sessions WHERE user_id = $1 AND device_hash = $2) AS known',
    values: [input.userId, input.deviceHash],
  })
  return rows[0]?.known ?? false
}

export async function insertSession(
  db: Db,
  input: NewTokens & {
    userId: number
    userAgent: string
    address: string
    deviceHash?: Buffer | null
    now: Date
  },
): Promise<bigint> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'session-insert',
    text: `WITH made AS (
      INSERT INTO sessions
        (user_id, access_hash, access_expires_at, user_agent, address, created_at, last_used_at, device_hash)
      VALUES ($userId, $accessHash, $accessExpiresAt, $userAgent, $address, $now, $now, $deviceHash) RETURNING id
    ), token AS (
      INSERT INTO refresh_tokens (hash, session_id, expires_at) SELECT $refreshHash, id, $refreshExpiresAt FROM made
    )
    SELECT id FROM made`,
    values: { deviceHash: null, ...input },
  })
  const row = rows[0]
  if (row === undefined) throw new Error('inserting a session returned nothing')
  return row.id
}

/**
 * Replaces both tokens of a session; the new ones do not outlive it. Returns null if the refresh token is spent,
 * expired or revoked, or the session is too old.
 */
export async function rotate(
  db: Db,
  input: NewTokens & { spentHash: Buffer; address: string; begunAfter: Date; now: Date },
): Promise<{ sessionId: bigint } | null> {
  const { rows } = await db.query<{ session_id: bigint }>({
    name: 'session-rotate',
    text: `WITH spent AS (
      UPDATE refresh_tokens r SET spent_at = $now FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE r.hash = $spentHash AND r.spent_at IS NULL AND r.expires_at > $now AND s.id = r.session_id AND ${ALIVE}
        AND s.created_at > $begunAfter
      RETURNING r.session_id, s.created_at + ($now - $begunAfter) AS ends_at
    ), renewed AS (
      UPDATE sessions SET access_hash = $accessHash, access_expires_at = least($accessExpiresAt, ends_at),
        last_used_at = $now, address = $address
      FROM spent WHERE sessions.id = spent.session_id
    ), token AS (
      INSERT INTO refresh_tokens (hash, session_id, expires_at)
        SELECT $refreshHash, session_id, least($refreshExpiresAt, ends_at) FROM spent
    )
    SELECT session_id FROM spent`,
    values: input,
  })
  const row = rows[0]
  return row === undefined ? null : { sessionId: row.session_id }
}

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

/** Returns true if the command `user:role` ended the session: the session's end and the audit row have equal times. */
export async function isEndedByRole(db: Db, hash: Buffer): Promise<boolean> {
  const { rows } = await db.query<{ ended: boolean }>({
    text: `SELECT EXISTS (SELECT FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id
      JOIN audit_log a ON a.subject = 'user:' || s.user_id AND a.command = 'user:role' AND a.at = s.revoked_at
      WHERE r.hash = $1) AS ended`,
    values: [hash],
  })
  return rows[0]?.ended ?? false
}

export async function revokeSession(db: Db, input: { sessionId: bigint; userId: number; now: Date }): Promise<boolean> {
  const { rows } = await db.query({
    text: `WITH ended AS (
      UPDATE sessions SET revoked_at = $3 WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL RETURNING id
    ), ${dropSubscriptions('ended')}
    SELECT id FROM ended`,
    values: [input.sessionId, input.userId, input.now],
  })
  return rows.length === 1
}

export async function listStandingSessions(db: Db, ids: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'session-list-standing',
    text: `SELECT s.id FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = ANY ($1::bigint[]) AND s.revoked_at IS NULL AND u.blocked_at IS NULL`,
    values: [ids],
  })
  return rows.map(({ id }) => id)
}

export async function revokeByRefreshToken(
  db: Db,
  input: { hash: Buffer; now: Date },
): Promise<{ sessionId: bigint; userId: number } | null> {
  const { rows } = await db.query<{ id: bigint; user_id: number }>({
    name: 'session-revoke-by-refresh',
    text: `WITH ended AS (
      UPDATE sessions SET revoked_at = $2 FROM refresh_tokens r
      WHERE r.hash = $1 AND sessions.id = r.session_id AND sessions.revoked_at IS NULL
      RETURNING sessions.id, sessions.user_id
    ), ${dropSubscriptions('ended')}
    SELECT id, user_id FROM ended`,
    values: [input.hash, input.now],
  })
  const row = rows[0]
  return row === undefined ? null : { sessionId: row.id, userId: row.user_id }
}

/**
 * Ends a user's sessions except `keep` (null: all). After the commit, the caller closes the returned sessions' sockets.
 */
export async function revokeSessionsOf(
  db: Db,
  input: { userId: number; keep: bigint | null; now: Date },
): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    text: `WITH ended AS (
      UPDATE sessions SET revoked_at = $3
      WHERE user_id = $1 AND id IS DISTINCT FROM $2 AND revoked_at IS NULL RETURNING id
    ), ${dropSubscriptions('ended')}
    SELECT id FROM ended`,
    values: [input.userId, input.keep, input.now],
  })
  return rows.map((row) => row.id)
}

const LIVE = `s.revoked_at IS NULL AND (s.access_expires_at > $now OR EXISTS (
        SELECT FROM refresh_tokens r WHERE r.session_id = s.id AND r.spent_at IS NULL AND r.expires_at > $now))`

export async function findLiveSession(
  db: Db,
  input: { sessionId: bigint; now: Date },
): Promise<{ blocked: boolean } | null> {
  const { rows } = await db.query<{ blocked: boolean }>({
    name: 'session-find-live',
    text: `SELECT u.blocked_at IS NOT NULL AS blocked FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = $sessionId AND u.erased_at IS NULL AND ${LIVE}`,
    values: input,
  })
  return rows[0] ?? null
}

const MAX_SESSIONS_LISTED = 100

export type LiveSessionRow = { id: bigint; user_agent: string; address: string; created_at: Date; last_used_at: Date }

/** Lists at most 100 sessions that can be used or refreshed: session `first`, then the others by last use. */
export async function listLiveSessions(
  db: Db,
  input: { userId: number; first: bigint; now: Date },
): Promise<LiveSessionRow[]> {
  const { rows } = await db.query<LiveSessionRow>({
    name: 'session-list-live',
    text: `SELECT id, user_agent, address, created_at, last_used_at FROM sessions s
      WHERE user_id = $userId AND ${LIVE}
      ORDER BY id = $first DESC, last_used_at DESC, id DESC LIMIT $limit`,
    values: { ...input, limit: MAX_SESSIONS_LISTED },
  })
  return rows
}

export async function touchSession(db: Db, input: { sessionId: bigint; address: string; now: Date }): Promise<void> {
  await db.query({
    name: 'session-touch',
    text: 'UPDATE sessions SET last_used_at = $3, address = $2 WHERE id = $1 AND last_used_at < $3',
    values: [input.sessionId, input.address, input.now],
  })
}

export async function hasUsedAddress(db: Db, input: { userId: number; address: string }): Promise<boolean> {
  const { rows } = await db.query<{ used: boolean }>({
    text: 'SELECT EXISTS (SELECT FROM sessions WHERE user_id = $1 AND address = $2) AS used',
    values: [input.userId, input.address],
  })
  return rows[0]?.used ?? false
}
