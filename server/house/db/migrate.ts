import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import type { Log } from '#server/house/log.ts'
import { VERSION } from '#server/house/release.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { PrimaryClient } from './hosts/primary-client.ts'
import { openConnection } from './own-connection.ts'
import { type Db, directOptions, type Pool } from './pool.ts'

type Migration = { name: string; sha256: string; text: string; needs: string | null }
/** `needs` is the oldest release that can run after the migration; null means every earlier release. */
type Applied = { name: string; sha256: string; needs: string | null }

const MIGRATION_LOCK = 7_267_053_114
/** The longest wait of a migration for a lock, the pause before the next try, and the number of tries. */
const LOCK_WAIT_MS = 2_000
const LOCK_PAUSE_MS = 3_000
const LOCK_TRIES = 100
/** The interval at which the lock of migrations is tried, and the number of tries before the log says who has it. */
const LOCK_LOOK_MS = 250
const LOOKS_UNTOLD = 20
const LOCK_NOT_AVAILABLE = '55P03'
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
/** The file that shows the schema after all migrations. It is for readers only and never applied. */
const SCHEMA = 'schema.sql'
const MIGRATIONS_FOLDER = new URL('../../../migrations/', import.meta.url)

/** The same line is checked by `scripts/checks/compatible-migrations.mjs`. */
const NEEDS = /^-- needs: (\d+\.\d+\.\d+)\n/
/** The column `needs` is read from JSON, because a database of 0.1.0 may not have it yet. */
const APPLIED = `SELECT name, sha256, to_jsonb(schema_migrations) ->> 'needs' AS needs FROM schema_migrations ORDER BY name`

/**
 * Applies the new migrations. Applies nothing to a database of a newer release, if this release can run on it. Throws
 * if it cannot, if an applied file was changed or removed, or if a new file sorts before an applied file.
 */
export async function migrate(pool: Pool, folder: URL = MIGRATIONS_FOLDER, version = VERSION): Promise<string[]> {
  return migrateUpTo(pool, { folder, version, beside: false })
}

/**
 * Applies the new migrations up to the first that says what it needs, because another release may serve meanwhile. A
 * node calls `migrate` once it is the one that serves.
 */
export async function migrateBeside(pool: Pool, folder: URL = MIGRATIONS_FOLDER, version = VERSION): Promise<string[]> {
  return migrateUpTo(pool, { folder, version, beside: true })
}

type Wanted = { folder: URL; version: string; beside: boolean }

async function migrateUpTo(pool: Pool, { folder, version, beside }: Wanted): Promise<string[]> {
  const files = await migrationsOf(folder)
  const { connectionString } = directOptions(pool)
  await using own = await openConnection(connectionString, 'ringpost migrate')
  const { client, db } = own
  await refusePooler(db)
  await takeLock(db, pool.options.log)
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY,
       sha256 text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  )
  const { rows } = await db.query<Applied>({ text: APPLIED })
  const { pending, unknown } = compare(files, rows, version)
  if (unknown.length > 0) {
    const migrations = named(unknown)
    // A start calls `migrateBeside` and then `migrate`, and warns once.
    pool.options.log[beside ? 'debug' : 'warn'](
      { version, migrations },
      'a newer release migrated this database; this release can run on it and applies nothing',
    )
    return []
  }
  // ALTER TABLE waits for a running dump, so a start that applies nothing must not run it.
  if (pending.length > 0) {
    await withShortWaits(client, () =>
      client.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS needs text'),
    )
  }
  const first = beside ? pending.findIndex(({ needs }) => needs !== null) : -1
  const chosen = first === -1 ? pending : pending.slice(0, first)
  for (const file of chosen) await apply(client, file)
  if (!beside) await migrateJobQueue(connectionString)
  return chosen.map((file) => file.name)
}

/** Throws StartRefused behind a pooler, which may keep the lock of migrations for a client that has gone. */
async function refusePooler(db: Db): Promise<void> {
  const { rows } = await db.query<{ source: string }>({
    text: `SELECT source FROM pg_settings WHERE name = 'statement_timeout'`,
  })
  // This connection set no time-out, so the `connect_query` of a pooler has.
  if (rows[0]?.source === 'session') {
    throw new StartRefused('the direct address is a pooler: DATABASE_DIRECT_URL must go past it')
  }
}

