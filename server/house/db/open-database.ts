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
  /** True goes past a pooler, which knows no read-only connections and keeps no session. */
  direct?: boolean
  readOnly?: boolean
  outages?: Outages
}): Promise<OpenDatabase> {
  const { config, log, applicationName, direct = false, readOnly = false, outages } = input
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: resolve(config.dataDir), log }) : null
  const connectionString = config.databaseUrl ?? embedded?.connectionString(EMBEDDED_DATABASE)
  if (connectionString === undefined) throw new Error('there is no database to connect to')
  const { maxConnections, preparedStatements } = config
  const directConnectionString = config.databaseDirectUrl ?? connectionString
  const others = { maxConnections, applicationName, log, readOnly, ...(outages && { outages }) }
  const pool = new Pool(
    direct
      ? { ...others, connectionString: directConnectionString }
      : { ...others, connectionString, directConnectionString, preparedStatements },
  )
  return {
    pool,
    embedded,
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
    },
  }
}
