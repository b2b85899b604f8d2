import { readFile, rename, stat } from 'node:fs/promises'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresPlace } from './postgres-place.ts'
import { runPostgresTool, type ToolResult } from './run-postgres-tool.ts'

export type Cluster = { place: PostgresPlace; binaries: PostgresBinaries }

export type StartResult = { started: boolean; refusal: string | null }

const START_LIMIT_SECONDS = 120
/** The time limit of PostgreSQL's fast stop, which only cancels running statements. */
const STOP_LIMIT_SECONDS = 20
const LOG_LIMIT_BYTES = 5_000_000

export async function startCluster(cluster: Cluster, { durable }: { durable: boolean }): Promise<StartResult> {
  const { place } = cluster
  if (await isRunning(cluster)) return { started: false, refusal: doesNotAnswer(place) }
  const offset = await prepareLog(place.logFile)
  const settings = settingsOf(place, durable).map((setting) => `-c ${quoteForShell(setting)}`)
  const wait = ['-w', '-t', String(START_LIMIT_SECONDS)]
  const { code, output } = await pgCtl(cluster, ['start', ...wait, '-l', place.logFile, '-o', settings.join(' ')])
  if (code === 0) return { started: true, refusal: null }
  if (await isRunning(cluster)) return { started: false, refusal: doesNotAnswer(place) }
  const said = (await readFile(place.logFile)).subarray(offset).toString('utf8')
  const refusal = explainOutput(`${output}\n${said}`, place)
  const passing = /lock file ".*" already exists|pre-existing shared memory block|lock file ".*" is empty/.test(said)
  if (passing) return { started: false, refusal }
  throw new EmbeddedPostgresError(refusal)
}

export async function stopCluster(cluster: Cluster): Promise<void> {
  // PostgreSQL is stopped immediately if a fast stop fails. The next start then recovers the database from its log.
  for (const mode of ['fast', 'immediate']) {
    if (!(await isRunning(cluster))) return
    await pgCtl(cluster, ['stop', '-w', '-t', String(STOP_LIMIT_SECONDS), '-m', mode])
  }
  if (await isRunning(cluster)) throw new EmbeddedPostgresError(`The database in ${cluster.place.home} does not stop.`)
}

export async function isRunning(cluster: Cluster): Promise<boolean> {
  return (await pgCtl(cluster, ['status'])).code === 0
}

function pgCtl({ place, binaries }: Cluster, args: readonly string[]): Promise<ToolResult> {
  return runPostgresTool(binaries.pgCtl, ['-D', place.dataFolder, ...args], place.owner)
}

function settingsOf(place: PostgresPlace, durable: boolean): string[] {
  const values = [
    'listen_addresses=',
    `unix_socket_directories="${place.socketFolder.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'port=5432',
    // PostgreSQL's log omits failed statements, which contain what buyers typed. Our log has them without values.
    'log_min_messages=log',
    'log_checkpoints=off',
  ]
  if (!durable) values.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'scram_iterations=1')
  // Tests use short connections, and PostgreSQL plans a statement five times before it caches a plan.
  if (!durable) values.push('plan_cache_mode=force_generic_plan')
  return values
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

async function prepareLog(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= LOG_LIMIT_BYTES) return size
  await rename(file, `${file}.1`)
  return 0
}

function doesNotAnswer(place: PostgresPlace): string {
  return `The database in ${place.home} does not answer: if no PostgreSQL runs, delete ${place.dataFolder}/postmaster.pid.`
}

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
