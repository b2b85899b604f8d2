import { listSupplierRows } from '#server/core/catalog/offers/queries.ts'
import { type Config, readConfig, readDatabaseConfig, type Secrets } from '#server/house/config/config.ts'
import { ConfigError, type Environment } from '#server/house/config/environment.ts'
import { unseal } from '#server/house/config/secret-key.ts'
import type { Context } from '#server/house/context.ts'
import { findFitness, OLDEST_POSTGRES } from '#server/house/db/fitness.ts'
import { keyFits, noteKey } from '#server/house/db/key-check.ts'
import { openDatabase } from '#server/house/db/open-database.ts'
import { type Db, STATEMENT_TIMEOUT_MS, TRANSACTION_IDLE_MS } from '#server/house/db/pool.ts'
import type { Log } from '#server/house/log.ts'
import { readRelease } from '#server/house/release.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { explainStart } from './explain-start.ts'

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
const TIMEOUTS = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = ${TRANSACTION_IDLE_MS}`
const WRONG_KEY =
  'SECRET_KEY is not the one that this database was made with: set that one, or name it in SECRET_KEY_PREVIOUS'

/** Reads the settings. If they are wrong, throws a ConfigError that also names the faults of the database. */
export async function readSettings(environment?: Environment): Promise<{ config: Config; secrets: Secrets }> {
  try {
    return readConfig(environment, await readRelease())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([error.message, ...(await lacksBeside(environment))].join('\n'))
  }
}

async function lacksBeside(environment: Environment | undefined): Promise<string[]> {
  try {
    const config = readDatabaseConfig(environment)
    if (config.databaseUrl === null) return []
    await using database = await openDatabase({ config, log: quiet, applicationName: 'ringpost start' })
    return await listLacks(database.pool)
  } catch (error) {
    const reason = error instanceof ConfigError ? null : explainStart(error)
    return reason === null ? [] : [reason]
  }
}

/**
 * Throws StartRefused if the database lacks what the service needs, such as an exchange rate, or if the secret key is
 * wrong.
 */
export async function refuseMissingSetup(ctx: Context): Promise<void> {
  const lacks = await listLacks(ctx.db)
  const keys = [ctx.secrets.secretKey, ...ctx.secrets.previousSecretKeys] as const
  if (!(await opensDatabase(ctx.db, keys))) lacks.push(WRONG_KEY)
  if (lacks.length > 0) throw new StartRefused(lacks.join('\n'))
  await sealWith(ctx.db, keys, ctx.clock.now())
}

/** Makes sure that one secret key encrypts everything in a database, or else throws StartRefused. */
export async function sealWith(db: Db, keys: readonly [string, ...string[]], now: Date): Promise<void> {
  await refuseWrongKey(db, keys)
  if (!(await noteKey(db, keys, now))) throw new StartRefused(WRONG_KEY)
}

export async function refuseWrongKey(db: Db, keys: readonly string[]): Promise<void> {
  if (!(await opensDatabase(db, keys))) throw new StartRefused(WRONG_KEY)
}

/** Returns true if a key decrypts the database's secrets, so that a wrong key is reported at the start. */
async function opensDatabase(db: Db, keys: readonly string[]): Promise<boolean> {
  // Older releases stored no check value of the secret key.
  return (await keyFits(db, keys)) ?? (await opensSettings(db, keys))
}

async function listLacks(db: Db): Promise<string[]> {
  const { version, encoding, timeouts, hasRate, hasSupplier } = await findFitness(db)
  const lacks: string[] = []
  if (version < OLDEST_POSTGRES)
    lacks.push(`the database is PostgreSQL ${version}: ${OLDEST_POSTGRES} or later is needed`)
  if (encoding !== 'UTF8') lacks.push(`the database stores ${encoding}: make one with --encoding=UTF8`)
  if (timeouts.statementMs !== STATEMENT_TIMEOUT_MS || timeouts.transactionIdleMs !== TRANSACTION_IDLE_MS) {
    lacks.push(`the pooler drops the time-outs: set connect_query='${TIMEOUTS}'`)
  }
  if (!hasRate) lacks.push('there is no exchange rate: set one with `npm run cli -- rate:set usd …`')
  if (!hasSupplier) {
    lacks.push('there is no supplier to buy numbers from: add one with `npm run cli -- supplier:add …`')
  }
  return lacks
}

async function opensSettings(db: Db, keys: readonly string[]): Promise<boolean> {
  const sealed = (await listSupplierRows(db)).filter(({ settings }) => typeof settings.sealed === 'string')
  return (
    sealed.length === 0 ||
    sealed.some(({ settings }) => {
      try {
        unseal(settings, keys)
        return true
      } catch (error) {
        if (error instanceof StartRefused) return false
        throw error
      }
    })
  )
}
