import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { MINUTE, SECOND } from '#contract/time.ts'
import { directOptions, Pool } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import { underId } from '#server/house/trace.ts'
import { startLoop } from './loop.ts'
import { unlockJobs, workerIdOf } from './unlock-jobs.ts'
import { type Workers, wakeWorkers } from './wake-workers.ts'

/** Runs a job. If it throws, the job is retried with a growing back-off, up to the job's `max_attempts`. */
export type Task = (payload: unknown) => Promise<void>

/** A lane: tasks with `hands` workers of their own, so that hanging tasks delay no other lane. */
export type Lane = { hands: number; tasks: Record<string, Task> }

export type Jobs = { stop(): Promise<void> }

/** The interval at which each worker looks for jobs, in case a wake-up was missed. */
const POLL_INTERVAL_MS = MINUTE
const RESTART_DELAY_MS = 2 * SECOND
/** A node that was frozen may lock one more job after another node has unlocked its jobs. */
const UNLOCK_EVERY_MS = MINUTE
/** The number of connections that fetch and settle jobs. Each lane has one more to listen; running jobs hold none. */
const CONNECTIONS = 6

/**
 * Starts the job workers. SQL statements queue jobs, so that a job commits with its cause. Frequent statements call
 * `queue_job`, which sends no NOTIFY (migrations/0285_quiet_jobs.sql), and `pool.queued` wakes the workers. Others call
 * `graphile_worker.add_job`.
 */
export async function startJobs(input: Work): Promise<Jobs> {
  const stopped = new AbortController()
  const pool = openJobPool(input.pool, input.lanes.length)
  const work = { ...input, pool }
  let current: Begun = await begin(work).catch(async (error: unknown) => {
    await pool[Symbol.asyncDispose]()
    throw error
  })
  const stop = ({ runners }: Begun) => stopAll(work, runners)
  const waking = wakeWorkers(pool, input.log, () => current.hands)
  input.pool.queued = waking.queued
  const unlocking = startLoop(input.log, {
    name: 'locked jobs',
    everyMs: UNLOCK_EVERY_MS,
    work: () => unlockJobs(pool, { nodeId: input.nodeId, own: false }),
  })
  const supervised = (async () => {
    while (!stopped.signal.aborted) {
      await current.ended
      if (stopped.signal.aborted) return
      levelOf(work)({}, 'the job runner gave up and is begun anew')
      // The old runner may never report its end, so the restart does not wait for it.
      const given = Promise.race([stop(current), pause(stopped.signal)])
      const [next] = await Promise.all([restart(work, stopped.signal), given])
      current = next ?? current
    }
  })()
  return {
    async stop() {
      stopped.abort()
      input.pool.queued = undefined
      await Promise.all([waking.stop(), unlocking.stop()])
      await stop(current)
      await supervised
      // A restart under way may have started a further runner, so the current one is stopped again.
      await stop(current)
      await pool[Symbol.asyncDispose]()
    },
  }
}

/** Opens a pool for graphile-worker only, which writes failed jobs as JSON. JSON has no bigint. */
export function openJobPool(pool: Pool, lanes = 1): Pool {
  // LISTEN needs a session, and a lane listens for as long as it lives.
  const options = directOptions(pool)
  const applicationName = `${options.applicationName} jobs`
  const { outages } = pool
  const ours = { ...options, applicationName, maxConnections: CONNECTIONS + lanes, bigintAsText: true, outages }
  const jobs = new Pool(ours)
  releaseOnce(jobs.pg)
  return jobs
}

/**
 * Works around a bug of graphile-worker 0.17.3: a runner that is stopped while its LISTEN gets no answer releases its
 * connection twice. The pool then throws an error that nothing catches.
 */
function releaseOnce(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool)
  const listen = (callback: Connected) =>
    connect((error, client, release) => {
      if (client === undefined) return callback(error, client, release)
      let isReleased = false
      callback(error, client, (broken) => {
        if (!isReleased) release(broken)
        isReleased = true
      })
    })
  // The cast is needed because both forms of `connect` are one function.
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

async function pause(signal: AbortSignal): Promise<void> {
  await wait(RESTART_DELAY_MS, undefined, { signal }).catch(() => undefined)
}

type Work = { pool: Pool; log: Log; lanes: readonly Lane[]; nodeId: bigint }
/** `ended` resolves when any runner has stopped working, for whatever reason. All runners are then restarted. */
type Begun = { runners: Runner[]; hands: Workers[]; ended: Promise<unknown> }

async function begin(input: Work): Promise<Begun> {
  await unlockJobs(input.pool, { nodeId: input.nodeId, own: true })
  const runners: Runner[] = []
  const hands: Workers[] = []
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

async function stopAll({ log }: Work, runners: readonly Runner[]): Promise<void> {
  const stop = (runner: Runner) =>
    runner.stop().catch((error: unknown) => log.debug({ error }, 'the job runner had stopped already'))
  await Promise.all(runners.map(stop))
}

async function beginLane(input: Work, lane: Lane): Promise<Workers & { runner: Runner; ended: Promise<unknown> }> {
  const taskList: TaskList = {}
  for (const [name, task] of Object.entries(lane.tasks)) {
    taskList[name] = (payload, { job }) => underId(`job-${job.id}`, () => task(payload))
  }
  const events: WorkerEvents = new EventEmitter()
  let workers: WorkerPool | undefined
  events.once('pool:create', ({ workerPool }) => {
    workerPool.id = workerIdOf(input.nodeId, workerPool.id)
    workers = workerPool
  })
  const shutsDown = new Promise((resolve) => {
    events.once('pool:gracefulShutdown', resolve)
  })
  // Two faults need a restart. A job whose lock was committed but whose answer was lost stays locked until
  // `unlockJobs`. A runner that failed to read its tasks never retries (graphile-worker 0.17.3).
  const losesJobs = new Promise((resolve) => {
    events.once('worker:getJob:error', resolve)
  })
  const runner = await run({
    pgPool: input.pool.pg,
    taskList,
    events,
    concurrency: lane.hands,
    noHandleSignals: true,
    // Batches are enabled because a job that ends during an outage would else cause an unhandled rejection and end the
    // process. A failed batch only stops the runner.
    preset: { worker: { pollInterval: POLL_INTERVAL_MS, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: toWorkerLogger(input),
  })
  const settled = runner.promise.catch((error: unknown) => levelOf(input, error)({ error }, 'the job runner failed'))
  // The runner's promise never settles after two failed batches (graphile-worker 0.17.3), but its shutdown event comes.
  return {
    runner,
    ended: Promise.race([settled, shutsDown, losesJobs]),
    wake: (jobs) => workers?.nudge(jobs),
  }
}

/** Passes graphile-worker's log to ours. Its level info, at which it logs every job, becomes debug. */
function toWorkerLogger(input: Work): Logger {
  return new Logger(() => (level, message, meta) => {
    const error: unknown = meta?.error ?? meta?.fatalError
    // A failed task is logged as a warning even during an outage, because its cause may be different.
    const warn = meta?.failure === true ? input.log.warn : levelOf(input, error)
    if (level === 'error' || level === 'warning') warn({ meta, error }, message)
    else input.log.debug({ meta }, message)
  })
}

/** Returns the log function for an error. During an outage it is `debug`, because the outage is logged once. */
function levelOf({ log, pool }: Work, error?: unknown): Log['warn'] {
  return pool.failed(error) || pool.outages.away ? log.debug : log.warn
}
