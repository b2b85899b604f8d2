import { resolve } from 'node:path'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { Pool } from './pool.ts'

const DATABASE_NAME = 'ringpost'

export type OpenDatabase = AsyncDisposable & {
  pool: Pool
  /** null with a DATABASE_URL of one's own. Whoever owns the data folder stops it. */
  embedded: EmbeddedPostgres | null
}

/** Connects to DATABASE_URL, or starts (or joins) the PostgreSQL that comes with Ringpost in DATA_DIR. Disposing closes the pool only. */
export async function openDatabase(input: {
  config: Config
  log: Log
  applicationName: string
}): Promise<OpenDatabase> {
  const { config, log, applicationName } = input
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: resolve(config.dataDir), log }) : null
  const connectionString = config.databaseUrl ?? embedded?.connectionString(DATABASE_NAME)
  if (connectionString === undefined) throw new Error('there is no database to connect to')
  const pool = new Pool({ connectionString, maxConnections: config.maxConnections, applicationName, log })
  return {
    pool,
    embedded,
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
    },
  }
}
