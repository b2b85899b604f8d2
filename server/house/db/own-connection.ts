import type pg from 'pg'
import { PrimaryClient } from './hosts/primary-client.ts'
import { type Db, run, TRANSACTION_IDLE_MS } from './pool.ts'

export type OwnConnection = AsyncDisposable & { client: pg.Client; db: Db }

/**
 * Opens a connection outside the pool, whose statement time-out does not suit work on the whole database. Closing the
 * connection releases its advisory locks.
 */
export async function openConnection(connectionString: string, applicationName: string): Promise<OwnConnection> {
  const client = new PrimaryClient({
    connectionString,
    application_name: applicationName,
    idle_in_transaction_session_timeout: TRANSACTION_IDLE_MS,
  })
  // A lost connection would end the process without this listener. The running query fails by itself.
  client.on('error', () => undefined)
  await client.connect()
  return { client, db: { query: (query) => run(client, query) }, [Symbol.asyncDispose]: () => client.end() }
}
