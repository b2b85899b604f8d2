import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { MINUTE, SECOND } from '#contract/time.ts'
import { Pool } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import { underId } from '#server/house/trace.ts'
import { type Hands, wakeHands } from './wake-hands.ts'

/** A throw repeats the job with growing delays, up to its `max_attempts`. */
export type Task = (payload: unknown) => Promise<void>

/** Jobs that wait for the same others. They have hands of their own, so those that hang delay no other lane. */
export type Lane = { hands: number; tasks: Record<string, Task> }

export type Jobs = { stop(): Promise<void> }

/** Each hand polls by itself, too, in case a look was missed. */
const POLL_INTERVAL_MS = MINUTE
/** graphile-worker gives up during an outage of the database; a restart follows after this delay. */
const RESTART_DELAY_MS = 2 * SECOND
/** What fetches and settles jobs of all lanes, besides a listener for each: a job holds no connection. */
const CONNECTIONS = 6

/**
 * Statements queue jobs themselves, so a job commits with its cause: hot ones by `queue_job`, which wakes nobody
 * (migrations/0285_quiet_jobs.sql), others by `graphile_worker.add_job`. `pool.queued` wakes the hands of this process.
 */
export async function startJobs(input: { pool: Pool; log: Log; lanes: readonly Lane[] }): Promise<Jobs> {
  const stopped = new AbortController()
  const pool = openJobPool(input.pool, input.lanes.length)
  const work = { ...input, pool }
  let current: Begun = await begin(work).catch(async (error: unknown) => {
    await pool[Symbol.asyncDispose]()
    throw error
  })
  const stop = ({ runners }: Begun) => stopAll(work, runners)
  const waking = wakeHands(pool, input.log, () => current.hands)
  input.pool.queued = waking.queued
  const supervised = (async () => {
    while (!stopped.signal.aborted) {
      await current.ended
      if (stopped.signal.aborted) return
      levelOf(work)({}, 'the job runner gave up and is begun anew')
      // The old runner may never report its end.
      const given = Promise.race([stop(current), pause(stopped.signal)])
      const [next] = await Promise.all([restart(work, stopped.signal), given])
      current = next ?? current
    }
  })()
  return {
    async stop() {
      stopped.abort()
      input.pool.queued = undefined
      await waking.stop()
      await stop(current)
      await supervised
      // A restart under way may have begun another runner.
      await stop(current)
      await pool[Symbol.asyncDispose]()
    },
  }
}

/** A pool for graphile-worker alone, whose failed jobs are written as JSON (no bigint). */
export function openJobPool(pool: Pool, lanes = 1): Pool {
  const { options } = pool
  const applicationName = `${options.applicationName} jobs`
  const { outages } = pool
  const ours = { ...options, applicationName, maxConnections: CONNECTIONS + lanes, bigintAsText: true, outages }
  const jobs = new Pool(ours)
  releaseOnce(jobs.pg)
  return jobs
}

/**
 * A runner that is stopped while its LISTEN has no answer yet, and gets none, gives its listener back twice (0.17.3).
 * The pool throws at the second time, where nobody catches it, which would end the process.
 */
function releaseOnce(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  const listen = (callback: Connected) =>
    connect((error, client, release) => {
      // An ended pool gives nothing that could be released.
      if (client === undefined) return callback(error, client, release)
      let isReleased = false
      callback(error, client, (broken) => {
        if (!isReleased) release(broken)
        isReleased = true
      })
    })
  // A cast, because both forms of `connect` are one function.
  pool.connect = ((callback?: Connected) => (callback === undefined ? connect() : listen(callback))) as typeof connect
}

type Connected = Parameters<pg.Pool['connect']>[0]

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

/** Only a stop aborts the wait, and callers check the signal next. */
async function pause(signal: AbortSignal): Promise<void> {
  await wait(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined)
}

type Work = { pool: Pool; log: Log; lanes: readonly Lane[] }
/** `ended` resolves when one of the runners works no more, for whatever reason: all of them begin anew. */
type Begun = { runners: Runner[]; hands: Hands[]; ended: Promise<unknown> }

async function begin(input: Work): Promise<Begun> {
  await unlockJobs(input.pool)
  const runners: Runner[] = []
  const hands: Hands[] = []
  try {
    const ends: Promise<unknown>[] = []
    for (const lane of input.lanes) {
      const { runner, ended, ...ofLane } = await beginLane(input, lane)
      runners.push(runner)
      hands.push(ofLane)
      ends.push(ended)
    }
    return { runners, hands, ended: Promise.race(ends) }
  } catch (error) {
    await stopAll(input, runners)
    throw error
  }
}

/** A runner that has stopped by itself rejects here. */
async function stopAll({ log }: Work, runners: readonly Runner[]): Promise<void> {
  const stop = (runner: Runner) =>
    runner.stop().catch((error: unknown) => log.debug({ error }, 'the job runner had stopped already'))
  await Promise.all(runners.map(stop))
}

async function beginLane(input: Work, lane: Lane): Promise<Hands & { runner: Runner; ended: Promise<unknown> }> {
  const taskList: TaskList = {}
  for (const [name, task] of Object.entries(lane.tasks)) {
    taskList[name] = (payload, { job }) => underId(`job-${job.id}`, () => task(payload))
  }
  const events: WorkerEvents = new EventEmitter()
  let workers: WorkerPool | undefined
  events.once('pool:create', ({ workerPool }) => {
    workers = workerPool
  })
  const shutsDown = new Promise((resolve) => {
    events.once('pool:gracefulShutdown', resolve)
  })
  // A job whose lock was committed but whose answer was lost stays locked until `unlockJobs`. A runner that failed to
  // read its tasks never retries (0.17.3). Both need a restart.
  const losesJobs = new Promise((resolve) => {
    events.once('worker:getJob:error', resolve)
  })
  const runner = await run({
    pgPool: input.pool.pg,
    taskList,
    events,
    concurrency: lane.hands,
    noHandleSignals: true,
    // Without batches, a job that ends during an outage rejects unhandled, which would end the process. A failed batch
    // shuts the runner down instead.
    preset: { worker: { pollInterval: POLL_INTERVAL_MS, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: toWorkerLogger(input),
  })
  const settled = runner.promise.catch((error: unknown) => levelOf(input, error)({ error }, 'the job runner failed'))
  // After two failed batches the runner never ends (0.17.3), so its shutdown event counts as the end.
  return {
    runner,
    ended: Promise.race([settled, shutsDown, losesJobs]),
    wake: (jobs) => workers?.nudge(jobs),
  }
}

/** A killed process leaves jobs locked for four hours; the instance lock makes those stale (db/instance-lock.ts). */
async function unlockJobs(pool: Pool): Promise<void> {
  await pool.query({
    text: `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
      FROM graphile_worker.jobs WHERE locked_by IS NOT NULL HAVING count(*) > 0`,
  })
}

/** graphile-worker logs each job at info, which is debug here, and recovers from its own errors. */
function toWorkerLogger(input: Work): Logger {
  return new Logger(() => (level, message, meta) => {
    const error: unknown = meta?.error ?? meta?.fatalError
    // A task's failure has its own cause, not the outage.
    const warn = meta?.failure === true ? input.log.warn : levelOf(input, error)
    if (level === 'error' || level === 'warning') warn({ meta, error }, message)
    else input.log.debug({ meta }, message)
  })
}

/** An outage is logged once, by whoever notices it first: the runner may be the first or the last. */
function levelOf({ log, pool }: Work, error?: unknown): Log['warn'] {
  return pool.outages.failed(error) || pool.outages.away ? log.debug : log.warn
}
