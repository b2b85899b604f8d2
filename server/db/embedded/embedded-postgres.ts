import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#server/log.ts'
import { EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts'
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

/** The application's database inside the embedded PostgreSQL. */
export const EMBEDDED_DATABASE = APPLICATION_NAME

export type EmbeddedPostgresOptions = {
  /** The service's data folder; the database lives in or behind `<dataDir>/postgres`. */
  dataDir: string
  log: Log
  /** false gives up safety against power loss for speed: tests only. */
  durable?: boolean
}

export type EmbeddedPostgres = AsyncDisposable & {
  /** As the application's ordinary role, which owns EMBEDDED_DATABASE. Contains the password: never log it. */
  connectionString(database: string): string
  /** As superuser: for tests and for repairs by hand. Contains the password: never log it. */
  superuserConnectionString(database: string): string
  /** It was already running when we came. */
  readonly reused: boolean
  /** Where data, log and passwords stand. */
  readonly folder: string
  /** Stops PostgreSQL, also one that was reused, and resolves when it is gone. A second call does nothing. */
  stop(): Promise<void>
}

/** What a connection meets at a PostgreSQL that goes down: errors of the socket, and of PostgreSQL itself. */
const GOING_DOWN = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03']
const MAX_ATTEMPTS = 50
const ATTEMPT_DELAY_MS = 100

/**
 * Starts the PostgreSQL that comes with the service on a Unix socket only its user can reach, or finds the one that an
 * earlier, killed server left running. Throws EmbeddedPostgresError with one sentence when it cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options
  const place = await preparePlace(options.dataDir)
  const binaries = await prepareBinaries(place)
  const credentials = await prepareCluster(place, binaries)
  const cluster: Cluster = { place, binaries }
  const connect = (as: string, database: string) => connectionStringTo({ cluster, credentials, as, database })
  const superuser = connect(SUPERUSER_NAME, 'postgres')
  const started = await startAndPrepare(cluster, { durable, prepare: () => prepareApplication(superuser, credentials) })
  log.info({ folder: place.home, reused: !started }, 'the embedded PostgreSQL runs')
  const stop = () => stopCluster(cluster)
  return {
    connectionString: (database) => connect(APPLICATION_NAME, database),
    superuserConnectionString: (database) => connect(SUPERUSER_NAME, database),
    reused: !started,
    folder: place.home,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/**
 * Whether this call started it. A PostgreSQL that starts, stops or was killed a moment ago still looks as if it ran:
 * then the next one is waited for.
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
  // Stated in full: what is left out, `pg` would take from PGPORT and PGSSLMODE.
  const host = encodeURIComponent(to.cluster.place.socketFolder)
  return `postgres://${to.as}:${password}@${host}:5432/${encodeURIComponent(to.database)}?sslmode=disable`
}
