import type { Locale } from '#contract/constants.ts'
import { SECOND } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'

const MAX_ATTEMPTS = 10

type Look = { ticketId: bigint; afterMs: number; despiteChat: boolean }

/**
 * Queues the mail job of a ticket, which a later answer does not postpone. `despiteChat` means that the Telegram chat
 * refused the answer.
 */
export async function queueMailCheck(db: Db, { ticketId, afterMs, despiteChat }: Look): Promise<void> {
  await db.query({
    name: 'support-queue-look',
    text: `SELECT graphile_worker.add_job('mail-answer',
      json_build_object('ticketId', $ticketId::text, 'despiteChat', $despiteChat::boolean),
      run_at := now() + make_interval(secs => $seconds), job_key := 'mail-answer ' || $ticketId::text,
      job_key_mode := 'preserve_run_at', max_attempts := $attempts)`,
    values: { ticketId, despiteChat, seconds: afterMs / SECOND, attempts: MAX_ATTEMPTS },
  })
}

/** Returns the account that opened a ticket; null if the ticket does not exist. */
export async function findAsker(db: Db, ticketId: bigint): Promise<number | null> {
  const { rows } = await db.query<{ user_id: number }>({
    name: 'support-asker',
    text: 'SELECT user_id FROM support_tickets WHERE id = $1',
    values: [ticketId],
  })
  return rows[0]?.user_id ?? null
}

export type UnreadTicket = {
  user_id: number
  subject: string
  changed_at: Date
  mailed_at: Date | null
  email: string | null
  locale: Locale
}

/**
 * Locks an unread answer. Returns null if it is read, not wanted by mail (but a blocked user always gets mails), or
 * sent to a chat.
 */
export async function lockUnread(
  tx: Db,
  input: { ticketId: bigint; despiteChat: boolean },
): Promise<UnreadTicket | null> {
  const { rows } = await tx.query<UnreadTicket>({
    name: 'support-lock-unread',
    text: `SELECT t.user_id, t.subject, t.changed_at, t.mailed_at, u.email, u.locale
      FROM support_tickets t JOIN users u ON u.id = t.user_id LEFT JOIN notification_settings chosen ON chosen.user_id = t.user_id
      WHERE t.id = $1 AND t.unread_member > 0 AND u.erased_at IS NULL
        AND (u.blocked_at IS NOT NULL OR (COALESCE(chosen.choices -> 'support' ? 'mail', true)
        AND ($2 OR NOT EXISTS (SELECT FROM telegram_chats c WHERE c.user_id = t.user_id AND c.closed_at IS NULL
          AND COALESCE(chosen.choices -> 'support' ? 'telegram', true)))))
      FOR NO KEY UPDATE OF t`,
    values: [input.ticketId, input.despiteChat],
  })
  return rows[0] ?? null
}

export async function setMailed(tx: Db, input: { ticketId: bigint; now: Date }): Promise<void> {
  await tx.query({
    name: 'support-set-mailed',
    text: 'UPDATE support_tickets SET mailed_at = $2 WHERE id = $1',
    values: [input.ticketId, input.now],
  })
}
