import { resolve } from 'node:path'
import type { DatabaseConfig } from '#server/house/config/config.ts'
import type { Log } from '#server/house/log.ts'
import { EMBEDDED_DATABASE, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import type { Outages } from './outages.ts'
import { Pool } from './pool.ts'

export type OpenDatabase = AsyncDisposable & {
  pool: Pool
  embedded: EmbeddedPostgres | null
}

/** Opens the configured database. Disposing of it closes the connection pool, but not an embedded PostgreSQL. */
export async function openDatabase(input: {
  config: DatabaseConfig
  log: Log
  applicationName: string
  readOnly?: boolean
  outages?: Outages
}): Promise<OpenDatabase> {
  const { config, log, applicationName, readOnly = false, outages } = input
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: resolve(config.dataDir), log }) : null
  const connectionString = config.databaseUrl ?? embedded?.connectionString(EMBEDDED_DATABASE)
  if (connectionString === undefined) throw new Error('there is no database to connect to')
  const { maxConnections } = config
  const pool = new Pool({
    connectionString,
    maxConnections,
    applicationName,
    log,
    readOnly,
    ...(outages && { outages }),
  })
  return {
    pool,
    embedded,
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
    },
  }
}
