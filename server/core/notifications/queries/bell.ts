import { MOST_UNREAD_COUNTED, type NotificationCategory } from '#contract/notifications/notification.ts'
import type { Told } from '#server/core/notifications/kinds.ts'
import type { Db } from '#server/house/db/pool.ts'

export type NotificationRow = Told & {
  id: bigint
  user_id: number
  category: NotificationCategory
  link: string | null
  created_at: Date
  read_at: Date | null
  by_session: string | null
}

const COLUMNS = `id, user_id, category, kind, details, link, created_at, read_at, details ->> 'bySession' AS by_session`
const LISTED = `'site' = ANY (channels)`

/** Returns SQL that counts a user's unread notifications, without those caused by the session (`session` is SQL). */
export function countUnreadSql(userId: string, session: string): string {
  return `(SELECT count(*) FROM (SELECT FROM notifications
    WHERE user_id = ${userId} AND read_at IS NULL AND ${LISTED} AND COALESCE(details ->> 'bySession', '') <> ${session}
    LIMIT ${MOST_UNREAD_COUNTED}) unread)`
}

/**
 * Returns the text form of a session id, for `countUnreadSql`. Null (an API key, which has no session) becomes `none`.
 */
export function sessionText(sessionId: bigint | null): string {
  return sessionId?.toString() ?? 'none'
}

type Page = { userId: number; category: NotificationCategory | null; before: number | null; limit: number }

export async function listNotifications(db: Db, { userId, category, before, limit }: Page): Promise<NotificationRow[]> {
  const isOfCategory = category === null ? '' : 'AND category = $category'
  const { rows } = await db.query<NotificationRow>({
    name: category === null ? 'notifications-list' : 'notifications-list-category',
    text: `SELECT ${COLUMNS} FROM notifications
      WHERE user_id = $userId AND ${LISTED} ${isOfCategory} AND id < COALESCE($before, 9223372036854775807)
      ORDER BY id DESC LIMIT $limit`,
    values: { userId, category, before, limit },
  })
  return rows
}

export async function countUnread(db: Db, userId: number, sessions: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ session: string; count: bigint }>({
    name: 'notifications-count',
    text: `SELECT session, ${countUnreadSql('$1', 'session')} AS count FROM unnest($2::text[]) session`,
    values: [userId, sessions],
  })
  return new Map(rows.map(({ session, count }) => [session, Number(count)]))
}

/** Marks a notification as read at the first call. Returns false if the user has no such notification. */
export async function markRead(db: Db, input: { id: number; userId: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'notifications-read',
    text: `UPDATE notifications SET read_at = COALESCE(read_at, $now) WHERE id = $id AND user_id = $userId AND ${LISTED}`,
    values: input,
  })
  return rowCount === 1
}

export async function markReadByLink(db: Db, input: { userId: number; link: string; now: Date }): Promise<void> {
  await db.query({
    name: 'notifications-read-link',
    text: 'UPDATE notifications SET read_at = $now WHERE user_id = $userId AND read_at IS NULL AND link = $link',
    values: input,
  })
}

export async function markAllRead(
  db: Db,
  input: { userId: number; category: NotificationCategory | null; upTo: number; now: Date },
): Promise<void> {
  await db.query({
    name: 'notifications-read-all',
    text: `UPDATE notifications SET read_at = $now
      WHERE user_id = $userId AND read_at IS NULL AND ${LISTED} AND id <= $upTo AND category = COALESCE($category, category)`,
    values: input,
  })
}
