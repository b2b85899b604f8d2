import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { isAlive } from '#server/house/db/is-alive.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { type Db, directOptions } from '#server/house/db/pool.ts'
import { AlreadyRunning, StandByEnded } from '#server/house/start-refused.ts'
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts'
import { nodeOf } from './node.ts'
import { endNode, findServing, insertNode, NODE_LEASE_MS, renewNode, SERVING, takeLease } from './queries.ts'

/** The interval at which a stand-by looks if it may serve. It bounds the gap after a clean end of the other node. */
const LOOK_MS = SECOND / 4
/** The time after which a node that may not be a stand-by gives up; a killed process is dead by then. */
const PATIENCE_MS = NODE_LEASE_MS + SECOND

/** How this node waits while another node serves. Undefined means that it refuses to start. */
export type StandBy = {
  signal: AbortSignal
  /** Opens what a stand-by serves. Disposed of before the service starts. */
  open(): Promise<AsyncDisposable>
}

/**
 * Makes this process a node, and then the node that serves the database. While another node serves, this node waits as
 * a stand-by. Throws AlreadyRunning if it may not wait, and StandByEnded if it is asked to end while it waits.
 */
export async function takeServing(ctx: Context, standBy?: StandBy): Promise<InstanceLock> {
  const { connectionString, applicationName } = directOptions(ctx.db)
  // The stand-by has a connection of its own, because a node whose pool is busy must still be able to renew itself.
  await using own = await openConnection(connectionString, `${applicationName} stand-by`)
  const facts = { host: hostname(), pid: process.pid, ...ctx.config.release }
  const giveUpAt = performance.now() + PATIENCE_MS
  let nodeId = await insertNode(own.db, facts)
  await using door = new AsyncDisposableStack()
  let isWaiting = false
  let isLeased = false
  for (;;) {
    // Another node declares a stand-by dead that was paused for too long. The stand-by is then a new node.
    if (!(await renewNode(own.db, nodeId))) {
      nodeId = await insertNode(own.db, facts)
      isLeased = false
    }
    isLeased ||= (await takeLease(own.db, { name: SERVING, nodeId })) !== null
    const lock = isLeased ? await takeInstanceLock(ctx.db, nodeId) : null
    if (lock !== null) {
      nodeOf(ctx).id = nodeId
      return lock
    }
    if (!isLeased && (await endKilled(own.db, facts.host))) continue
    if (standBy === undefined) {
      if (performance.now() > giveUpAt) {
        await endNode(own.db, nodeId)
        throw new AlreadyRunning('another Ringpost is already running on this database: stop it first')
      }
    } else if (!isWaiting) {
      isWaiting = true
      ctx.log.warn({ node: nodeId.toString() }, 'another node serves this database: this node is a stand-by')
      door.use(await standBy.open())
    }
    await wait(LOOK_MS, undefined, { signal: standBy?.signal }).catch(() => undefined)
    if (standBy?.signal.aborted === true) {
      await endNode(own.db, nodeId)
      throw new StandByEnded('the stand-by was asked to end')
    }
  }
}

/**
 * Ends the serving node if its process was killed on this machine, so that a restart need not wait for the node's time.
 * A node on a second machine with the same host name is spared, because it holds the instance lock.
 */
async function endKilled(db: Db, host: string): Promise<boolean> {
  const serving = await findServing(db)
  if (serving === null || serving.host !== host || serving.locked) return false
  // The process of a restarted container often has the process id of the killed one.
  if (serving.pid !== process.pid && isAlive(serving.pid)) return false
  await endNode(db, serving.id)
  return true
}
