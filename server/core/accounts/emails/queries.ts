import type { Locale } from '#contract/constants.ts'
import { CODE_MAX_TRIES, type CodeTimes } from '#server/core/accounts/codes/code.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

type NewCode = { userId: number; email: string; codeHash: Buffer; times: CodeTimes }

/** Stores a pending e-mail address and its code, in place of an earlier one. Returns false during the cooldown. */
export async function replaceEmailCode(tx: Db, input: NewCode): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'email-code-replace',
    text: `INSERT INTO email_codes
        (user_id, email, code_hash, code_tries, code_sent_at, code_expires_at, expires_at)
      VALUES ($userId, $email, $codeHash, 0, $now, $expiresAt, $waitsUntil)
      ON CONFLICT (user_id) DO UPDATE SET email = $email, code_hash = $codeHash, code_tries = 0, code_sent_at = $now,
        code_expires_at = $expiresAt, expires_at = $waitsUntil
      WHERE email_codes.email <> $email OR email_codes.code_sent_at <= $cooldownSince`,
    values: { ...input, ...input.times },
  })
  return rowCount === 1
}

export async function renewEmailCode(tx: Db, input: NewCode): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'email-code-renew',
    text: `UPDATE email_codes SET code_hash = $codeHash, code_tries = 0, code_sent_at = $now, code_expires_at = $expiresAt,
      expires_at = $waitsUntil
      WHERE user_id = $userId AND email = $email AND expires_at > $now AND code_sent_at <= $cooldownSince`,
    values: { ...input, ...input.times },
  })
  return rowCount === 1
}

export async function findPendingEmail(db: Db, input: { userId: number; now: Date }): Promise<string | null> {
  const { rows } = await db.query<{ email: string }>({
    name: 'email-code-find',
    text: 'SELECT email FROM email_codes WHERE user_id = $1 AND expires_at > $2',
    values: [input.userId, input.now],
  })
  return rows[0]?.email ?? null
}

/** Counts a try of a code and locks its row until commit. Returns null if the address has no valid code. */
export async function takeEmailTry(
  tx: Db,
  input: { userId: number; email: string; now: Date },
): Promise<Buffer | null> {
  const { rows } = await tx.query<{ code_hash: Buffer }>({
    name: 'email-code-take-try',
    text: `UPDATE email_codes SET code_tries = code_tries + 1
      WHERE user_id = $userId AND email = $email AND code_tries < $maxTries AND code_expires_at > $now RETURNING code_hash`,
    values: { ...input, maxTries: CODE_MAX_TRIES },
  })
  return rows[0]?.code_hash ?? null
}

export async function deleteEmailCode(tx: Db, userId: number): Promise<void> {
  await tx.query({ name: 'email-code-delete', text: 'DELETE FROM email_codes WHERE user_id = $1', values: [userId] })
}

/**
 * Sets the user's e-mail address. Returns the previous one, or null without such a user. 'taken' means that another
 * account has the address and the transaction is aborted.
 */
export async function setEmail(
  tx: Db,
  input: { userId: number; email: string; now: Date },
): Promise<{ before: string | null; locale: Locale } | 'taken' | null> {
  try {
    const { rows } = await tx.query<{ before: string | null; locale: Locale }>({
      name: 'email-set',
      text: `UPDATE users SET email = $2, email_verified_at = $3
        FROM (SELECT id, email FROM users WHERE id = $1 FOR UPDATE) AS old
        WHERE users.id = old.id RETURNING old.email AS before, users.locale`,
      values: [input.userId, input.email, input.now],
    })
    return rows[0] ?? null
  } catch (error) {
    if (isUniqueViolation(error, 'users_email_unique')) return 'taken'
    throw error
  }
}