/** Waits while another process migrates, and logs once who that is. */
async function takeLock(db: Db, log: Log): Promise<void> {
  for (let looks = 1; ; looks += 1) {
    const { rows } = await db.query<{ got: boolean }>({
      text: 'SELECT pg_try_advisory_lock($1) AS got',
      values: [MIGRATION_LOCK],
    })
    if (rows[0]?.got === true) return
    if (looks === LOOKS_UNTOLD) {
      const holders = await db.query<Record<string, unknown>>({
        text: `SELECT b.pid, b.application_name AS application, b.client_addr AS address, b.backend_start AS since
          FROM pg_locks l JOIN pg_stat_activity b ON b.pid = l.pid
          WHERE l.locktype = 'advisory' AND l.granted AND (l.classid::bigint << 32 | l.objid::bigint) = $1
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        values: [MIGRATION_LOCK],
      })
      log.warn({ holders: holders.rows }, 'another connection migrates the database: this process waits for it')
    }
    await wait(LOCK_LOOK_MS)
  }
}

/** Migrates the job queue without a statement time-out. Listeners keep a lost connection from ending the process. */
async function migrateJobQueue(connectionString: string): Promise<void> {
  const connections = new pg.Pool({ Client: PrimaryClient, connectionString, max: 1 })
  connections.on('error', () => undefined)
  connections.on('connect', (client) => client.on('error', () => undefined))
  try {
    await runMigrations({ pgPool: connections })
  } finally {
    await connections.end()
  }
}

/** Lists the migrations that `migrate` would apply, and throws as `migrate` would. */
export async function pendingMigrations(db: Db, folder: URL = MIGRATIONS_FOLDER, version = VERSION): Promise<string[]> {
  const files = await migrationsOf(folder)
  const table = await db.query<{ found: boolean }>({
    text: `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  })
  if (table.rows[0]?.found !== true) return files.map((file) => file.name)
  const applied = await db.query<Applied>({ text: APPLIED })
  return compare(files, applied.rows, version).pending.map((file) => file.name)
}

let own: Promise<Migration[]> | null = null

/** Lists the migrations. The release's own files are read once, because `/readyz` is polled often. */
function migrationsOf(folder: URL): Promise<Migration[]> {
  if (folder !== MIGRATIONS_FOLDER) return readMigrations(folder)
  own ??= readMigrations(folder).catch((error: unknown) => {
    own = null
    throw error
  })
  return own
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== SCHEMA).sort()
  const numbers = new Map<string, string>()
  for (const name of names) {
    if (!FILE_NAME.test(name)) throw new Error(`migration ${name}: the name must be like 0001_what_it_makes.sql`)
    const twin = numbers.get(name.slice(0, 4))
    if (twin !== undefined) throw new Error(`migrations ${twin} and ${name} have the same number`)
    numbers.set(name.slice(0, 4), name)
  }
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return {
        name,
        text,
        sha256: createHash('sha256').update(text).digest('hex'),
        needs: NEEDS.exec(text)?.[1] ?? null,
      }
    }),
  )
}

/** Compares the files with the applied migrations. `unknown` are those of a newer release that lets this one run. */
function compare(
  files: readonly Migration[],
  applied: readonly Applied[],
  version: string,
): { pending: Migration[]; unknown: Applied[] } {
  const byName = new Map(files.map((file) => [file.name, file]))
  const unknown = applied.filter(({ name }) => !byName.has(name))
  refuseUnfit(unknown, files.at(-1)?.name, version)
  const changed = applied.find(({ name, sha256 }) => (byName.get(name)?.sha256 ?? sha256) !== sha256)
  if (changed !== undefined) {
    throw new StartRefused(
      `migration ${changed.name} was changed after it was applied to this database: start the release that applied it`,
    )
  }
  const done = new Set(applied.map((row) => row.name))
  const pending = files.filter((file) => !done.has(file.name))
  const last = applied.at(-1)?.name
  const late = pending.find((file) => last !== undefined && file.name < last)
  if (late) throw new Error(`migration ${late.name} is new, but ${last} was already applied: give it a higher number`)
  return { pending, unknown }
}

/** Throws StartRefused unless a release of this version can run after the unknown migrations. */
function refuseUnfit(unknown: readonly Applied[], newestOwn: string | undefined, version: string): void {
  const needed = unknown.flatMap(({ needs }) => (needs !== null && isNewer(needs, version) ? [needs] : []))
  // A file that sorts before the newest own file was not added by a newer release: it is missing here.
  const isMissing = unknown.some(({ name }) => newestOwn === undefined || name < newestOwn)
  if (needed.length === 0 && !isMissing) return
  const newest = needed.reduce((one, other) => (isNewer(other, one) ? other : one), '0.0.0')
  const way = needed.length > 0 ? `release ${newest} or a newer one` : 'that release'
  throw new StartRefused(
    `this database was migrated by a newer release (${named(unknown)}): start ${way}, or restore the backup that was made before it`,
  )
}

function named(migrations: readonly Applied[]): string {
  const names = migrations.map(({ name }) => name)
  return names.length > 2 ? `${names[0]} … ${names.at(-1)}` : names.join(', ')
}

/** Compares versions x.y.z by number: 0.10.0 is newer than 0.9.0. */
function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0
}

async function apply(client: pg.Client, file: Migration): Promise<void> {
  try {
    await withShortWaits(client, async () => {
      await client.query(file.text)
      const row = [file.name, file.sha256, file.needs]
      await client.query('INSERT INTO schema_migrations (name, sha256, needs) VALUES ($1, $2, $3)', row)
    })
  } catch (error) {
    // The caller closes the connection, which rolls the migration's transaction back.
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`migration ${file.name} failed and changed nothing: ${reason}`, { cause: error })
  }
}

/**
 * Runs `change` in a transaction, and again if it waited too long for a lock. A change that waits for a lock makes every
 * later statement on the table wait too, while another node may serve.
 */
async function withShortWaits(client: pg.Client, change: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query('BEGIN')
    await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)
    try {
      await change()
      await client.query('COMMIT')
      return
    } catch (error) {
      const isLate = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isLate || tries === LOCK_TRIES) throw error
      await client.query('ROLLBACK')
      await wait(LOCK_PAUSE_MS)
    }
  }
}
