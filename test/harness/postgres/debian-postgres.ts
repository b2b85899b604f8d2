import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NOBODY } from '#server/house/db/embedded/postgres-place.ts'
import { requireProgram } from '../programs.ts'
import { ownPrefix, queryOnce } from './temporary-postgres.ts'

/**
 * The programs of PostgreSQL 15, the oldest supported version, from Debian, because the npm packages lack its tools.
 */
export const DEBIAN_BIN = '/usr/lib/postgresql/15/bin'
const owner = process.getuid?.() === 0 ? NOBODY : null
const run = promisify(execFile)

/** Returns whether Debian's PostgreSQL 15 is installed. If it is missing in CI, the run fails. */
export function hasDebianPostgres(): boolean {
  return requireProgram('pg_basebackup', [DEBIAN_BIN]) !== undefined
}

/**
 * Runs a PostgreSQL program as PostgreSQL's user, without the test's environment. Rejects with the output if it fails.
 */
export function runTool(name: string, args: readonly string[]): Promise<{ stdout: string }> {
  return run(join(DEBIAN_BIN, name), [...args], { env: { LC_ALL: 'C' }, cwd: '/', ...owner })
}

export async function givenToTools(path: string): Promise<void> {
  if (owner !== null) await chown(path, owner.uid, owner.gid)
}

/** Makes a folder in `place` that PostgreSQL's user may write. */
export async function toolFolder(place = tmpdir()): Promise<AsyncDisposable & { path(...names: string[]): string }> {
  const root = await mkdtemp(join(place, ownPrefix()))
  await chmod(root, 0o700)
  await givenToTools(root)
  return {
    path: (...names) => join(root, ...names),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

export type DebianPostgres = AsyncDisposable & {
  superuserUrl(database: string): string
  applicationUrl(database: string): string
  /** The options by which PostgreSQL's tools connect: `-h FOLDER -U postgres`. */
  readonly connect: readonly string[]
}

export async function makeCluster(data: string): Promise<void> {
  // The locale follows operations/install.md, because its character rules must know Cyrillic.
  await runTool('initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'])
}

/** Starts PostgreSQL on a data folder, with a Unix socket beside it. Disposing stops PostgreSQL. */
export async function startCluster(data: string, settings: readonly string[] = []): Promise<DebianPostgres> {
  const socket = socketFolderOf(data)
  await mkdir(socket, { mode: 0o700 })
  await givenToTools(socket)
  const all = ['listen_addresses=', `unix_socket_directories=${socket}`, 'max_connections=80', ...settings]
  const options = all.map((setting) => `-c "${setting.replaceAll('"', '\\"')}"`).join(' ')
  await runTool('pg_ctl', ['start', '-D', data, '-w', '-t', '60', '-l', `${data}.log`, '-o', options])
  const url = (role: string, database: string) => `postgres://${role}@${encodeURIComponent(socket)}/${database}`
  const superuserUrl = (database: string) => url('postgres', database)
  await queryOnce(
    superuserUrl('postgres'),
    `DO $$ BEGIN IF NOT pg_is_in_recovery() AND to_regrole('ringpost') IS NULL THEN CREATE ROLE ringpost LOGIN; END IF; END $$`,
  )
  return {
    superuserUrl,
    applicationUrl: (database) => url('ringpost', database),
    connect: ['-h', socket, '-U', 'postgres'],
    async [Symbol.asyncDispose]() {
      // Somebody else may have ended PostgreSQL already.
      const stopped = () => runTool('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w'])
      await runTool('pg_ctl', ['status', '-D', data]).then(stopped, () => undefined)
      await rm(socket, { recursive: true, force: true })
    },
  }
}

/** Copies a primary into a data folder and starts the copy, for whose answer each commit of the primary then waits. */
export async function startStandBy(
  primary: DebianPostgres,
  data: string,
  settings: readonly string[] = [],
): Promise<DebianPostgres> {
  await runTool('pg_basebackup', [...primary.connect, '-D', data, '-R', '-c', 'fast', '--no-sync'])
  const standBy = await startCluster(data, settings)
  await alterSystem(primary, 'synchronous_standby_names', '*')
  return standBy
}

export async function alterSystem(postgres: DebianPostgres, name: string, value: string): Promise<void> {
  await queryOnce(postgres.superuserUrl('postgres'), `ALTER SYSTEM SET ${name} = '${value}'`)
  await queryOnce(postgres.superuserUrl('postgres'), 'SELECT pg_reload_conf()')
}

/** Returns one address of the database `ringpost` for several data folders, whose PostgreSQL need not run. */
export function urlOfHosts(...dataFolders: string[]): string {
  const hosts = dataFolders.map((data) => `${encodeURIComponent(socketFolderOf(data))}:5432`).join(',')
  return `postgres://ringpost@${hosts}/ringpost?target_session_attrs=read-write`
}

function socketFolderOf(data: string): string {
  return `${data}-s`
}
