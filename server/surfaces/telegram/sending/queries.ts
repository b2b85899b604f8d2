import type { ActivationState } from '#contract/activation.ts'
import type { Locale } from '#contract/constants.ts'
import { NOTICE_PRIORITY } from '#server/core/notifications/queries/telegram-job.ts'
import type { Db } from '#server/house/db/pool.ts'

/** An SMS and the chat to which it is sent. `activation_id` and `state` are null for a rental. */
export type CodeRow = {
  telegram_id: bigint
  locale: Locale
  body: string
  code: string | null
  sender: string
  received_at: Date
  service_code: string
  country_id: number
  phone: string
  activation_id: bigint | null
  state: ActivationState | null
}

/**
 * Finds an SMS to send to the user's Telegram chat. Returns null if it was sent, the chat takes no codes, or the order
 * belongs to another user.
 */
export async function findUnsentCode(db: Db, input: { messageId: string; userId: number }): Promise<CodeRow | null> {
  const { rows } = await db.query<CodeRow>({
    name: 'telegram-code-find',
    text: `SELECT chat.telegram_id, u.locale, m.body, m.code, m.sender, m.received_at, m.phone, a.id AS activation_id, a.state,
        COALESCE(a.service_code, r.service_code) AS service_code, COALESCE(a.country_id, r.country_id) AS country_id
      FROM telegram_codes t JOIN messages m ON m.id = t.message_id
        JOIN telegram_chats chat ON chat.user_id = t.user_id JOIN users u ON u.id = t.user_id
        LEFT JOIN activations a ON a.id = m.activation_id AND a.user_id = t.user_id
        LEFT JOIN rentals r ON r.id = m.rental_id AND r.user_id = t.user_id
      WHERE t.message_id = $messageId AND t.user_id = $userId AND t.sent_at IS NULL AND m.body IS NOT NULL
        AND chat.wants_codes AND chat.closed_at IS NULL AND u.blocked_at IS NULL AND num_nonnulls(a.id, r.id) = 1`,
    values: input,
  })
  return rows[0] ?? null
}

/** Marks an SMS as sent, or as unsent if `sentAt` is null. Returns false if it was already marked so. */
export async function markCodeSent(
  db: Db,
  input: { messageId: string; userId: number; sentAt: Date | null },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'telegram-code-sent',
    text: `UPDATE telegram_codes SET sent_at = $sentAt
      WHERE message_id = $messageId AND user_id = $userId AND (sent_at IS NULL) <> ($sentAt::timestamptz IS NULL)`,
    values: input,
  })
  return rowCount === 1
}

/** Marks a notification as sent. Returns false if it was already sent, or read on the site. */
export async function markNotificationSent(db: Db, input: { id: string; sentAt: Date | null }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'telegram-notification-sent',
    text: `UPDATE notifications SET telegram_at = $sentAt
      WHERE id = $id AND (telegram_at IS NULL) <> ($sentAt::timestamptz IS NULL) AND (read_at IS NULL OR category = 'security' OR $sentAt IS NULL)`,
    values: input,
  })
  return rowCount === 1
}

const MOST_TRIES = 12

/** Queues a job once more, for the time when its chat accepts the message. */
export async function queueLater(
  db: Db,
  input: { task: 'telegram-code' | 'telegram-notification'; payload: object; userId: number; afterMs: number },
): Promise<void> {
  await db.query({
    name: 'telegram-queue-later',
    text: `SELECT graphile_worker.add_job($task, $payload::json, queue_name := 'telegram-' || $userId::integer % 2,
      run_at := now() + $afterMs * interval '1 millisecond', max_attempts := ${MOST_TRIES},
      priority := CASE $task WHEN 'telegram-notification' THEN ${NOTICE_PRIORITY} ELSE 0 END)`,
    values: { ...input, payload: JSON.stringify(input.payload) },
  })
}

/** Queues an answer to a chat. The answer may arrive twice, because a killed job is tried again. */
export async function queueReply(db: Db, input: { payload: string; afterMs: number }): Promise<void> {
  await db.query({
    name: 'telegram-queue-reply',
    text: `SELECT graphile_worker.add_job('telegram-reply', $1::json, queue_name := 'telegram-updates',
      run_at := now() + $2 * interval '1 millisecond', max_attempts := ${MOST_TRIES})`,
    values: [input.payload, input.afterMs],
  })
}

export type OpenNumber = {
  id: bigint
  state: ActivationState
  service_code: string
  country_id: number
  phone: string
  code: string | null
}

export async function listOpenNumbers(db: Db, input: { userId: number; limit: number }): Promise<OpenNumber[]> {
  const { rows } = await db.query<OpenNumber>({
    name: 'telegram-open-numbers',
    text: `SELECT id, state, service_code, country_id, phone, code FROM activations
      WHERE user_id = $1 AND state IN ('waiting', 'received', 'waiting_again') ORDER BY id DESC LIMIT $2`,
    values: [input.userId, input.limit],
  })
  return rows
}
