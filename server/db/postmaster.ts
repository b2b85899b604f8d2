import { execFile, spawn } from 'node:child_process'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cannotRun, EmbeddedPostgresError, errorCode } from './embedded-postgres-error.ts'
import { isAlive } from './is-alive.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresPlace } from './postgres-place.ts'

/** The main process of a PostgreSQL that serves our data folder. */
export type Postmaster = { pid: number; socketFolder: string; status: 'starting' | 'ready' | 'stopping' }

export type StartOptions = {
  place: PostgresPlace
  binaries: PostgresBinaries
  /** false gives up safety against power loss for speed. */
  durable: boolean
  /** Ends the wait for a PostgreSQL that is no longer wanted. */
  signal: AbortSignal
}

/** Recovery after a crash replays at most a few checkpoints; longer than this is a fault. */
const START_LIMIT_MS = 120_000
/** A fast stop only waits for open statements to be cancelled. */
const STOP_LIMIT_MS = 20_000
const POLL_MS = 20
/** Attempts against the remains of a killed PostgreSQL, whose last processes need a moment to end. */
const MAX_ATTEMPTS = 50
const RETRY_DELAY_MS = 200
/** After about two seconds somebody really serves the socket. */
const ACCEPTING_LOOKS = 10
const LOG_LIMIT_BYTES = 5_000_000

type Attempt = { pid: number | undefined; ended: boolean; failure: Error | null; logOffset: number }

/**
 * Ends with one PostgreSQL that is ready on this place: the one already running, or a new one. Two callers at once,
 * in one process or in two, end with the same: PostgreSQL itself lets only one onto a data folder, and the other
 * caller finds that one. `started`: it is ours and new.
 */
export async function bringUp(options: StartOptions): Promise<Postmaster & { started: boolean }> {
  const { place, binaries, durable, signal } = options
  const giveUpAt = performance.now() + START_LIMIT_MS
  let attempt: Attempt | null = null
  let attempts = 0
  while (performance.now() < giveUpAt) {
    signal.throwIfAborted()
    const running = await findPostmaster(place)
    if (running?.status === 'ready') return { ...running, started: running.pid === attempt?.pid }
    if (running === null && (attempt === null || attempt.ended)) {
      if (attempt !== null) {
        await refuseUnlessPassing(attempt, attempts, place)
        await delay(RETRY_DELAY_MS)
      }
      attempt = await spawnPostmaster(place, binaries, durable)
      attempts += 1
    }
    await delay(POLL_MS)
  }
  throw new EmbeddedPostgresError(
    `The database did not become ready in ${START_LIMIT_MS / 1000} s; see ${place.logFile}.`,
  )
}

/**
 * Reads `postmaster.pid`. A file whose process is gone is left to PostgreSQL, which knows how to check it; one whose
 * number now belongs to a foreign process (after a reboot, or in a new container) is removed, as PostgreSQL would refuse.
 */
