import { MINUTE, SECOND } from '#contract/time.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/db/pool.ts'

/** Slow statements and workers. */
const SLACK_MS = MINUTE

/**
 * Jobs stand at times of PostgreSQL's clock: one that is set back would make them wait for as long as the step. What is further
 * away than its kind ever waits, or a failed try puts it off (graphile-worker: e to the number of tries, in seconds), runs now.
 * `longestMs`: by task, none for those that are never queued for later. Returns how many.
 */
export async function hastenJobs(db: Db, longestMs: Readonly<Record<string, number>>): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'jobs-hasten',
    text: `SELECT count(*) FROM graphile_worker.reschedule_jobs(run_at := now(), job_ids := ARRAY(
      SELECT id FROM graphile_worker.jobs
      WHERE locked_at IS NULL AND attempts < max_attempts AND run_at > now() + interval '1 millisecond' * ($slackMs +
        greatest(COALESCE(($longestMs::jsonb ->> task_identifier)::float8, 0), exp(least(attempts, 10)) * ${SECOND}))))`,
    values: { slackMs: SLACK_MS, longestMs: JSON.stringify(longestMs) },
    limitMs: SLOW_LIMIT_MS,
  })
  return Number(rows[0]?.count ?? 0)
}
