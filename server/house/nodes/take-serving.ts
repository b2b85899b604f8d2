import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { isAlive } from '#server/house/db/is-alive.ts'
import { type Db, directOptions, Pool } from '#server/house/db/pool.ts'
import { AlreadyRunning, StandByEnded } from '#server/house/start-refused.ts'
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts'
import { nodeOf } from './node.ts'
import {
  endNode,
  findServing,
  insertNode,
  NODE_LEASE_MS,
  type NodeFacts,
  renewNode,
  SERVING,
  takeLease,
} from './queries.ts'

/** The interval at which a stand-by looks if it may serve. It bounds the gap after a clean end of the other node. */
const LOOK_MS = SECOND / 4
/** The time after which a node that may not be a stand-by gives up; a killed process is dead by then. */
const PATIENCE_MS = NODE_LEASE_MS + 2 * SECOND
/** The time without a renewal after which a node whose process is gone counts as killed. */
const NO_RENEWAL_MS = 600
const ANSWER_LIMIT_MS = SECOND

/** How this node waits while another node serves. Undefined means that it refuses to start. */
export type StandBy = {
  signal: AbortSignal
  /** Opens what a stand-by serves. Disposed of before the service starts. */
  open(): Promise<AsyncDisposable>
}

/** A node that wants to serve. `seen` is what it last saw of the node that serves. */
type Candidate = { id: bigint; isLeased: boolean; seen: { until: string; at: number } | null }

/**
 * Makes this process a node, and then the node that serves the database. While another node serves, this node waits as
 * a stand-by. Throws AlreadyRunning if it may not wait, and StandByEnded if it is asked to end while it waits.
 */
export async function takeServing(ctx: Context, standBy?: StandBy): Promise<InstanceLock> {
  await using db = openStandByPool(ctx)
  await using door = new AsyncDisposableStack()
  const giveUpAt = performance.now() + PATIENCE_MS
  const node: Candidate = { id: await insertNode(db, factsOf(ctx)), isLeased: false, seen: null }
  let isWaiting = false
  try {
    for (;;) {
      const lock = await tryToServe(ctx, db, node).catch((error: unknown) => {
        // A stand-by waits through an outage of PostgreSQL, as the node that serves does.
        if (standBy === undefined || !isDatabaseAway(error)) throw error
        return null
      })
      if (lock !== null) {
        nodeOf(ctx).id = node.id
        return lock
      }
      if (standBy === undefined && performance.now() > giveUpAt) {
        throw new AlreadyRunning('another Ringpost is already running on this database: stop it first')
      }
      if (standBy !== undefined && !isWaiting && node.seen === null) {
        isWaiting = true
        ctx.log.warn({ node: node.id.toString() }, 'another node serves this database: this node is a stand-by')
        door.use(await standBy.open())
      }
      await wait(LOOK_MS, undefined, { signal: standBy?.signal }).catch(() => undefined)
      if (standBy?.signal.aborted === true) throw new StandByEnded('the stand-by was asked to end')
    }
  } catch (error) {
    await endNode(db, node.id).catch(() => undefined)
    throw error
  }
}

/** Opens a connection of the stand-by's own. Its answers have a short limit, so that a silent PostgreSQL is left. */
function openStandByPool(ctx: Context): Pool {
  const options = directOptions(ctx.db)
  return new Pool({
    ...options,
    applicationName: `${options.applicationName} stand-by`,
    maxConnections: 1,
    answerLimitMs: ANSWER_LIMIT_MS,
    outages: ctx.db.outages,
  })
}

function factsOf(ctx: Context): NodeFacts {
  return { host: hostname(), pid: process.pid, ...ctx.config.release }
}

/** Returns the lock of the node that serves, or null while another node serves. */
async function tryToServe(ctx: Context, db: Db, node: Candidate): Promise<InstanceLock | null> {
  // A node that was paused for too long is dead. The process is then a new node.
  if (!(await renewNode(db, node.id))) Object.assign(node, { id: await insertNode(db, factsOf(ctx)), isLeased: false })
  node.isLeased ||= (await takeLease(db, { name: SERVING, nodeId: node.id })) !== null
  if (!node.isLeased) {
    await endKilled(db, node)
    return null
  }
  const lock = await takeInstanceLock(ctx.db, node.id)
  try {
    await lock?.renew()
    return lock
  } catch (error) {
    await lock?.[Symbol.asyncDispose]()
    if (error instanceof AlreadyRunning) return null
    throw error
  }
}

/**
 * Ends the serving node if its process was killed on this machine, so that a restart need not wait for the node's time.
 * A node on a second machine with the same host name renews itself meanwhile, or holds the instance lock.
 */
async function endKilled(db: Db, node: Candidate): Promise<void> {
  const serving = await findServing(db)
  const isKilled = serving !== null && serving.host === hostname() && !serving.locked && isGone(serving.pid)
  if (!isKilled) {
    node.seen = null
    return
  }
  if (node.seen?.until !== serving.until) node.seen = { until: serving.until, at: performance.now() }
  else if (performance.now() - node.seen.at > NO_RENEWAL_MS) await endNode(db, serving.id)
}

/** The process of a restarted container often has the process id of the killed one. */
function isGone(pid: number): boolean {
  return pid === process.pid || !isAlive(pid)
}
