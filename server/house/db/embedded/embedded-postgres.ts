import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#server/house/log.ts'
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts'
import { keepRunning } from './keep-running.ts'
import { type Cluster, startCluster, stopCluster } from './pg-ctl.ts'
import { prepareBinaries } from './postgres-binaries.ts'
import {
  APPLICATION_NAME,
  type PostgresCredentials,
  prepareApplication,
  prepareCluster,
  SUPERUSER_NAME,
} from './postgres-cluster.ts'
import { preparePlace } from './postgres-place.ts'

export const EMBEDDED_DATABASE = APPLICATION_NAME

export type EmbeddedPostgresOptions = {
  dataDir: string
  log: Log
  /** False trades PostgreSQL's crash safety for speed; only tests set it. */
  durable?: boolean
}

export type EmbeddedPostgres = AsyncDisposable & {
  /**
   * Returns a connection string for the application's ordinary role. The string contains the password: never log it.
   */
  connectionString(database: string): string
  /** Returns a superuser's connection string, for tests and repairs. The string contains the password: never log it. */
  superuserConnectionString(database: string): string
  readonly reused: boolean
  readonly folder: string
  keepRunning(): AsyncDisposable
  stop(): Promise<void>
}

/** Socket errors and SQLSTATEs of a PostgreSQL that is shutting down. */
const GOING_DOWN = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03']
const MAX_ATTEMPTS = 50
const ATTEMPT_DELAY_MS = 100

/** Starts PostgreSQL on a private Unix socket, or joins one that a killed server left running. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options
  const place = await preparePlace(options.dataDir)
  const binaries = await prepareBinaries(place)
  const credentials = await prepareCluster(place, binaries)
  const cluster: Cluster = { place, binaries }
  const connect = (as: string, database: string) => connectionStringTo({ cluster, credentials, as, database })
  const superuser = connect(SUPERUSER_NAME, 'postgres')
  const start = () => startAndPrepare(cluster, { durable, prepare: () => prepareApplication(superuser, credentials) })
  const started = await start()
  log.info({ folder: place.home, reused: !started }, 'the embedded PostgreSQL runs')
  const stop = () => stopCluster(cluster)
  return {
    connectionString: (database) => connect(APPLICATION_NAME, database),
    superuserConnectionString: (database) => connect(SUPERUSER_NAME, database),
    reused: !started,
    folder: place.home,
    keepRunning: () => keepRunning({ dataFolder: place.dataFolder, start, log }),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/**
 * Starts the database cluster and prepares it, retrying while it is just starting or stopping. Returns false if the
 * cluster was already running.
 */
async function startAndPrepare(
  cluster: Cluster,
  { durable, prepare }: { durable: boolean; prepare: () => Promise<void> },
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const { started, refusal } = await startCluster(cluster, { durable })
    try {
      await prepare()
      return started
    } catch (error) {
      const isGoingDown = GOING_DOWN.includes(errorCode(error) ?? '')
      if (isGoingDown && attempt < MAX_ATTEMPTS) {
        await delay(ATTEMPT_DELAY_MS)
        continue
      }
      if (started) await stopCluster(cluster)
      throw isGoingDown && refusal !== null ? new EmbeddedPostgresError(refusal, { cause: error }) : error
    }
  }
}

function connectionStringTo(to: {
  cluster: Cluster
  credentials: PostgresCredentials
  as: string
  database: string
}): string {
  const { superuserPassword, applicationPassword } = to.credentials
  const password = to.as === SUPERUSER_NAME ? superuserPassword : applicationPassword
  // The connection string names port and sslmode, because pg would take missing values from PGPORT and PGSSLMODE.
  const host = encodeURIComponent(to.cluster.place.socketFolder)
  return `postgres://${to.as}:${password}@${host}:5432/${encodeURIComponent(to.database)}?sslmode=disable`
}
