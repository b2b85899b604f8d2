import type pg from 'pg'
import { migrate } from '#server/house/db/migrate.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { Pool } from '#server/house/db/pool.ts'
import { queryOnce, quietLog, startTemporaryPostgres } from '#test/harness/postgres/temporary-postgres.ts'

const NAME = 'migrated'

/** Creates a migrated database, runs `work` with a connection to it, and removes the database. */
export async function withMigratedDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const postgres = await startTemporaryPostgres()
  try {
    await queryOnce(postgres.superuserConnectionString('postgres'), `CREATE DATABASE ${NAME} OWNER ringpost`)
    const connectionString = postgres.connectionString(NAME)
    await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: NAME, log: quietLog })
    await migrate(pool)
    await using own = await openConnection(connectionString, NAME)
    return await work(own.client)
  } finally {
    await postgres.remove()
  }
}
