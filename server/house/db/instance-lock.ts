import { SECOND } from '#contract/time.ts'
import { AlreadyRunning } from '#server/house/start-refused.ts'
import { PrimaryClient } from './hosts/primary-client.ts'
import { directOptions, type Pool } from './pool.ts'

export const LOCK_KEY = 0x72696e67
const ANSWER_LIMIT_MS = 5 * SECOND
const END_LIMIT_MS = 2 * SECOND

export type InstanceLock = AsyncDisposable & {
  /**
   * Takes the instance lock again if the connection that held it is lost. Throws AlreadyRunning if another process
   * holds the lock.
   */
  renew(): Promise<void>
}

/** The connection that holds the instance lock. `since` guards against a reused process id. */
type Holder = { client: PrimaryClient; pid: number; since: string; lost: boolean }

/**
 * Takes the lock that keeps a second process off the database: live events and the catalogue's index live in one
 * process. Throws AlreadyRunning if another process holds the lock.
 */
export async function takeInstanceLock(pool: Pool): Promise<InstanceLock> {
  const first = await connectAndLock(pool, null)
  if (first === null) throw new AlreadyRunning('another Ringpost is already running on this database: stop it first')
  let holder = first
  return {
    async renew() {
      if (await answers(holder)) return
      const next = await connectAndLock(pool, holder).catch((error: unknown) => {
        pool.failed(error)
        throw error
      })
      if (next === null) throw new AlreadyRunning('another Ringpost has taken over this database')
      holder = next
    },
    async [Symbol.asyncDispose]() {
      if (!holder.lost) await holder.client.end()
    },
  }
}

async function answers(holder: Holder): Promise<boolean> {
  if (holder.lost) return false
  try {
    const { client } = holder
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    // A lock on a stand-by keeps no second process off the primary.
    if (!client.primary.isChosen || rows[0]?.transaction_read_only === 'off') return true
  } catch {
    // The lock is taken again below.
  }
  holder.lost = true
  // The call is not awaited: closing a silent connection would delay taking the lock again.
  holder.client.end().catch(() => undefined)
  return false
}

async function connectAndLock(pool: Pool, earlier: Holder | null): Promise<Holder | null> {
  const { connectionString, applicationName } = directOptions(pool)
  const client = new PrimaryClient({
    connectionString,
    application_name: `${applicationName} lock`,
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
  })
  const holder: Holder = { client, pid: 0, since: '', lost: false }
  const lose = () => {
    holder.lost = true
  }
  // A connection that breaks while it is opened rejects `connect`. Without this listener the break would also end the
  // process.
  client.on('error', lose)
  client.on('end', lose)
  await client.connect()
  try {
    if (await tryLock(holder)) return holder
    if (earlier !== null) {
      await endOwn(client, earlier)
      if (await tryLock(holder)) return holder
    }
  } catch (error) {
    await client.end()
    throw error
  }
  await client.end()
  return null
}

async function tryLock(holder: Holder): Promise<boolean> {
  const { rows } = await holder.client.query<{ got: boolean; pid: number; since: string }>(
    `SELECT pg_try_advisory_lock($1) AS got, pid, backend_start::text AS since
      FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
    [LOCK_KEY],
  )
  const row = rows[0]
  if (row === undefined) throw new Error('PostgreSQL does not list the connection that asks')
  holder.pid = row.pid
  holder.since = row.since
  return row.got
}

/** Ends the PostgreSQL backend of a connection that we lost, because the backend may still hold the instance lock. */
async function endOwn(client: PrimaryClient, earlier: Holder): Promise<void> {
  const { rows } = await client.query<{ ended: boolean }>(
    `SELECT pg_terminate_backend(pid, $3) AS ended FROM pg_stat_activity
      WHERE pid = $1 AND backend_start = $2::timestamptz`,
    [earlier.pid, earlier.since, END_LIMIT_MS],
  )
  if (rows[0]?.ended === false) throw new Error('PostgreSQL does not end the lost connection that holds the lock')
}
