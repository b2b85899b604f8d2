import type { Told } from '#server/core/notifications/kinds.ts'
import type { Db } from '#server/house/db/pool.ts'
import { NOTIFY_RUNS, notifySql } from './raise-sql.ts'

/**
 * `bySession` is the session that caused the notification, which counts as read in this session and unread in others.
 */
export type Raised = Told & { userId: number; link: string | null; dedupeKey: string; bySession?: bigint }

export async function insertNotifications(db: Db, raised: readonly Raised[], now: Date): Promise<number> {
  if (raised.length === 0) return 0
  const { rows } = await db.query<{ count: bigint }>({
    name: 'notifications-raise',
    text: `WITH raised AS (
      SELECT user_id, kind, details::jsonb, link, dedupe_key
      FROM unnest($userIds::integer[], $kinds::text[], $details::text[], $links::text[], $keys::text[])
        AS told (user_id, kind, details, link, dedupe_key)
    ), ${notifySql('raised')}
    SELECT count(*) FROM notified WHERE ${NOTIFY_RUNS}`,
    values: {
      userIds: raised.map(({ userId }) => userId),
      kinds: raised.map(({ kind }) => kind),
      details: raised.map(detailsOf),
      links: raised.map(({ link }) => link),
      keys: raised.map(({ dedupeKey }) => dedupeKey),
      now,
    },
  })
  return Number(rows[0]?.count ?? 0)
}

function detailsOf({ details, bySession }: Raised): string {
  return JSON.stringify(bySession === undefined ? details : { ...details, bySession: bySession.toString() })
}
