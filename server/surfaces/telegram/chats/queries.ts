import type { Locale } from '#contract/constants.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

export type ChatRow = {
  user_id: number
  telegram_id: bigint
  name: string
  wants_codes: boolean
  linked_at: Date
  closed_at: Date | null
}

const COLUMNS = 'user_id, telegram_id, name, wants_codes, linked_at, closed_at'

/**
 * Stores a link token. Only the newest token of an account is valid. Returns false if the session has ended. A new
 * password first ends sessions and then deletes links, so the row lock on the session prevents a race.
 */
export async function putLink(
  db: Db,
  input: { userId: number; sessionId: bigint; hash: Buffer; wantsCodes: boolean; expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'telegram-link-put',
    text: `WITH session AS (SELECT user_id FROM sessions WHERE id = $sessionId AND user_id = $userId AND revoked_at IS NULL FOR SHARE)
      INSERT INTO telegram_links (user_id, token_hash, wants_codes, expires_at)
      SELECT user_id, $hash, $wantsCodes, $expiresAt FROM session
      ON CONFLICT (user_id) DO UPDATE SET token_hash = EXCLUDED.token_hash, wants_codes = EXCLUDED.wants_codes,
        expires_at = EXCLUDED.expires_at`,
    values: input,
  })
  return rowCount === 1
}

/** Finds a link token's account without spending the token; null if unknown, expired, or the user is blocked. */
export async function findLink(
  db: Db,
  input: { hash: Buffer; now: Date },
): Promise<{ user_id: number; email: string | null } | null> {
  const { rows } = await db.query<{ user_id: number; email: string | null }>({
    name: 'telegram-link-find',
    text: `SELECT l.user_id, u.email FROM telegram_links l JOIN users u ON u.id = l.user_id
      WHERE token_hash = $hash AND expires_at > $now AND u.blocked_at IS NULL`,
    values: input,
  })
  return rows[0] ?? null
}

/** Spends a link token. Returns null if the token is unknown or expired, or the user is blocked. */
export async function spendLink(
  tx: Db,
  input: { hash: Buffer; now: Date },
): Promise<{ user_id: number; wants_codes: boolean } | null> {
  const { rows } = await tx.query<{ user_id: number; wants_codes: boolean }>({
    name: 'telegram-link-spend',
    text: `DELETE FROM telegram_links l USING users u
      WHERE token_hash = $hash AND expires_at > $now AND u.id = l.user_id AND u.blocked_at IS NULL
      RETURNING user_id, wants_codes`,
    values: input,
  })
  return rows[0] ?? null
}

/** Links a chat to an account in place of its earlier chat. Returns false for a chat of another account. */
export async function putChat(
  tx: Db,
  input: { userId: number; telegramId: number; name: string; wantsCodes: boolean; now: Date },
): Promise<boolean> {
  try {
    await tx.query({
      name: 'telegram-chat-put',
      text: `INSERT INTO telegram_chats (user_id, telegram_id, name, wants_codes, linked_at)
        VALUES ($userId, $telegramId, $name, $wantsCodes, $now)
        ON CONFLICT ON CONSTRAINT telegram_chats_account DO UPDATE SET telegram_id = EXCLUDED.telegram_id, name = EXCLUDED.name,
          wants_codes = EXCLUDED.wants_codes, linked_at = EXCLUDED.linked_at, closed_at = NULL`,
      values: input,
    })
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'telegram_chats_person')) return false
    throw error
  }
}

export async function findChatOfUser(db: Db, userId: number): Promise<ChatRow | null> {
  const { rows } = await db.query<ChatRow>({
    name: 'telegram-chat-of-user',
    text: `SELECT ${COLUMNS} FROM telegram_chats WHERE user_id = $1`,
    values: [userId],
  })
  return rows[0] ?? null
}

export type ChatOwner = ChatRow & { email: string | null; locale: Locale; is_blocked: boolean }

export async function findChatOwner(db: Db, telegramId: number): Promise<ChatOwner | null> {
  const { rows } = await db.query<ChatOwner>({
    name: 'telegram-chat-owner',
    text: `SELECT ${COLUMNS}, u.email, u.locale, u.blocked_at IS NOT NULL AS is_blocked
      FROM telegram_chats JOIN (SELECT id, email, locale, blocked_at FROM users) u ON u.id = user_id WHERE telegram_id = $1`,
    values: [telegramId],
  })
  return rows[0] ?? null
}

export async function changeChat(db: Db, input: { userId: number; wantsCodes: boolean }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'telegram-chat-change',
    text: 'UPDATE telegram_chats SET wants_codes = $wantsCodes WHERE user_id = $userId',
    values: input,
  })
  return rowCount === 1
}

/** Deletes the chat and any pending link token, so that an old link cannot bring the chat back. */
export async function deleteChat(tx: Db, userId: number): Promise<ChatRow | null> {
  const { rows } = await tx.query<ChatRow>({
    name: 'telegram-chat-delete',
    text: `WITH waiting AS (DELETE FROM telegram_links WHERE user_id = $1)
      DELETE FROM telegram_chats WHERE user_id = $1 RETURNING ${COLUMNS}`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** Records when the person of a chat blocked the bot; null means that the person writes again. */
export async function setClosed(db: Db, input: { telegramId: number; closedAt: Date | null }): Promise<void> {
  await db.query({
    name: 'telegram-chat-closed',
    text: `UPDATE telegram_chats SET closed_at = CASE WHEN $closedAt::timestamptz IS NULL THEN NULL ELSE COALESCE(closed_at, $closedAt) END
      WHERE telegram_id = $telegramId`,
    values: input,
  })
}
