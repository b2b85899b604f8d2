import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/db/pool.ts'
import { hashApiKey } from './api-key.ts'

export type UserSettings = { copying_code: boolean; confirmation_actions: boolean; sound_new_sms: boolean }

export type UserRow = {
  id: number
  email: string
  name: string
  password_hash: string | null
  role: 'user' | 'operator'
  zone: string
  locale: Locale
  settings: Partial<UserSettings>
  blocked_at: Date | null
}

const COLUMNS = 'id, email, name, password_hash, role, zone, locale, settings, blocked_at'

export async function findUser(db: Db, id: number): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'user-find',
    text: `SELECT ${COLUMNS} FROM users WHERE id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'user-find-by-email',
    text: `SELECT ${COLUMNS} FROM users WHERE lower(email) = lower($1)`,
    values: [email],
  })
  return rows[0] ?? null
}

export async function isBlocked(db: Db, id: number): Promise<boolean> {
  const { rows } = await db.query<{ blocked: boolean }>({
    name: 'user-is-blocked',
    text: 'SELECT blocked_at IS NOT NULL AS blocked FROM users WHERE id = $1',
    values: [id],
  })
  return rows[0]?.blocked ?? true
}

/** Returns the id, also when the e-mail was there already: then nothing of the old row changes. */
export async function insertUser(
  db: Db,
  user: {
    email: string
    name: string
    passwordHash: string
    role: 'user' | 'operator'
    zone: string
    locale: Locale
    now: Date
  },
): Promise<{ id: number; made: boolean }> {
  const made = await db.query<{ id: number }>({
    text: `INSERT INTO users (email, name, password_hash, role, zone, locale, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
    values: [user.email, user.name, user.passwordHash, user.role, user.zone, user.locale, user.now],
  })
  const row = made.rows[0]
  if (row !== undefined) return { id: row.id, made: true }
  const existing = await findUserByEmail(db, user.email)
  if (existing === null) throw new Error('a user neither exists nor could be made')
  return { id: existing.id, made: false }
}

/** Returns false when there is no such user. `blockedAt` null unblocks. */
export async function setBlocked(db: Db, input: { userId: number; blockedAt: Date | null }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'UPDATE users SET blocked_at = $2 WHERE id = $1',
    values: [input.userId, input.blockedAt],
  })
  return rowCount === 1
}

export type KeyOwner = { user_id: number; blocked: boolean; locale: Locale; zone: string }

/** Who owns an API key, by its SHA-256. Revoked keys own nothing. */
export async function findKeyOwner(db: Db, keyHash: Buffer): Promise<KeyOwner | null> {
  const { rows } = await db.query<KeyOwner>({
    name: 'api-key-owner',
    text: `SELECT k.user_id, u.blocked_at IS NOT NULL AS blocked, u.locale, u.zone
      FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
    values: [keyHash],
  })
  return rows[0] ?? null
}

/** The user has this key from now on, and no other. Giving the same key again changes nothing. */
export async function replaceApiKey(db: Db, input: { userId: number; apiKey: string; now: Date }): Promise<void> {
  await db.query({
    text: `WITH revoked AS (
      UPDATE api_keys SET revoked_at = $3 WHERE user_id = $1 AND revoked_at IS NULL AND key_hash <> $2
    )
    INSERT INTO api_keys (user_id, key_hash, created_at) VALUES ($1, $2, $3) ON CONFLICT (key_hash) DO NOTHING`,
    values: [input.userId, hashApiKey(input.apiKey), input.now],
  })
}

export async function listBlockedSince(db: Db, since: Date): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    text: 'SELECT id FROM users WHERE blocked_at >= $1',
    values: [since],
  })
  return rows.map((row) => row.id)
}
