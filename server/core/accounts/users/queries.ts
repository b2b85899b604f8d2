import type { Locale } from '#contract/constants.ts'
import type { Currency } from '#contract/money.ts'
import { contentLocale } from '#contract/settings/languages.ts'
import type { UserSettings, UserSettingsInput } from '#contract/settings/user-settings.ts'
import type { UserRole } from '#contract/user.ts'
import { countUnreadSql } from '#server/core/notifications/queries/bell.ts'
import type { Db } from '#server/house/db/pool.ts'
import { countActiveRentalsSql, countActiveSql } from './active-queries.ts'

export type UserRow = {
  id: number
  email: string | null
  name: string
  password_hash: string | null
  role: UserRole
  zone: string
  locale: Locale
  /** The settings that the user has set. `locale` is among them only if chosen, unlike the column `locale`. */
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

type UserFacts = UserRow & {
  created_at: Date
  currency: Currency
  available_micros: bigint
  held_micros: bigint
  debt_micros: bigint
  open_payments: bigint
  unread: bigint
  deletion_at: Date | null
  is_guest: boolean | null
  documents_changed: boolean
  active: bigint
  rented: bigint
}

/**
 * Reads all facts about a user in one round trip, because every page needs them. `session` is the session's id as
 * `sessionText` writes it.
 */
export async function findUserFacts(db: Db, id: number, session: string): Promise<UserFacts | null> {
  const { rows } = await db.query<UserFacts>({
    name: 'user-facts',
    text: `SELECT ${COLUMNS}, users.created_at, a.currency, a.available_micros, a.held_micros, a.debt_micros,
        (SELECT count(*) FROM payments p WHERE p.user_id = users.id AND p.state IN ('created', 'pending', 'confirming')) AS open_payments,
        ${countUnreadSql('users.id', '$2')} AS unread,
        deletion_at, is_guest,
        EXISTS (SELECT FROM document_versions v WHERE v.is_current
          AND EXISTS (SELECT FROM consents c WHERE c.user_id = users.id AND c.document = v.document)
          AND NOT EXISTS (SELECT FROM consents c WHERE c.user_id = users.id AND (c.document, c.version) = (v.document, v.version))
        ) AS documents_changed,
        ${countActiveSql('users.id')} AS active,
        ${countActiveRentalsSql('users.id')} AS rented
      FROM users JOIN accounts a ON a.user_id = users.id
      LEFT JOIN LATERAL (SELECT due_at AS deletion_at, is_guest
        FROM account_deletions d WHERE d.user_id = users.id AND d.state = 'waiting') deletion ON true
      WHERE users.id = $1`,
    values: [id, session],
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

export type NewUser = {
  email: string | null
  name: string
  passwordHash: string | null
  role: UserRole
  zone: string
  locale: Locale
  emailVerifiedAt?: Date
  referrerId?: number | null
  utm?: Record<string, string>
  now: Date
}

/** Stores a user. Returns null if the e-mail is taken. A referrer id that belongs to no user is left out. */
export async function insertUser(db: Db, user: NewUser): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>({
    name: 'user-insert',
    text: `INSERT INTO users (email, name, password_hash, role, zone, locale, email_verified_at, referrer_id, utm, created_at)
      VALUES ($email, $name, $passwordHash, $role, $zone, $locale, $emailVerifiedAt,
        (SELECT id FROM users WHERE id = $referrerId AND erased_at IS NULL AND sandbox_of IS NULL), $utm, $now)
      ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
    values: { emailVerifiedAt: null, referrerId: null, ...user, utm: JSON.stringify(user.utm ?? {}) },
  })
  return rows[0]?.id ?? null
}

/** Records that the user, by registering, consented to the current legal documents (site/content/store-versions.ts). */
export async function noteConsents(tx: Db, input: { userId: number; now: Date }): Promise<void> {
  await tx.query({
    name: 'user-consents',
    text: `INSERT INTO consents (user_id, document, version, given_by, at)
      SELECT $1, document, version, 'registration', $2 FROM document_versions WHERE is_current
      ON CONFLICT (user_id, document, version) DO NOTHING`,
    values: [input.userId, input.now],
  })
}

export async function setBlocked(db: Db, input: { userId: number; blockedAt: Date | null }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'UPDATE users SET blocked_at = $2 WHERE id = $1 OR sandbox_of = $1',
    values: [input.userId, input.blockedAt],
  })
  return (rowCount ?? 0) > 0
}

/** Sets a user's role. Returns false if the user lacks the second factor that every role but `user` needs. */
export async function setRole(db: Db, input: { userId: number; role: UserRole }): Promise<boolean> {
  const { rowCount } = await db.query({
    text: `UPDATE users SET role = $2 WHERE id = $1
      AND ($2 = 'user' OR EXISTS (SELECT FROM two_factor f WHERE f.user_id = users.id AND f.confirmed_at IS NOT NULL))`,
    values: [input.userId, input.role],
  })
  return rowCount === 1
}

export async function changeSettings(db: Db, input: { userId: number; settings: UserSettingsInput }): Promise<void> {
  const { locale } = input.settings
  await db.query({
    name: 'user-change-settings',
    text: 'UPDATE users SET settings = settings || $2::jsonb, locale = coalesce($3, locale) WHERE id = $1',
    values: [input.userId, JSON.stringify(input.settings), locale === undefined ? null : contentLocale(locale)],
  })
}

export async function setSignedOut(db: Db, input: { userId: number; now: Date }): Promise<void> {
  await db.query({ text: 'UPDATE users SET signed_out_at = $2 WHERE id = $1', values: [input.userId, input.now] })
}

export async function listShutOutSince(db: Db, since: Date): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    text: 'SELECT id FROM users WHERE blocked_at >= $1 OR signed_out_at >= $1',
    values: [since],
  })
  return rows.map((row) => row.id)
}
