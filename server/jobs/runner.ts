import { setTimeout as wait } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList } from 'graphile-worker'
import { SECOND } from '#contract/time.ts'
import type { Pool } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'

/** What a job does with its payload. Throwing repeats it later, with growing delays, up to its `max_attempts`. */
export type Task = (payload: unknown) => Promise<void>

/** Working off jobs until stopped. */
export type Jobs = { stop(): Promise<void> }

const CONCURRENCY = 4
const POLL_INTERVAL_MS = SECOND
/** graphile-worker gives up when the database is away; it is begun anew after this long. */
const RESTART_DELAY_MS = 2 * SECOND

/**
 * Works off the jobs of graphile-worker in this process, and goes on after the database was away. Jobs are queued inside
 * the statements that cause them (`graphile_worker.add_job`), so a job exists exactly when its cause was committed.
 */
export async function startJobs(input: {
  pool: Pool
  log: Log
  tasks: Record<string, Task>
}): Promise<Jobs> {
  const stopped = new AbortController()
  let runner: Runner = await begin(input)
  const supervised = (async () => {
    while (!stopped.signal.aborted) {
      await runner.promise.catch((error: unknown) => input.log.warn({ error }, 'the job runner gave up'))
      if (stopped.signal.aborted) return
      runner = (await restart(input, stopped.signal)) ?? runner
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await runner.stop().catch((error: unknown) => input.log.debug({ error }, 'the job runner had stopped already'))
      await supervised
    },
  }
}

async function restart(input: Parameters<typeof begin>[0], signal: AbortSignal): Promise<Runner | null> {
  while (!signal.aborted) {
    await wait(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return null
    try {
      return await begin(input)
    } catch (error) {
      input.log.warn({ error }, 'the job runner cannot begin yet')
    }
  }
  return null
}

function begin(input: { pool: Pool; log: Log; tasks: Record<string, Task> }): Promise<Runner> {
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

/** graphile-worker reports each job at level info; for us that is detail. What it calls errors it mends itself. */
function toWorkerLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error' || level === 'warning') log.warn({ meta }, message)
    else log.debug({ meta }, message)
  })
}
