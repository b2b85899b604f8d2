import pg from 'pg'
import { AlreadyRunning } from '#server/start-refused.ts'
import type { Pool } from './pool.ts'

/** "ring" in ASCII; the one advisory lock of a serving process. */
const LOCK_KEY = 0x72696e67

/** The right to serve this database: held by one process at a time, by a connection of its own. */
export type InstanceLock = AsyncDisposable & {
  /** Takes the lock again if its connection was lost. Throws StartRefused when another process has it now. */
  renew(): Promise<void>
}

/** Live events and the catalogue's index live in one process, so a second one on the same database is refused with StartRefused. */
export async function takeInstanceLock(pool: Pool): Promise<InstanceLock> {
  let client = await connectAndLock(pool)
  let lost = false
  const watch = (watched: pg.Client): void => {
    watched.on('error', () => {
      lost = true
    })
    watched.on('end', () => {
      lost = true
    })
  }
  watch(client)
  return {
    async renew() {
      if (!lost) return
      client = await connectAndLock(pool)
      lost = false
      watch(client)
    },
    async [Symbol.asyncDispose]() {
      if (!lost) await client.end()
    },
  }
}

async function connectAndLock(pool: Pool): Promise<pg.Client> {
  const { connectionString, applicationName } = pool.options
  const client = new pg.Client({ connectionString, application_name: `${applicationName} lock` })
  // A connection that breaks while it is being made rejects `connect`; without a listener it would end the process too.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [LOCK_KEY])
  if (rows[0]?.got === true) return client
  await client.end()
  throw new AlreadyRunning('another Ringpost is already running on this database: stop it first')
}
