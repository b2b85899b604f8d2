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

/** Of the newest so many that stand aside; more within an hour is a flood, which can hide no loss that goes on. */
const SCANNED = 100_000
/** A loss reaches many numbers; whoever writes to one of them again and again has lost nothing. */
const MOST_OF_ONE_NUMBER = 3

/**
 * How many messages since then may be somebody's code and reached nobody: those that only mention a brand are adverts, and
 * each number counts for three at most.
 */
export async function countUnmatched(db: Db, input: { since: Date }): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'alarm-unmatched',
    text: `SELECT COALESCE(sum(LEAST(of_number, $2)), 0)::integer AS count FROM (
      SELECT count(*) AS of_number FROM (
        SELECT phone, named_by FROM messages
        WHERE given = 'unmatched' AND given = ANY ('{unmatched,late,operator}'::text[]) AND received_at >= $1
        ORDER BY received_at DESC LIMIT $3) newest
      WHERE named_by IS DISTINCT FROM 'mention' AND named_by IS DISTINCT FROM 'operator' GROUP BY phone) numbers`,
    values: [input.since, MOST_OF_ONE_NUMBER, SCANNED],
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
