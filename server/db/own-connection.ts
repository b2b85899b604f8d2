import pg from 'pg'
import { type Db, run } from './pool.ts'

export type OwnConnection = AsyncDisposable & { client: pg.Client; db: Db }

/**
 * A connection besides the pool, whose time limit for statements is not meant for whole databases. Ending it ends what it
 * holds: its transaction, unless that was committed, and its advisory locks.
 */
export async function openConnection(connectionString: string, applicationName: string): Promise<OwnConnection> {
  const client = new pg.Client({ connectionString, application_name: applicationName })
  // Without this listener a lost connection would end the process; the query under way fails by itself.
  client.on('error', () => undefined)
  await client.connect()
  return { client, db: { query: (query) => run(client, query) }, [Symbol.asyncDispose]: () => client.end() }
}
