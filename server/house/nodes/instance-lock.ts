import { SECOND } from '#contract/time.ts'
import { PrimaryClient } from '#server/house/db/hosts/primary-client.ts'
import { COLUMN_TYPES, type Db, directOptions, type Pool, run } from '#server/house/db/pool.ts'
import { AlreadyRunning } from '#server/house/start-refused.ts'
import { endDeadLocks, type Serving, tryInstanceLock } from './lock-queries.ts'
import { endNode, type Renewal, renewNode } from './queries.ts'
import { TimelineWatch } from './timeline.ts'

const ANSWER_LIMIT_MS = 5 * SECOND

export type InstanceLock = AsyncDisposable & {
  /**
   * Renews the node that serves, and takes the lock again if its connection is lost. Returns the connection that renewed
   * the node, and the time until which it is renewed. Throws AlreadyRunning if the node was declared dead, or if another
   * process has the lock.
   */
  renew(renewal?: Partial<Renewal>): Promise<Renewed>
}

/** `untilMicros` is null if the connection was lost again before it renewed the node. */
type Renewed = { db: Db; untilMicros: bigint | null }

/** A node and how it wants to serve. */
export type Contender = { nodeId: bigint; serving: Serving }

/** The connection that holds the instance lock. */
type Holder = { client: PrimaryClient; db: Db; lost: boolean }

/**
 * Takes the lock of a node that serves. Release 0.1.0 knows no nodes, so this lock keeps that release off the database.
 * Returns null if another process has the lock. Disposal ends the node.
 */
export async function takeInstanceLock(pool: Pool, node: Contender): Promise<InstanceLock | null> {
  const timelines = new TimelineWatch()
  const first = await connectAndLock(pool, node, timelines)
  if (first === null) return null
  let holder = first
  return {
    async renew(renewal = {}) {
      const untilMicros = await tryToRenew(holder, { id: node.nodeId, ...renewal })
      if (untilMicros !== null) return { db: holder.db, untilMicros }
      const next = await connectAndLock(pool, node, timelines).catch(async (error: unknown) => {
        pool.failed(error)
        // The requests may still reach PostgreSQL, by another way. Then the node lives on.
        const untilMicros = await renewNode(pool, { id: node.nodeId, ...renewal })
        if (untilMicros === null) throw takenOver()
        await timelines.note(pool, pool.options.log)
        return { db: pool, untilMicros }
      })
      if (next === null) throw takenOver()
      if ('untilMicros' in next) return next
      holder = next
      return { db: holder.db, untilMicros: await tryToRenew(holder, { id: node.nodeId, ...renewal }) }
    },
    async [Symbol.asyncDispose]() {
      await endNode(holder.lost ? pool : holder.db, node.nodeId).catch(() => undefined)
      if (!holder.lost) await holder.client.end()
    },
  }
}

/** Returns null if the connection is lost. Throws AlreadyRunning if the node was declared dead. */
async function tryToRenew(holder: Holder, node: Parameters<typeof renewNode>[1]): Promise<bigint | null> {
  if (holder.lost) return null
  // A PostgreSQL that became a stand-by refuses the renewal, and the next connection finds the primary.
  const untilMicros = await renewNode(holder.db, node).catch(() => undefined)
  if (untilMicros === null) throw takenOver()
  if (untilMicros !== undefined) return untilMicros
  holder.lost = true
  // The call is not awaited, because closing a silent connection would delay taking the lock again.
  holder.client.end().catch(() => undefined)
  return null
}

function takenOver(): AlreadyRunning {
  return new AlreadyRunning('another Ringpost has taken over this database')
}

async function connectAndLock(pool: Pool, node: Contender, timelines: TimelineWatch): Promise<Holder | null> {
  const { connectionString, applicationName } = directOptions(pool)
  const client = new PrimaryClient({
    connectionString,
    application_name: `${applicationName} lock`,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
    types: COLUMN_TYPES,
    // A renewal need not survive a crash of PostgreSQL, so it does not wait for the disk or for a replica.
    options: '-c synchronous_commit=off',
  })
  const db: Db = { query: (query) => run(client, query) }
  const holder: Holder = { client, db, lost: false }
  const lose = () => {
    holder.lost = true
  }
  // A connection that breaks while it is opened rejects `connect`. Without this listener the break would also end the
  // process.
  client.on('error', lose)
  client.on('end', lose)
  await client.connect()
  try {
    let isTaken = await tryInstanceLock(db, node)
    isTaken ||= (await endDeadLocks(db, node.nodeId)) && (await tryInstanceLock(db, node))
    if (isTaken) {
      await timelines.note(db, pool.options.log)
      return holder
    }
  } catch (error) {
    await client.end()
    throw error
  }
  await client.end()
  return null
}
