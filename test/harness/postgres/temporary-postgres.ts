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
/** Files that are kept in memory: a database is hundreds of them, and a test that copies one waits for little else. */
const MEMORY = '/dev/shm'
/** What the databases of a run take at most, with their logs. Containers are often given 64 MB. */
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3

/** A log for tests: only what went wrong is shown. */
export const quietLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (...words: unknown[]) => console.error(...words),
}

/** An embedded PostgreSQL in a temporary folder, fast and forgetful. `remove` leaves nothing behind. */
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
 * A data folder of the test's own. At its end whatever PostgreSQL still serves it is stopped, and all is removed. `onDisk`:
 * where the database of a service stands, also for root.
 */
export async function temporaryDataDir({ onDisk = false } = {}): Promise<AsyncDisposable & { dataDir: string }> {
  const dataDir = onDisk ? await mkdtemp(join(tmpdir(), ownPrefix())) : await makeDataDir()
  return { dataDir, [Symbol.asyncDispose]: () => removeDataDir(dataDir) }
}

/** In memory where there is enough of it, otherwise where temporary files stand. */
async function makeDataDir(): Promise<string> {
  const place = await fastestPlace()
  const dataDir = await mkdtemp(join(place, ownPrefix()))
  if (place === MEMORY && process.getuid?.() === 0) {
    // The service would keep the database of root elsewhere; one that an ordinary user made it serves where it stands.
    await chmod(dataDir, 0o711)
    const home = join(dataDir, 'postgres')
    await mkdir(home, { mode: 0o700 })
    await chown(home, NOBODY.uid, NOBODY.gid)
  }
  return dataDir
}

/** Where the files of a database are in memory, or, without enough of it, where temporary files stand. */
export async function fastestPlace(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null)
  return memory !== null && memory.bavail * memory.bsize >= MEMORY_NEEDED_BYTES ? MEMORY : tmpdir()
}

/** How the folders of this process begin: a later run removes those of a process that is gone. */
export function ownPrefix(): string {
  return `${PREFIX}${process.pid}-`
}

/** Stops what serves a data folder, and removes it with the database behind it, which for root stands elsewhere. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const cluster = await clusterOf(dataDir)
  await stopCluster(cluster)
  const { place } = cluster
  await rm(place.home, { recursive: true, force: true })
  await rm(place.socketFolder, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

/** Whether an embedded PostgreSQL serves this data folder. */
export async function isPostgresRunning(dataDir: string): Promise<boolean> {
  return isRunning(await clusterOf(dataDir))
}

async function clusterOf(dataDir: string): Promise<Cluster> {
  const place = await preparePlace(dataDir)
  return { place, binaries: await prepareBinaries(place) }
}

/** One statement on a connection of its own. */
export async function queryOnce(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  // A test may kill the server under us; the query that runs then fails by itself.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Stops and removes what runs of the tests left behind that were killed. */
async function removeAbandoned(): Promise<void> {
  const places = await Promise.all([tmpdir(), MEMORY].map(listFolder))
  for (const dataDir of places.flat()) {
    const pid = Number(basename(dataDir).match(/^ringpost-test-(\d+)-/)?.[1])
    if (!Number.isSafeInteger(pid) || isAlive(pid)) continue
    // Another run may be removing it at this moment; one of another user is that user's to remove.
    const found = await stat(dataDir).catch(() => null)
    if (found === null || !mayRemove(found.uid)) continue
    await removeDataDir(dataDir).catch((error) =>
      console.warn(`${dataDir} of an earlier run cannot be removed:`, error),
    )
  }
}

/** Root gives some of its folders to PostgreSQL's user. */
function mayRemove(ownerUid: number): boolean {
  const own = process.getuid?.()
  return ownerUid === own || (own === 0 && ownerUid === NOBODY.uid)
}

async function listFolder(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.map((name) => join(folder, name))
}
