import type { Locale } from '#contract/constants.ts'
import type { Db } from '#server/house/db/pool.ts'

/** Stores a password reset. For an unknown address, the row has a null `userId`, so that timing reveals nothing. */
export async function insertReset(
  tx: Db,
  input: { email: string; userId: number | null; tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query({
    name: 'reset-insert',
    text: `INSERT INTO password_resets (email, user_id, token_hash, sent_at, expires_at)
      VALUES ($email, $userId, $tokenHash, $now, $expiresAt)`,
    values: input,
  })
}

type Reset = { email: string; tokenHash: Buffer; now: Date }

export async function isResetGood(db: Db, input: Reset): Promise<boolean> {
  const { rows } = await db.query({
    name: 'reset-find',
    text: `SELECT FROM password_resets WHERE email = $1 AND token_hash = $2 AND expires_at > $3 AND user_id IS NOT NULL`,
    values: [input.email, input.tokenHash, input.now],
  })
  return rows.length === 1
}

export async function spendReset(tx: Db, input: Reset): Promise<number | null> {
  const { rows } = await tx.query<{ user_id: number | null }>({
    name: 'reset-spend',
    text: `DELETE FROM password_resets WHERE email = $1 AND token_hash = $2 AND expires_at > $3 RETURNING user_id`,
    values: [input.email, input.tokenHash, input.now],
  })
  return rows[0]?.user_id ?? null
}

/** Deletes all reset links of a user, because a changed password or address invalidates links sent earlier. */
export async function deleteResets(tx: Db, userId: number): Promise<void> {
  await tx.query({
    name: 'resets-delete',
    text: 'DELETE FROM password_resets WHERE user_id = $1',
    values: [userId],
  })
}

/**
 * Sets a password for the holder of a mailed link. Returns null if the user is blocked or no longer has this address.
 */
export async function setPasswordByMail(
  tx: Db,
  input: { userId: number; email: string; passwordHash: string; now: Date },
): Promise<{ email: string; locale: Locale } | null> {
  const { rows } = await tx.query<{ email: string; locale: Locale }>({
    name: 'password-set-by-mail',
    text: `UPDATE users SET password_hash = $passwordHash, email_verified_at = COALESCE(email_verified_at, $now)
      WHERE id = $userId AND lower(email) = lower($email) AND blocked_at IS NULL RETURNING email, locale`,
    values: input,
  })
  return rows[0] ?? null
}

export async function changePasswordHash(
  tx: Db,
  input: { userId: number; from: string | null; to: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'password-change',
    text: 'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2',
    values: [input.userId, input.from, input.to],
  })
  return rowCount === 1
}

/**
 * Deletes pending links to a Telegram chat. The delete waits for a link that is being completed, so that `settleChat`
 * finds its chat.
 */
export async function deleteChatLinks(tx: Db, userId: number): Promise<void> {
  await tx.query({
    name: 'password-ends-chat-links',
    text: 'DELETE FROM telegram_links WHERE user_id = $1',
    values: [userId],
  })
}

export async function settleChat(tx: Db, input: { userId: number; stopsCodes: boolean }): Promise<string | null> {
  const { rows } = await tx.query<{ name: string }>({
    name: 'password-settles-chat',
    text: 'UPDATE telegram_chats SET wants_codes = wants_codes AND NOT $stopsCodes WHERE user_id = $userId RETURNING name',
    values: input,
  })
  return rows[0]?.name ?? null
}
