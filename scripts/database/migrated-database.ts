import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { Pool } from '#server/db/pool.ts'
import { quietLog, startTemporaryPostgres } from '#test/harness/temporary-postgres.ts'

const NAME = 'migrated'

/** Runs `work` with a connection to a database that has every migration, and removes it. */
export async function withMigratedDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const postgres = await startTemporaryPostgres()
  try {
    const superuser = new pg.Client({ connectionString: postgres.superuserConnectionString('postgres') })
    await superuser.connect()
    await superuser.query(`CREATE DATABASE ${NAME} OWNER ringpost`).finally(() => superuser.end())
    const connectionString = postgres.connectionString(NAME)
    await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: NAME, log: quietLog })
    await migrate(pool)
    const client = new pg.Client({ connectionString })
    await client.connect()
    return await work(client).finally(() => client.end())
  } finally {
    await postgres.remove()
  }
}
