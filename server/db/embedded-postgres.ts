import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#server/log.ts'
import { createBackOff } from './back-off.ts'
import { errorCode } from './embedded-postgres-error.ts'
import { prepareBinaries } from './postgres-binaries.ts'
import {
  APPLICATION_NAME,
  type PostgresCredentials,
  prepareApplication,
  prepareCluster,
  SUPERUSER_NAME,
} from './postgres-cluster.ts'
import { preparePlace } from './postgres-place.ts'
import { bringUp, isPostmaster, type Postmaster, type StartOptions, stopPostmaster } from './postmaster.ts'

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
  /** The main process now; a restart changes it. */
  readonly pid: number
  /** Where data, log and passwords stand. */
  readonly folder: string
  /** Stops PostgreSQL, also one that was reused, and resolves when it is gone. Repeatable; `await using` does the same. */
  stop(): Promise<void>
}

/** What a connection meets at a PostgreSQL that goes down: errors of the socket, and of PostgreSQL itself. */
const GOING_DOWN = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03']
const MAX_ATTEMPTS = 50
const ATTEMPT_DELAY_MS = 100
const WATCH_MS = 250

/**
 * Starts the PostgreSQL that comes with the service on a Unix socket only its user can reach, or finds the one that an
 * earlier, killed server left running. Restarts it if it dies, until `stop()`. Throws EmbeddedPostgresError with one
 * sentence when it cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options
  const place = await preparePlace(options.dataDir)
  const binaries = await prepareBinaries(place)
  const credentials = await prepareCluster(place, binaries)
  const ended = new AbortController()
  const start: StartOptions = { place, binaries, durable, signal: ended.signal }
  const first = await bringUpAndPrepare(start, credentials)
  const watch = keepRunning({ start, first, ended, log })
  log.info({ folder: place.home, reused: !first.started }, 'the embedded PostgreSQL runs')
  const stop = async () => {
    await watch.end()
    await stopPostmaster(place)
  }
  return {
    connectionString: (database) => connect({ place: watch.current(), credentials, as: APPLICATION_NAME, database }),
    superuserConnectionString: (database) =>
      connect({ place: watch.current(), credentials, as: SUPERUSER_NAME, database }),
    reused: !first.started,
    get pid() {
      return watch.current().pid
    },
    folder: place.home,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** A PostgreSQL that was told to stop, or was killed, a moment ago still looks ready: then the next one is waited for. */
async function bringUpAndPrepare(
  start: StartOptions,
  credentials: PostgresCredentials,
): Promise<Postmaster & { started: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await bringUp(start)
    try {
      const superuser = connect({ place: running, credentials, as: SUPERUSER_NAME, database: 'postgres' })
      await prepareApplication(superuser, credentials)
      return running
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && GOING_DOWN.includes(errorCode(error) ?? '')) {
        await delay(ATTEMPT_DELAY_MS)
        continue
      }
      if (running.started) await stopPostmaster(start.place)
      throw error
    }
  }
}

function connect(to: { place: Postmaster; credentials: PostgresCredentials; as: string; database: string }): string {
  const { superuserPassword, applicationPassword } = to.credentials
  const password = to.as === SUPERUSER_NAME ? superuserPassword : applicationPassword
  // Stated in full: what is left out, `pg` would take from PGPORT and PGSSLMODE.
  const host = encodeURIComponent(to.place.socketFolder)
  return `postgres://${to.as}:${password}@${host}:5432/${encodeURIComponent(to.database)}?sslmode=disable`
}

type Keeper = { current(): Postmaster; end(): Promise<void> }

/** Looks after the process, which need not be our child, and brings it up again with growing delays. */
function keepRunning(options: { start: StartOptions; first: Postmaster; ended: AbortController; log: Log }): Keeper {
  const { start, ended, log } = options
  let current = options.first
  const backOff = createBackOff(() => performance.now())

  const done = (async () => {
    while (await pause(WATCH_MS, ended.signal)) {
      if (await isPostmaster(current.pid, start.place.dataFolder)) continue
      const delayMs = backOff.nextDelayMs()
      log.warn({ delayMs }, 'the embedded PostgreSQL has died and is started again')
      if (!(await pause(delayMs, ended.signal))) return
      try {
        current = await bringUp(start)
        backOff.cameUp()
        log.warn({ pid: current.pid }, 'the embedded PostgreSQL runs again')
      } catch (error) {
        if (ended.signal.aborted) return
        log.error({ error }, 'the embedded PostgreSQL could not be started again')
      }
    }
  })()

  return {
    current: () => current,
    end: async () => {
      ended.abort()
      await done
    },
  }
}

/** false when it was ended before. The wait itself does not keep the process alive. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(ms, undefined, { signal, ref: false })
    return true
  } catch {
    return false
  }
}
