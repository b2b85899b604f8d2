import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { SECOND } from '#contract/time.ts'
import { isDatabaseAway } from '#server/db/constraint.ts'
import { Pool } from '#server/db/pool.ts'
import type { Log } from '#server/log.ts'
import { underId } from '#server/trace.ts'

/** What a job does with its payload. Throwing repeats it later, with growing delays, up to its `max_attempts`. */
export type Task = (payload: unknown) => Promise<void>

/** Working off jobs until stopped. */
export type Jobs = { stop(): Promise<void> }

const CONCURRENCY = 4
const POLL_INTERVAL_MS = SECOND
/** graphile-worker gives up when the database is away; it is begun anew after this long. */
const RESTART_DELAY_MS = 2 * SECOND
/** Beside each job under way: one connection that listens, and one that finds and settles jobs. */
const CONNECTIONS = CONCURRENCY + 2

/**
 * Works off the jobs of graphile-worker in this process, and goes on after the database was away. Jobs are queued inside
 * the statements that cause them (`graphile_worker.add_job`), so a job exists exactly when its cause was committed.
 */
export async function startJobs(input: { pool: Pool; log: Log; tasks: Record<string, Task> }): Promise<Jobs> {
  const stopped = new AbortController()
  const pool = openJobPool(input.pool)
  const work = { ...input, pool }
  let current: Begun = await begin(work).catch(async (error: unknown) => {
    await pool[Symbol.asyncDispose]()
    throw error
  })
  // One that has stopped by itself says so by a rejection.
  const stop = ({ runner }: Begun) =>
    runner.stop().catch((error: unknown) => input.log.debug({ error }, 'the job runner had stopped already'))
  const supervised = (async () => {
    while (!stopped.signal.aborted) {
      await current.ended
      if (stopped.signal.aborted) return
      levelOf(work)({}, 'the job runner gave up and is begun anew')
      // It may never say that it has stopped.
      const given = Promise.race([stop(current), pause(stopped.signal)])
      const [next] = await Promise.all([restart(work, stopped.signal), given])
      current = next ?? current
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await stop(current)
      await supervised
      // A restart that was under way has begun another one.
      await stop(current)
      await pool[Symbol.asyncDispose]()
    },
  }
}

/** Connections for graphile-worker alone: it writes what it read of a job as JSON when the job fails. */
export function openJobPool(pool: Pool): Pool {
  const { options } = pool
  const applicationName = `${options.applicationName} jobs`
  const { outages } = pool
  return new Pool({ ...options, applicationName, maxConnections: CONNECTIONS, bigintAsText: true, outages })
}

async function restart(input: Work, signal: AbortSignal): Promise<Begun | null> {
  while (!signal.aborted) {
    await pause(signal)
    if (signal.aborted) return null
    try {
      return await begin(input)
    } catch (error) {
      levelOf(input, error)({ error }, 'the job runner cannot begin yet')
    }
  }
  return null
}

/** Cut short only by a stop, which whoever pauses sees next. */
async function pause(signal: AbortSignal): Promise<void> {
  await wait(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined)
}

type Work = { pool: Pool; log: Log; tasks: Record<string, Task> }
/** `ended` resolves when the runner works no more, whatever the reason. */
type Begun = { runner: Runner; ended: Promise<unknown> }

async function begin(input: Work): Promise<Begun> {
  await unlockJobs(input.pool)
  const taskList: TaskList = {}
  for (const [name, task] of Object.entries(input.tasks)) {
    taskList[name] = (payload, { job }) => underId(`job-${job.id}`, () => task(payload))
  }
  const events: WorkerEvents = new EventEmitter()
  const shutsDown = new Promise((resolve) => {
    events.once('pool:gracefulShutdown', resolve)
  })
  // A job whose lock was committed and whose answer was lost is nobody's until all is unlocked by the next beginning; and what
  // this runner could not read of its tasks at first it never asks for again (0.17.3).
  const losesJobs = new Promise((resolve) => {
    events.once('worker:getJob:error', resolve)
  })
  const runner = await run({
    pgPool: input.pool.pg,
    taskList,
    events,
    concurrency: CONCURRENCY,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    // Without a batch, a job that ends while the database is away rejects a promise nobody awaits, which would end this
    // process. A batch that fails shuts the runner down instead.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: toWorkerLogger(input),
  })
  const settled = runner.promise.catch((error: unknown) => levelOf(input, error)({ error }, 'the job runner failed'))
  // After two failed batches it waits for ever for its own end (0.17.3): that it begins to shut down is enough.
  return { runner, ended: Promise.race([settled, shutsDown, losesJobs]) }
}

/**
 * A process that was killed leaves its jobs locked, which graphile-worker honours for four hours. One process at a time
 * works on a database (db/instance-lock.ts), so what is locked when it begins is nobody's.
 */
async function unlockJobs(pool: Pool): Promise<void> {
  await pool.query({
    text: `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
      FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL HAVING count(*) > 0`,
  })
}

/** graphile-worker reports each job at level info; for us that is detail. What it calls errors it mends itself. */
function toWorkerLogger(input: Work): Logger {
  return new Logger(() => (level, message, meta) => {
    const error: unknown = meta?.error ?? meta?.fatalError
    // A task fails for reasons of its own.
    const warn = meta?.failure === true ? input.log.warn : levelOf(input, error)
    if (level === 'error' || level === 'warning') warn({ meta, error }, message)
    else input.log.debug({ meta }, message)
  })
}

/** That the database is away is told once, by whoever asked it first; the runner may notice after it is back. */
function levelOf({ log, pool }: Work, error?: unknown): Log['warn'] {
  return pool.outages.away || isDatabaseAway(error) ? log.debug : log.warn
}
