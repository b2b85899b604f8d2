import { SECOND } from '#contract/time.ts'
import { PrimaryClient } from '#server/house/db/hosts/primary-client.ts'
import { type Db, directOptions, type Pool, run } from '#server/house/db/pool.ts'
import { AlreadyRunning } from '#server/house/start-refused.ts'
import { endDeadLock, endNode, renewNode, tryInstanceLock } from './queries.ts'

const ANSWER_LIMIT_MS = 5 * SECOND

export type InstanceLock = AsyncDisposable & {
  /**
   * Renews the node that serves, and takes the lock again if its connection is lost. Throws AlreadyRunning if the node
   * was declared dead, or if another process has the lock.
   */
  renew(): Promise<void>
}

/** The connection that holds the instance lock. */
type Holder = { client: PrimaryClient; db: Db; lost: boolean }

/**
 * Takes the lock of the node that serves. Release 0.1.0 knows no nodes, so this lock keeps that release off the
 * database. Returns null if another process has the lock. Disposal ends the node.
 */
export async function takeInstanceLock(pool: Pool, nodeId: bigint): Promise<InstanceLock | null> {
  const first = await connectAndLock(pool, nodeId)
  if (first === null) return null
  let holder = first
  return {
    async renew() {
      if (await renews(holder, nodeId)) return
      const next = await connectAndLock(pool, nodeId).catch((error: unknown) => {
        pool.failed(error)
        throw error
      })
      if (next === null) throw takenOver()
      holder = next
      await renews(holder, nodeId)
    },
    async [Symbol.asyncDispose]() {
      if (holder.lost) return
      await endNode(holder.db, nodeId).catch(() => undefined)
      await holder.client.end()
    },
  }
}

/** Returns false if the connection is lost. Throws AlreadyRunning if the node was declared dead. */
async function renews(holder: Holder, nodeId: bigint): Promise<boolean> {
  if (holder.lost) return false
  // A PostgreSQL that became a stand-by refuses the renewal, and the next connection finds the primary.
  const isAlive = await renewNode(holder.db, nodeId).catch(() => null)
  if (isAlive === false) throw takenOver()
  if (isAlive === true) return true
  holder.lost = true
  // The call is not awaited, because closing a silent connection would delay taking the lock again.
  holder.client.end().catch(() => undefined)
  return false
}

function takenOver(): AlreadyRunning {
  return new AlreadyRunning('another Ringpost has taken over this database')
}

async function connectAndLock(pool: Pool, nodeId: bigint): Promise<Holder | null> {
  const { connectionString, applicationName } = directOptions(pool)
  const client = new PrimaryClient({
    connectionString,
    application_name: `${applicationName} lock`,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
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
    if (await tryInstanceLock(db, nodeId)) return holder
    if ((await endDeadLock(db, nodeId)) && (await tryInstanceLock(db, nodeId))) return holder
  } catch (error) {
    await client.end()
    throw error
  }
  await client.end()
  return null
}
