import { Logger, run, type Runner, type TaskList } from 'graphile-worker'
import type { Pool } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'

/** What a job does with its payload. Throwing repeats it later, with growing delays, up to its `max_attempts`. */
export type Task = (payload: unknown) => Promise<void>

const CONCURRENCY = 4
const POLL_INTERVAL_MS = 1_000

/**
 * Works off the jobs of graphile-worker in this process. Jobs are queued inside the statements that cause them
 * (`graphile_worker.add_job`), so a job exists exactly when its cause was committed.
 */
export async function startJobs(input: { pool: Pool; log: Log; tasks: Record<string, Task> }): Promise<Runner> {
  const taskList: TaskList = {}
  for (const [name, task] of Object.entries(input.tasks)) taskList[name] = (payload) => task(payload)
  return run({
    pgPool: input.pool.pg,
    taskList,
    concurrency: CONCURRENCY,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    logger: toWorkerLogger(input.log),
  })
}

/** graphile-worker reports each job at level info; for us that is detail. */
function toWorkerLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ meta }, message)
    else if (level === 'warning') log.warn({ meta }, message)
    else log.debug({ meta }, message)
  })
}
