import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { pendingMigrations } from '#server/house/db/migrate.ts'
import { type Db, directOptions, Pool } from '#server/house/db/pool.ts'
import { AlreadyRunning, StandByEnded } from '#server/house/start-refused.ts'
import { ClockWatch } from './clock-watch.ts'
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts'
import type { Serving } from './lock-queries.ts'
import { nodeOf } from './node.ts'
import { isKilled, NodeWatch } from './node-watch.ts'
import {
  declareDead,
  endNode,
  insertNode,
  type LivingNode,
  listLivingNodes,
  NODE_LEASE_MS,
  type NodeFacts,
  renewNode,
  returnLeases,
  SERVING,
  takeLeases,
} from './queries.ts'
import { freeOf, shareLeases } from './share-leases.ts'

/** The interval at which a stand-by looks if it may serve. It bounds the gap after a clean end of the other node. */
const LOOK_MS = SECOND / 4
/** The time after which a node that may not be a stand-by gives up; a killed process is dead by then. */
const PATIENCE_MS = NODE_LEASE_MS + 2 * SECOND
const ANSWER_LIMIT_MS = SECOND

/** How this node waits while another node serves. Undefined means that it refuses to start. */
export type StandBy = {
  signal: AbortSignal
  /** Opens what a stand-by serves. Disposed of before the service starts. */
  open(): Promise<AsyncDisposable>
}

export type ServingNode = AsyncDisposable & {
  /** Renews the node, and takes its share of the leases. Throws AlreadyRunning if the node was declared dead. */
  renew(): Promise<void>
}

/** A node that wants to serve. `expectsEnd` means that a killed node stands in its way, and soon will not. */
type Candidate = {
  id: bigint
  serving: Serving
  isLeased: boolean
  expectsEnd: boolean
  /** The migrations that need that no other node serves. */
  left: readonly string[]
  watch: NodeWatch
}

/**
 * Makes this process a node, and then a node that serves the database. With Redis, several nodes serve together. Without
 * Redis one node serves, and this node waits as a stand-by meanwhile. Throws AlreadyRunning if it may not wait, and
 * StandByEnded if it is asked to end while it waits.
 */
export async function takeServing(ctx: Context, standBy?: StandBy): Promise<ServingNode> {
  await using db = openStandByPool(ctx)
  await using door = new AsyncDisposableStack()
  const giveUpAt = performance.now() + PATIENCE_MS
  const node: Candidate = {
    id: await insertNode(db, factsOf(ctx)),
    serving: ctx.redis === null ? 'alone' : 'together',
    isLeased: false,
    expectsEnd: false,
    left: [],
    watch: new NodeWatch(),
  }
  let isWaiting = false
  try {
    for (;;) {
      const lock = await tryToServe(ctx, db, node).catch((error: unknown) => {
        // A stand-by waits through an outage of PostgreSQL, as the node that serves does.
        if (standBy === undefined || !isDatabaseAway(error)) throw error
        node.watch.reset()
        return null
      })
      if (lock !== null) return serve(ctx, lock, node)
      if (standBy === undefined && performance.now() > giveUpAt) {
        throw new AlreadyRunning('another Ringpost is already running on this database: stop it first')
      }
      if (standBy !== undefined && !isWaiting && !node.expectsEnd) {
        isWaiting = true
        tellOfWaiting(ctx, node)
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

function tellOfWaiting({ log }: Context, { id, left }: Candidate): void {
  const node = id.toString()
  if (left.length === 0) log.warn({ node }, 'another node serves this database: this node is a stand-by')
  else log.warn({ node, migrations: left }, 'the migrations left need that no other node serves: this node waits')
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

/** Returns the lock of a node that serves, or null while it may not serve. */
async function tryToServe(ctx: Context, db: Db, node: Candidate): Promise<InstanceLock | null> {
  // A node that was paused for too long is dead. The process is then a new node.
  if ((await renewNode(db, { id: node.id, clock: ctx.clock })) === null) {
    Object.assign(node, { id: await insertNode(db, factsOf(ctx)), isLeased: false })
  }
  const nodes = await endDeadNodes(ctx, db, node)
  node.expectsEnd = nodes.some((other) => other.id !== node.id && isKilled(other))
  if (node.serving === 'together') {
    // A node that has just started has the lock, and says only with its next renewal that it serves.
    const others = nodes.filter((one) => one.id !== node.id && (one.connected || one.state !== 'stand_by'))
    // The migrations that are left say what they need, and the other nodes could not run on them.
    node.left = others.length === 0 ? [] : await pendingMigrations(ctx.db)
    if (node.left.length > 0) return null
  } else {
    node.isLeased ||= (await takeLeases(db, { names: [SERVING], nodeId: node.id })).length > 0
    if (!node.isLeased) return null
  }
  const lock = await takeInstanceLock(ctx.db, { nodeId: node.id, serving: node.serving })
  try {
    await lock?.renew()
    return lock
  } catch (error) {
    await lock?.[Symbol.asyncDispose]()
    if (error instanceof AlreadyRunning) return null
    throw error
  }
}

/** Declares those nodes dead that this node has watched for long enough. Returns all nodes that live. */
async function endDeadNodes(
  ctx: Context,
  db: Db,
  { id, watch }: Pick<Candidate, 'id' | 'watch'>,
): Promise<LivingNode[]> {
  const nodes = await listLivingNodes(db)
  const others = nodes.filter((one) => one.id !== id)
  const ended = new Set<bigint>()
  for (const dead of watch.judge(others, performance.now())) {
    if (!(await declareDead(db, dead))) continue
    ended.add(dead.id)
    ctx.log.warn({ node: dead.id.toString(), host: dead.host }, 'a node did not renew itself and was declared dead')
  }
  return nodes.filter((one) => !ended.has(one.id))
}

function serve(ctx: Context, lock: InstanceLock, { id, serving, watch }: Candidate): ServingNode {
  const self = nodeOf(ctx)
  const isLeaving = () => self.state === 'leaves'
  let freeBefore: ReadonlySet<string> = new Set()
  const clocks = new ClockWatch()
  Object.assign(self, { id, leases: serving === 'alone' ? null : new Set<string>() })
  return {
    async renew() {
      try {
        const begunAt = ctx.clock.now()
        const { db, untilMicros } = await lock.renew({
          state: self.state,
          sockets: ctx.realtime.stats().sockets,
          clock: ctx.clock,
        })
        clocks.judgeOwn(ctx.log, ctx.clock)
        ctx.replica?.noteRenewal({ nodeId: id, untilMicros, begunAt })
        // A node that leaves has given its leases away.
        if (serving === 'alone' || isLeaving()) return
        const nodes = await endDeadNodes(ctx, db, { id, watch })
        const others = nodes.filter((one) => one.id !== id && one.state === 'serves')
        self.livingNodes = others.length + 1
        clocks.compare(ctx.log, nodes)
        const leases = await shareLeases(db, { nodeId: id, nodes, wanted: self.wanted(), freeBefore })
        freeBefore = freeOf(nodes, self.wanted())
        if (isLeaving()) await returnLeases(db, { names: [...leases], nodeId: id })
        else self.leases = leases
      } catch (error) {
        watch.reset()
        throw error
      }
    },
    [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
  }
}
