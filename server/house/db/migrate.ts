import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { StartRefused } from '#server/house/start-refused.ts'
import { PrimaryClient } from './hosts/primary-client.ts'
import { openConnection } from './own-connection.ts'
import { type Db, directOptions, type Pool } from './pool.ts'

type Migration = { name: string; sha256: string; text: string }
type Applied = { name: string; sha256: string }

const MIGRATION_LOCK = 7_267_053_114
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
/** The file that shows the schema after all migrations. It is for readers only and never applied. */
const SCHEMA = 'schema.sql'
const MIGRATIONS_FOLDER = new URL('../../../migrations/', import.meta.url)

/**
 * Applies the new migrations. Throws if an applied file was changed or removed, or if a new file sorts before an
 * applied file.
 */
export async function migrate(pool: Pool, folder: URL = MIGRATIONS_FOLDER): Promise<string[]> {
  const files = await migrationsOf(folder)
  const { connectionString } = directOptions(pool)
  await using own = await openConnection(connectionString, 'ringpost migrate')
  const { client, db } = own
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY,
       sha256 text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  )
  const { rows } = await db.query<Applied>({ text: 'SELECT name, sha256 FROM schema_migrations ORDER BY name' })
  const pending = findPending(files, rows)
  for (const file of pending) await apply(client, file)
  await migrateJobQueue(connectionString)
  return pending.map((file) => file.name)
}

/**
 * Migrates the tables of the job queue, on connections without a statement time-out. Listeners keep a lost connection
 * from ending the process.
 */
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

export async function pendingMigrations(db: Db, folder: URL = MIGRATIONS_FOLDER): Promise<string[]> {
  const files = await migrationsOf(folder)
  const table = await db.query<{ found: boolean }>({
    text: `SELECT to_regclass('schema_migrations') IS NOT NULL AS found`,
  })
  if (table.rows[0]?.found !== true) return files.map((file) => file.name)
  const applied = await db.query<Applied>({ text: 'SELECT name, sha256 FROM schema_migrations ORDER BY name' })
  return findPending(files, applied.rows).map((file) => file.name)
}

let own: Promise<Migration[]> | null = null

/** Lists the migrations. The release's own files are read once and cached, because `/readyz` is polled often. */
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
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

function findPending(files: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(files.map((file) => [file.name, file]))
  const unknown = applied.filter(({ name }) => !byName.has(name)).map(({ name }) => name)
  if (unknown.length > 0) throw new StartRefused(madeByNewer(unknown))
  const changed = applied.find(({ name, sha256 }) => byName.get(name)?.sha256 !== sha256)
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
  return pending
}

function madeByNewer(unknown: readonly string[]): string {
  const names = unknown.length > 2 ? `${unknown[0]} … ${unknown.at(-1)}` : unknown.join(', ')
  return `this database was migrated by a newer release (${names}): start that release, or restore the backup that was made before it`
}

async function apply(client: pg.Client, file: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(file.text)
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [file.name, file.sha256])
    await client.query('COMMIT')
  } catch (error) {
    // The caller closes the connection, which rolls the migration's transaction back.
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`migration ${file.name} failed and changed nothing: ${reason}`, { cause: error })
  }
}
