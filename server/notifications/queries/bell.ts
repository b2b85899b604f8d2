import { MOST_UNREAD_COUNTED, type NotificationCategory } from '#contract/notifications/notification.ts'
import type { Db } from '#server/db/pool.ts'
import type { Told } from '#server/notifications/kinds.ts'

export type NotificationRow = Told & {
  id: bigint
  user_id: number
  category: NotificationCategory
  link: string | null
  created_at: Date
  read_at: Date | null
}

const COLUMNS = 'id, user_id, category, kind, details, link, created_at, read_at'
const LISTED = `'site' = ANY (channels)`

/** For a statement that reads a user: the count costs no question of its own. */
export function countUnreadSql(userId: string): string {
  return `(SELECT count(*) FROM (SELECT FROM notifications
    WHERE user_id = ${userId} AND read_at IS NULL AND ${LISTED} LIMIT ${MOST_UNREAD_COUNTED}) unread)`
}

type Page = { userId: number; category: NotificationCategory | null; before: number | null; limit: number }

/** Newest first. Each filter has a statement and an index of its own. */
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

export async function countUnread(db: Db, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'notifications-count',
    text: `SELECT ${countUnreadSql('$1')} AS count`,
    values: [userId],
  })
  return Number(rows[0]?.count ?? 0)
}

/** False when it is nobody's or somebody else's. Read twice stays as it was read first. */
export async function markRead(db: Db, input: { id: number; userId: number; now: Date }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'notifications-read',
    text: `UPDATE notifications SET read_at = COALESCE(read_at, $now) WHERE id = $id AND user_id = $userId AND ${LISTED}`,
    values: input,
  })
  return rowCount === 1
}

/** What leads to a page that its reader has open. */
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
