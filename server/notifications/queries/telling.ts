import type { Locale } from '#contract/constants.ts'
import type { NotificationChannel } from '#contract/notification.ts'
import type { Db } from '#server/db/pool.ts'
import type { NotificationRow } from './bell.ts'

/** With whom to tell, and how they wished to hear of it. */
export type ToldRow = NotificationRow & {
  channels: NotificationChannel[]
  email: string | null
  locale: Locale
  is_blocked: boolean
}

export async function findToldRow(db: Db, id: string): Promise<ToldRow | null> {
  const { rows } = await db.query<ToldRow>({
    name: 'notification-told',
    text: `SELECT n.id, n.user_id, n.category, n.kind, n.details, n.link, n.created_at, n.read_at, n.channels,
        u.email, u.locale, u.blocked_at IS NOT NULL AS is_blocked
      FROM notifications n JOIN users u ON u.id = n.user_id WHERE n.id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}
