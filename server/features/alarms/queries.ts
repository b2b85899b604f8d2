import type { Db } from '#server/db/pool.ts'

/** False: it stands already. */
export async function beginAlarm(tx: Db, alarm: { name: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'alarm-begin',
    text: 'INSERT INTO alarms (name, began_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    values: [alarm.name, alarm.now],
  })
  return rowCount === 1
}

/** False: there was none. */
export async function endAlarm(tx: Db, name: string): Promise<boolean> {
  const { rowCount } = await tx.query({ name: 'alarm-end', text: 'DELETE FROM alarms WHERE name = $1', values: [name] })
  return rowCount === 1
}

export async function listAlarms(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'alarm-list',
    text: 'SELECT name FROM alarms ORDER BY name',
  })
  return rows.map(({ name }) => name)
}

/** How many messages since then nobody got; counted to `limit` at most. */
export async function countUnmatched(db: Db, input: { since: Date; limit: number }): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'alarm-unmatched',
    text: `SELECT count(*)::integer AS count FROM (
      SELECT FROM messages WHERE given = 'unmatched' AND given = ANY ('{unmatched,late,operator}'::text[]) AND received_at >= $1
      LIMIT $2) found`,
    values: [input.since, input.limit],
  })
  return rows[0]?.count ?? 0
}

/** Ends what another connection under this name reads at the moment. */
export async function cancelReading(db: Db, applicationName: string): Promise<void> {
  await db.query({
    text: `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = $1 AND state <> 'idle'`,
    values: [applicationName],
  })
}
