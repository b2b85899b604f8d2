import type { Locale } from '#contract/constants.ts'
import type { NotificationChannel } from '#contract/notifications/notification.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { NotificationRow } from './bell.ts'

export type ToldRow = NotificationRow & {
  channels: NotificationChannel[]
  email: string | null
  locale: Locale
  time_zone: string | null
  is_blocked: boolean
}

export async function findToldRow(db: Db, id: string): Promise<ToldRow | null> {
  const { rows } = await db.query<ToldRow>({
    name: 'notification-told',
    text: `SELECT n.id, n.user_id, n.category, n.kind, n.details, n.link, n.created_at, n.read_at, n.details ->> 'bySession' AS by_session, n.channels,
        u.email, u.locale, u.settings ->> 'time_zone' AS time_zone, u.blocked_at IS NOT NULL AS is_blocked
      FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

/** Queues the mail for a notification that stays unread, once per notification. */
export async function queueFollowing(db: Db, input: { id: string; mailAfterMs: number }): Promise<void> {
  await db.query({
    name: 'notification-follow',
    text: `SELECT graphile_worker.add_job('mail-notification', json_build_object('id', $id::text),
      run_at := now() + $mailAfterMs * interval '1 millisecond', max_attempts := 10, job_key := 'mail-notification:' || $id)`,
    values: input,
  })
}

/** Marks a notification as mailed. Returns false if it was read, sent to a chat, or already queued as a mail. */
export async function markMailed(tx: Db, input: { id: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'notification-mailed',
    text: 'UPDATE notifications SET mailed_at = $now WHERE id = $id AND read_at IS NULL AND telegram_at IS NULL AND mailed_at IS NULL',
    values: input,
  })
  return rowCount === 1
}
