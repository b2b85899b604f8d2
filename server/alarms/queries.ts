import type { Db } from '#server/db/pool.ts'

/** False when the alarm stands already. */
export async function beginAlarm(tx: Db, alarm: { name: string; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'alarm-begin',
    text: 'INSERT INTO alarms (name, began_at) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    values: [alarm.name, alarm.now],
  })
  return rowCount === 1
}

/** False when there was none. */
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

/** Suppliers in service; `settled`: for longer than a start takes. */
export async function listInService(db: Db, settledBefore: Date): Promise<{ code: string; settled: boolean }[]> {
  const { rows } = await db.query<{ code: string; settled: boolean }>({
    name: 'alarm-suppliers',
    text: `SELECT code, created_at <= $settledBefore AS settled FROM suppliers WHERE removed_at IS NULL ORDER BY id`,
    values: { settledBefore },
  })
  return rows
}

/** Only the newest are counted; more within an hour is a flood, which hides no lasting loss. */
const SCANNED = 100_000
/** A loss reaches many numbers, so repeated messages to one number count little. */
const MOST_OF_ONE_NUMBER = 3

/** Counts unmatched messages that may hold a code; those that only mention a brand are adverts. */
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

/** What of the referral programme waits for the word of staff. */
export async function countReferralWaiting(db: Db): Promise<{ withdrawals: number; suspects: number }> {
  const { rows } = await db.query<{ withdrawals: number; suspects: number }>({
    name: 'alarm-referral',
    text: `SELECT (SELECT count(*)::integer FROM referral_withdrawals WHERE state IN ('asked', 'approved')) AS withdrawals,
      (SELECT count(*)::integer FROM referral_invitations WHERE state = 'suspected') AS suspects`,
  })
  return rows[0] ?? { withdrawals: 0, suspects: 0 }
}

export async function cancelReading(db: Db, applicationName: string): Promise<void> {
  await db.query({
    text: `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = $1 AND state <> 'idle'`,
    values: [applicationName],
  })
}
