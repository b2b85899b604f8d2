import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

/** Stores when a guest's account ends. The guest gives up whatever is left, which is play money. */
export async function insertGuestEnd(tx: Db, input: { userId: number; now: Date; dueAt: Date }): Promise<void> {
  await tx.query({
    name: 'guest-insert-end',
    text: `INSERT INTO account_deletions (user_id, asked_by, gives_up_micros, asked_at, due_at, look_at, is_guest)
      VALUES ($userId, 'owner', ${10n ** 15n}, $now, $dueAt, $dueAt, true)`,
    values: input,
  })
}

/**
 * Cancels the end of the guest's account, so that the account stays. Returns false for a user who is no guest. Codes,
 * visits to providers and challenges end as well, because somebody else at the guest's browser may have begun them.
 */
export async function cancelGuestEnd(tx: Db, input: { userId: number; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'guest-cancel-end',
    text: `WITH kept AS (
        UPDATE account_deletions SET state = 'cancelled', ended_at = $now, look_at = NULL
        WHERE user_id = $userId AND state = 'waiting' AND is_guest RETURNING user_id
      ), codes AS (
        DELETE FROM email_codes USING kept WHERE email_codes.user_id = kept.user_id
      ), visits AS (
        DELETE FROM auth_requests USING kept WHERE auth_requests.user_id = kept.user_id
      ), challenges AS (
        DELETE FROM passkey_challenges USING kept WHERE passkey_challenges.user_id = kept.user_id
      )
      SELECT FROM kept`,
    values: input,
  })
  return rowCount === 1
}

export async function isGuest(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.query<{ guest: boolean }>({
    name: 'guest-is',
    text: `SELECT EXISTS (SELECT FROM account_deletions WHERE user_id = $1 AND state = 'waiting' AND is_guest) AS guest`,
    values: [userId],
  })
  return rows[0]?.guest === true
}

/** Returns true for a guest, who stays one until the end of the transaction. */
export async function lockGuest(tx: Db, userId: number): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'guest-lock',
    text: `SELECT FROM account_deletions WHERE user_id = $1 AND state = 'waiting' AND is_guest FOR UPDATE`,
    values: [userId],
  })
  return rowCount === 1
}

export type GuestName = {
  userId: number
  email: string | null
  name: string
  passwordHash: string | null
  emailVerifiedAt: Date | null
  referrerId: number | null
  utm: Record<string, string>
}

/**
 * Gives a guest a name and a way in. Returns 'taken' if an account has the address; the transaction is aborted if that
 * account was made at the same time.
 */
export async function nameGuest(tx: Db, input: GuestName): Promise<'named' | 'taken'> {
  try {
    const { rowCount } = await tx.query({
      name: 'guest-name',
      text: `UPDATE users SET email = $email, name = $name, password_hash = $passwordHash, email_verified_at = $emailVerifiedAt,
          utm = CASE WHEN utm = '{}' THEN $utm ELSE utm END,
          referrer_id = COALESCE(referrer_id,
            (SELECT id FROM users r WHERE r.id = $referrerId AND r.id <> $userId AND r.erased_at IS NULL AND r.sandbox_of IS NULL))
        WHERE id = $userId AND NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower($email))`,
      values: { ...input, utm: JSON.stringify(input.utm) },
    })
    return rowCount === 1 ? 'named' : 'taken'
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) return 'taken'
    throw error
  }
}
