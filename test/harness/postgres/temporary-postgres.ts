import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/house/db/embedded/embedded-postgres.ts'
import { type Cluster, isRunning, stopCluster } from '#server/house/db/embedded/pg-ctl.ts'
import { prepareBinaries } from '#server/house/db/embedded/postgres-binaries.ts'
import { NOBODY, preparePlace } from '#server/house/db/embedded/postgres-place.ts'
import { isAlive } from '#server/house/db/is-alive.ts'
import type { Log } from '#server/house/log.ts'

const PREFIX = 'ringpost-test-'
/** A folder in memory, because copying a database's hundreds of files takes most of a test's time. */
const MEMORY = '/dev/shm'
/** The space that the databases of a run need with their logs. Containers often have only 64 MB. */
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3

export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (...words: unknown[]) => console.error(...words),
}

/** Starts an embedded PostgreSQL in a temporary folder, without durability. `remove` deletes the folder. */
export async function startTemporaryPostgres(): Promise<EmbeddedPostgres & { remove(): Promise<void> }> {
  await removeAbandoned()
  const dataDir = await makeDataDir()
  const postgres = await startEmbeddedPostgres({ dataDir, log: quietLog, durable: false }).catch(async (error) => {
    await removeDataDir(dataDir)
    throw error
  })
  const remove = async () => {
    await postgres.stop()
    await removeDataDir(dataDir)
  }
  return Object.assign(postgres, { remove })
}

/**
 * Makes a data folder for one test. Disposing stops PostgreSQL and removes the folder.
 * `onDisk` puts the folder on disk, as services do, even under root.
 */
export async function temporaryDataDir({ onDisk = false } = {}): Promise<AsyncDisposable & { dataDir: string }> {
  const dataDir = onDisk ? await mkdtemp(join(tmpdir(), ownPrefix())) : await makeDataDir()
  return { dataDir, [Symbol.asyncDispose]: () => removeDataDir(dataDir) }
}

async function makeDataDir(): Promise<string> {
  const place = await fastestPlace()
  const dataDir = await mkdtemp(join(place, ownPrefix()))
  if (place === MEMORY && process.getuid?.() === 0) {
    // As root a service avoids memory for its database, unless another user owns `postgres` in the data folder.
    await chmod(dataDir, 0o711)
    const home = join(dataDir, 'postgres')
    await mkdir(home, { mode: 0o700 })
    await chown(home, NOBODY.uid, NOBODY.gid)
  }
  return dataDir
}

export async function fastestPlace(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null)
  return memory !== null && memory.bavail * memory.bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir()
}

/** Returns the name prefix of this process's folders. Later runs remove those of dead processes. */
export function ownPrefix(): string {
  return `${PREFIX}${process.pid}-`
}

/** Stops the PostgreSQL of a data folder, and removes the folder and the database. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const cluster = await clusterOf(dataDir)
  await stopCluster(cluster)
  const { place } = cluster
  await rm(place.home, { recursive: true, force: true })
  await rm(place.socketFolder, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

export async function isPostgresRunning(dataDir: string): Promise<boolean> {
  return isRunning(await clusterOf(dataDir))
}

async function clusterOf(dataDir: string): Promise<Cluster> {
  const place = await preparePlace(dataDir)
  return { place, binaries: await prepareBinaries(place) }
}

export async function queryOnce(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  // A test may kill PostgreSQL during the query. The query itself rejects, so this event is ignored.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function removeAbandoned(): Promise<void> {
  const places = await Promise.all([tmpdir(), MEMORY].map(listFolder))
  for (const dataDir of places.flat()) {
    const pid = Number(basename(dataDir).match(/^ringpost-test-(\d+)-/)?.[1])
    if (!Number.isSafeInteger(pid) || isAlive(pid)) continue
    // A concurrent run may be removing the folder, and a folder of a different user is left to that user.
    const found = await stat(dataDir).catch(() => null)
    if (found === null || !mayRemove(found.uid)) continue
    await removeDataDir(dataDir).catch((error) =>
      console.warn(`${dataDir} of an earlier run cannot be removed:`, error),
    )
  }
}

/** Returns whether this user may remove the folder of an owner. Root may also remove those of PostgreSQL's user. */
function mayRemove(ownerUid: number): boolean {
  const own = process.getuid?.()
  return ownerUid === own || (own === 0 && ownerUid === NOBODY.uid)
}

async function listFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.map((name) => join(folder, name))
}
