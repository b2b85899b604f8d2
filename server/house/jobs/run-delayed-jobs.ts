import { MINUTE, SECOND } from '#contract/time.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

const SLACK_MS = MINUTE

/**
 * Runs jobs that are scheduled too far ahead, because PostgreSQL's clock was set back, and returns their number. Such a
 * job waits longer than `longestMs` of its task and longer than a retry (e to the number of attempts, in seconds).
 * Tasks that are never scheduled ahead have no `longestMs`.
 */
export async function runDelayedJobs(db: Db, longestMs: Readonly<Record<string, number>>): Promise<number> {
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

const SUPPLIER_TASKS = ['end-number', 'end-rental', 'abandon-attempt', 'abandon-rental', 'abandon-extension']
/** Jobs with more attempts are not retried early, so that an unstable connection cannot use up all attempts. */
const MOST_TRIES_HASTENED = 12
const HASTENED_AT_ONCE = 1_000

/**
 * Retries the jobs that failed because the supplier was unreachable, and returns their number. The back-off reaches six
 * hours. Until the retry, the supplier's numbers stay active, and an order whose reply was lost blocks purchases of
 * its service in its country.
 */
export async function runDelayedJobsOf(db: Db, supplierId: number): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: 'jobs-hasten-of-supplier',
    text: `SELECT count(*) FROM graphile_worker.reschedule_jobs(run_at := now(), job_ids := ARRAY(
      SELECT j.id FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        LEFT JOIN activations a ON t.identifier = 'end-number' AND a.id = (j.payload->>'activationId')::bigint
        LEFT JOIN rentals r ON t.identifier = 'end-rental' AND r.id = (j.payload->>'rentalId')::bigint
      WHERE t.identifier = ANY ($tasks) AND j.locked_at IS NULL AND j.attempts BETWEEN 1 AND $mostTries AND j.run_at > now()
        AND $supplierId IN (a.supplier_id, r.supplier_id, (j.payload->>'supplierId')::integer)
      ORDER BY j.run_at LIMIT $limit))`,
    values: { supplierId, tasks: SUPPLIER_TASKS, mostTries: MOST_TRIES_HASTENED, limit: HASTENED_AT_ONCE },
    limitMs: SLOW_LIMIT_MS,
  })
  return Number(rows[0]?.count ?? 0)
}

/** Retries all waiting mails once the mail server has accepted one, because their back-off reaches six hours. */
export async function runDelayedMails(db: Db): Promise<void> {
  await db.query({
    name: 'jobs-hasten-letters',
    text: `SELECT count(*) FROM graphile_worker.reschedule_jobs(run_at := now(), job_ids := ARRAY(
      SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'send-mail' AND locked_at IS NULL
        AND attempts BETWEEN 1 AND $1 AND run_at > now() ORDER BY run_at LIMIT $2))`,
    values: [MOST_TRIES_HASTENED, HASTENED_AT_ONCE],
    limitMs: SLOW_LIMIT_MS,
  })
}
