import type { Db } from '#server/house/db/pool.ts'

/**
 * Notes the timeline of PostgreSQL. On a new one, the ids that may be lost are left out (migrations/0319_timelines.sql).
 * Returns null if the timeline is known. `db` must reach the primary.
 */
export async function insertTimeline(db: Db): Promise<'fail-over' | 'copied' | null> {
  const { rows } = await db.query<{ change: 'fail-over' | 'copied' | null }>({
    name: 'node-note-timeline',
    text: 'SELECT note_timeline() AS change',
    values: {},
  })
  return rows[0]?.change ?? null
}

/** Returns the newest timeline that began by a fail-over of PostgreSQL within an interval, or null. */
export async function findFailOver(db: Db, within: string): Promise<string | null> {
  const { rows } = await db.query<{ timeline: string }>({
    name: 'node-find-fail-over',
    text: `SELECT system_identifier || ' ' || timeline AS timeline FROM timelines
      WHERE is_fail_over AND found_at > clock_timestamp() - $within::interval ORDER BY found_at DESC LIMIT 1`,
    values: { within },
  })
  return rows[0]?.timeline ?? null
}
