import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_MISSING } from '#server/house/config/service-settings.ts'
import { openDatabase } from '#server/house/db/open-database.ts'
import { unheardOutages } from '#server/house/db/outages.ts'
import type { Pool } from '#server/house/db/pool.ts'
import { type Cli, CommandRefused } from './command.ts'
import { countOtherConnections } from './queries/connections.ts'

/** The maximum number of connections: one for the command and one for its look-ups. */
const MAX_CONNECTIONS = 2

/**
 * Opens the database. Disposing stops a PostgreSQL that this command started, unless others use it. Refuses an empty
 * data folder unless `mayBeNew` is set.
 */
export async function openCliDatabase(
  cli: Cli,
  input: { mayBeNew: boolean },
): Promise<AsyncDisposable & { pool: Pool }> {
  const { demo, databaseUrl, dataDir } = cli.config
  const isMissing = databaseUrl === null && !(await exists(join(dataDir, 'postgres')))
  if (isMissing && input.mayBeNew && !demo) throw new CommandRefused(`DATABASE_URL ${DATABASE_MISSING}`)
  if (isMissing && !input.mayBeNew) {
    throw new CommandRefused(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to that of the server, or start it once`,
    )
  }
  const config = { ...cli.config, maxConnections: MAX_CONNECTIONS }
  // The process id tells the connections of concurrent commands apart.
  const applicationName = `ringpost cli ${process.pid}`
  // A dry run may write only in the transaction that is rolled back.
  const { log, dryRun: readOnly } = cli
  const outages = unheardOutages()
  const database = await openDatabase({ config, log, applicationName, direct: true, readOnly, outages })
  const { pool, embedded } = database
  return {
    pool,
    async [Symbol.asyncDispose]() {
      const ours = embedded?.reused === false
      const inUse = ours && (await countOtherConnections(pool, applicationName)) > 0
      await database[Symbol.asyncDispose]()
      if (ours && !inUse) await embedded.stop()
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