export async function findPostmaster(place: PostgresPlace): Promise<Postmaster | null> {
  const file = join(place.dataFolder, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return null
  if (await isPostmaster(pid, place.dataFolder))
    return { pid, socketFolder: lines[4] || place.socketFolder, status: statusOf(lines) }
  if (isAlive(pid)) await removeForeign(file, text)
  if (lines[4] && (await goesOnAccepting(join(lines[4], '.s.PGSQL.5432')))) {
    throw new EmbeddedPostgresError(
      `Another machine or container runs a database on ${place.home}: stop that one first.`,
    )
  }
  return null
}

/** Whether that process is a PostgreSQL for this very folder, not just a process that got the same number. */
export async function isPostmaster(pid: number, dataFolder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  return (await commandOf(pid)).includes(dataFolder)
}

/** The words of a process's command line, which everybody on the machine can see. */
export function commandOf(pid: number): Promise<string[]> {
  return process.platform === 'linux' ? commandOnLinux(pid) : commandByPs(pid)
}

/** Stops PostgreSQL: open statements are cancelled, everything committed is on disk. Resolves when it is gone. */
export async function stopPostmaster(place: PostgresPlace): Promise<void> {
  const running = await findPostmaster(place)
  if (running === null) return
  // SIGINT is PostgreSQL's fast stop, SIGQUIT its immediate one, after which the next start recovers.
  send(running.pid, 'SIGINT')
  if (await gone(running.pid, place.dataFolder)) return
  send(running.pid, 'SIGQUIT')
  if (await gone(running.pid, place.dataFolder)) return
  throw new EmbeddedPostgresError(`The database (process ${running.pid}) does not stop.`)
}

async function gone(pid: number, dataFolder: string): Promise<boolean> {
  const giveUpAt = performance.now() + STOP_LIMIT_MS
  while (await isPostmaster(pid, dataFolder)) {
    if (performance.now() > giveUpAt) return false
    await delay(POLL_MS)
  }
  return true
}

async function spawnPostmaster(place: PostgresPlace, binaries: PostgresBinaries, durable: boolean): Promise<Attempt> {
  const log = await openLog(place)
  const attempt: Attempt = { pid: undefined, ended: false, failure: null, logOffset: log.size }
  try {
    const child = spawn(binaries.postgres, ['-D', place.dataFolder, ...settings(place, durable)], {
      cwd: place.dataFolder,
      // A session of its own: Ctrl-C on the terminal reaches the server, which drains, and stops PostgreSQL last.
      detached: true,
      stdio: ['ignore', log.handle.fd, log.handle.fd],
      env: { LC_ALL: 'C' },
      ...(place.owner ?? {}),
    })
    child.once('error', (error) => {
      attempt.failure = error
      attempt.ended = true
    })
    child.once('exit', () => {
      attempt.ended = true
    })
    child.unref()
    attempt.pid = child.pid
  } finally {
    await log.handle.close()
  }
  return attempt
}

function settings(place: PostgresPlace, durable: boolean): string[] {
  const values = [
    'listen_addresses=',
    `unix_socket_directories="${place.socketFolder.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'port=5432',
    // Failed statements are reported by the server, without their values; here they would repeat what buyers typed.
    'log_min_messages=log',
    'log_checkpoints=off',
  ]
  if (!durable) values.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'scram_iterations=1')
  return values.flatMap((value) => ['-c', value])
}

async function openLog(place: PostgresPlace) {
  const size = await stat(place.logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LOG_LIMIT_BYTES) await rename(place.logFile, `${place.logFile}.1`)
  const handle = await open(place.logFile, 'a', 0o600)
  return { handle, size: (await handle.stat()).size }
}

/** Throws what made an attempt fail, unless it is the kind that passes by itself. */
async function refuseUnlessPassing(attempt: Attempt, attempts: number, place: PostgresPlace): Promise<void> {
  if (attempt.failure !== null) throw cannotRun(attempt.failure)
  const said = (await readFile(place.logFile)).subarray(attempt.logOffset).toString('utf8')
  const passing = /lock file ".*" already exists|pre-existing shared memory block|lock file ".*" is empty/.test(said)
  if (passing && attempts < MAX_ATTEMPTS) return
  throw new EmbeddedPostgresError(explainOutput(said, place))
}

/** The sentence for what PostgreSQL or initdb wrote before it gave up. */
export function explainOutput(output: string, place: PostgresPlace): string {
  if (output.includes('No space left on device')) return `The database cannot start in ${place.home}: the disk is full.`
  if (/error while loading shared libraries/.test(output)) {
    return 'The embedded PostgreSQL does not run on this system: set DATABASE_URL to one of your own.'
  }
  const nameless = output.match(/effective user ID (\d+): user does not exist/)?.[1]
  if (nameless !== undefined) {
    return `PostgreSQL needs a user with a name, and ${nameless} has none here: run as another user, or set DATABASE_URL.`
  }
  const reason =
    output.match(/(?:FATAL|PANIC|error):\s+(.*)/)?.[1] ?? (output.trim().split('\n').at(-1) || 'it gave no reason')
  return `The database cannot start in ${place.home}: ${reason}.`
}

function statusOf(lines: readonly string[]): Postmaster['status'] {
  const status = lines[7]?.trim()
  return status === 'ready' || status === 'stopping' ? status : 'starting'
}

/** Takes the file away only if it still says what we read: another start may have replaced it meanwhile. */
async function removeForeign(file: string, text: string): Promise<void> {
  const aside = `${file}.foreign-${process.pid}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if ((await readFile(aside, 'utf8')) === text) await rm(aside)
  else await rename(aside, file)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Empty for a process that has ended but was not yet waited for. */
async function commandOnLinux(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return ''
    throw error
  })
  return text.split('\0')
}

function commandByPs(pid: number): Promise<string[]> {
  return new Promise((resolve) => {
    execFile('ps', ['-p', String(pid), '-o', 'args='], (_error, output) => resolve(output.trim().split(/\s+/)))
  })
}

/** The socket of a process that was killed just now is open until the system has cleared it away. */
async function goesOnAccepting(socket: string): Promise<boolean> {
  for (let look = 0; look < ACCEPTING_LOOKS; look += 1) {
    if (!(await accepts(socket))) return false
    await delay(RETRY_DELAY_MS)
  }
  return true
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const peer = connect(socket)
    peer.once('connect', () => {
      peer.destroy()
      resolve(true)
    })
    peer.once('error', () => resolve(false))
  })
}
