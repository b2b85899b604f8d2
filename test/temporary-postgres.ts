import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded-postgres.ts'
import { isAlive } from '#server/db/is-alive.ts'
import { preparePlace } from '#server/db/postgres-place.ts'
import { stopPostmaster } from '#server/db/postmaster.ts'
import type { Log } from '#server/log.ts'

const PREFIX = 'ringpost-test-'

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
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
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

/** A data folder of the test's own. At its end whatever PostgreSQL still serves it is stopped, and all is removed. */
export async function temporaryDataDir(): Promise<AsyncDisposable & { dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  return { dataDir, [Symbol.asyncDispose]: () => removeDataDir(dataDir) }
}

/** Stops what serves a data folder, and removes it with the database behind it, which for root stands elsewhere. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const place = await preparePlace(dataDir)
  await stopPostmaster(place)
  await rm(place.home, { recursive: true, force: true })
  await rm(place.socketFolder, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
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
  for (const name of await readdir(tmpdir())) {
    const pid = Number(name.match(/^ringpost-test-(\d+)-/)?.[1])
    const dataDir = join(tmpdir(), name)
    if (!Number.isSafeInteger(pid) || isAlive(pid)) continue
    // Another run may be removing it at this moment; one of another user is that user's to remove.
    const found = await stat(dataDir).catch(() => null)
    if (found?.uid !== process.getuid?.()) continue
    await removeDataDir(dataDir).catch((error) =>
      console.warn(`${dataDir} of an earlier run cannot be removed:`, error),
    )
  }
}
