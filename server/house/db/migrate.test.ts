import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { LOCK_KEY } from '#server/house/nodes/lock-queries.ts'
import { migrateUnserved } from '#server/house/nodes/migrate-unserved.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { createEmptyDatabase, createTestDatabase } from '#test/harness/database.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { migrate, migrateBeside, pendingMigrations } from './migrate.ts'
import { openConnection } from './own-connection.ts'
import { Pool } from './pool.ts'

test('files run in the order of their numbers, each once, and the job queue is made', async () => {
  await using folder = await migrationsFolder({
    '0002_second.sql': 'ALTER TABLE steps ADD COLUMN second int; INSERT INTO steps VALUES (1, 2);',
    '0001_first.sql': 'CREATE TABLE steps (first int);',
    'notes.txt': 'not SQL',
  })
  await using pool = await emptyPool()
  expect(await pendingMigrations(pool, folder.url)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(pool, folder.url)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await migrate(pool, folder.url)).toEqual([])
  expect(await pendingMigrations(pool, folder.url)).toEqual([])
  expect((await pool.query({ text: 'SELECT * FROM steps' })).rows).toEqual([{ first: 1, second: 2 }])
  const queue = await pool.query({ text: `SELECT to_regclass('graphile_worker.jobs') IS NOT NULL AS found` })
  expect(queue.rows).toEqual([{ found: true }])
})

test('a new file runs alone; until then it is pending', async () => {
  await using folder = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  await using pool = await emptyPool()
  await migrate(pool, folder.url)
  await writeFile(new URL('0002_second.sql', folder.url), 'CREATE TABLE more (n int);')
  expect(await pendingMigrations(pool, folder.url)).toEqual(['0002_second.sql'])
  expect(await migrate(pool, folder.url)).toEqual(['0002_second.sql'])
})

test('no files are no error', async () => {
  await using folder = await migrationsFolder({})
  await using pool = await emptyPool()
  expect(await migrate(pool, folder.url)).toEqual([])
})

test('a file that was changed or removed after it ran is refused, and nothing runs', async () => {
  await using folder = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  await using pool = await emptyPool()
  await migrate(pool, folder.url)
  await writeFile(new URL('0002_second.sql', folder.url), 'CREATE TABLE more (n int);')
  await writeFile(new URL('0001_first.sql', folder.url), 'CREATE TABLE steps (first bigint);')
  const changed = 'migration 0001_first.sql was changed after it was applied to this database'
  await expect(migrate(pool, folder.url)).rejects.toThrow(changed)
  await expect(pendingMigrations(pool, folder.url)).rejects.toThrow(changed)
  await rm(new URL('0001_first.sql', folder.url))
  await expect(migrate(pool, folder.url)).rejects.toThrow(StartRefused)
  const tables = await pool.query({ text: `SELECT to_regclass('more') IS NULL AS untouched` })
  expect(tables.rows).toEqual([{ untouched: true }])
})

test('names without a number, equal numbers and numbers below an applied one are refused', async () => {
  await using unnamed = await migrationsFolder({ 'first.sql': '' })
  await using twins = await migrationsFolder({ '0001_a.sql': '', '0001_b.sql': '' })
  await using late = await migrationsFolder({ '0002_second.sql': 'CREATE TABLE more (n int);' })
  await using pool = await emptyPool()
  await expect(migrate(pool, unnamed.url)).rejects.toThrow('0001_what_it_makes.sql')
  await expect(migrate(pool, twins.url)).rejects.toThrow('have the same number')
  await migrate(pool, late.url)
  await writeFile(new URL('0001_first.sql', late.url), 'CREATE TABLE steps (n int);')
  await expect(migrate(pool, late.url)).rejects.toThrow('give it a higher number')
})

test('a file that fails half-way leaves nothing of itself; those before it stay', async () => {
  await using folder = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE steps (first int);',
    '0002_broken.sql': 'CREATE TABLE half (n int); SELECT * FROM nowhere;',
  })
  await using pool = await emptyPool()
  await expect(migrate(pool, folder.url)).rejects.toThrow(/0002_broken\.sql failed and changed nothing: .*nowhere/)
  const tables = await pool.query({
    text: `SELECT to_regclass('half') IS NULL AS gone, to_regclass('steps') IS NOT NULL AS kept`,
  })
  expect(tables.rows).toEqual([{ gone: true, kept: true }])
  expect(await pendingMigrations(pool, folder.url)).toEqual(['0002_broken.sql'])
})

test('four migrators at once apply each file once', async () => {
  await using folder = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE steps (n int);',
    '0002_second.sql': 'INSERT INTO steps VALUES (1);',
  })
  await using pool = await emptyPool()
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(pool, folder.url)))
  expect(applied.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql'])
  expect((await pool.query({ text: 'SELECT count(*)::int AS n FROM steps' })).rows).toEqual([{ n: 1 }])
})

test('the release that a file needs is kept from its first line alone', async () => {
  await using folder = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE steps (first int);',
    '0002_second.sql': '-- needs: 0.10.0\nALTER TABLE steps DROP COLUMN first;',
    '0003_third.sql': '-- A column.\n-- needs: 0.10.0\nALTER TABLE steps ADD COLUMN third int;',
  })
  await using pool = await emptyPool()
  await migrate(pool, folder.url)
  expect(await neededBy(pool)).toEqual([null, '0.10.0', null])
})

test('beside a node that serves, migrations stop at the first that not every release can run on', async () => {
  await using folder = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE steps (first int);',
    '0002_second.sql': '-- needs: 0.1.0\nALTER TABLE steps DROP COLUMN first;',
    '0003_third.sql': 'ALTER TABLE steps ADD COLUMN third int;',
  })
  await using pool = await emptyPool()
  expect(await migrateBeside(pool, folder.url)).toEqual(['0001_first.sql'])
  expect(await migrateBeside(pool, folder.url)).toEqual([])
  expect(await migrate(pool, folder.url)).toEqual(['0002_second.sql', '0003_third.sql'])
})

test('a migration that waits for a lock lets the statements behind it through, and is tried again', async () => {
  await using folder = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  await using pool = await emptyPool()
  await migrate(pool, folder.url)
  await writeFile(new URL('0002_second.sql', folder.url), 'ALTER TABLE steps ADD COLUMN second int;')
  const dump = await openConnection(pool.options.connectionString, 'dump')
  await dump.client.query('BEGIN; LOCK TABLE steps IN ACCESS SHARE MODE')
  const migrating = migrate(pool, folder.url)
  const waiters = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'steps'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await expect.poll(async () => (await pool.query({ text: waiters })).rowCount).toBe(1)
  await pool.query({ text: 'SELECT FROM steps' })
  await dump[Symbol.asyncDispose]()
  expect(await migrating).toEqual(['0002_second.sql'])
})

test('a database without the column `needs` is read as it is, and gets the column with its next migration', async () => {
  await using folder = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  await using pool = await emptyPool()
  await migrate(pool, folder.url)
  await pool.query({ text: 'ALTER TABLE schema_migrations DROP COLUMN needs' })
  expect(await pendingMigrations(pool, folder.url)).toEqual([])
  {
    // A dump reads the table for hours, and holds this lock.
    await using dump = await openConnection(pool.options.connectionString, 'dump')
    await dump.client.query('BEGIN; LOCK TABLE schema_migrations IN ACCESS SHARE MODE')
    expect(await migrate(pool, folder.url)).toEqual([])
  }
  await writeFile(new URL('0002_second.sql', folder.url), '-- needs: 0.1.0\nCREATE TABLE more (n int);')
  expect(await migrate(pool, folder.url)).toEqual(['0002_second.sql'])
  expect(await neededBy(pool)).toEqual([null, '0.1.0'])
})

test('an older release runs on the database of a newer one that allows it, warns once and applies nothing', async () => {
  await using older = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  await using newer = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE steps (first int);',
    '0002_second.sql': 'ALTER TABLE steps ADD COLUMN second int;',
    '0003_third.sql': '-- needs: 0.9.0\nALTER TABLE steps DROP COLUMN first;',
    '0004_fourth.sql': 'CREATE TABLE more (n int);',
  })
  const log = recordingLog()
  const { connectionString } = await createEmptyDatabase()
  await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log })
  await migrate(pool, newer.url, '0.10.0')
  // A newer graphile-worker may have a revision that the older one refuses to migrate.
  await pool.query({ text: 'INSERT INTO graphile_worker.migrations (id, breaking) VALUES (999999, true)' })
  const before = await neededBy(pool)
  expect(await pendingMigrations(pool, older.url, '0.9.0')).toEqual([])
  expect(log.lines).toEqual([])
  expect(await migrate(pool, older.url, '0.9.0')).toEqual([])
  expect(log.lines).toEqual([
    {
      level: 'warn',
      fields: { version: '0.9.0', migrations: '0002_second.sql … 0004_fourth.sql' },
      sentence: 'a newer release migrated this database; this release can run on it and applies nothing',
    },
  ])
  expect(await neededBy(pool)).toEqual(before)
})

test('an older release refuses a database that needs a newer one, and names the version that can run', async () => {
  await using older = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  await using newer = await migrationsFolder({
    '0001_first.sql': 'CREATE TABLE steps (first int);',
    '0002_second.sql': '-- needs: 0.10.0\nALTER TABLE steps DROP COLUMN first;',
    '0003_third.sql': '-- needs: 0.9.1\nCREATE TABLE more (n int);',
  })
  await using pool = await emptyPool()
  await migrate(pool, newer.url, '0.11.0')
  const refusal =
    'this database was migrated by a newer release (0002_second.sql, 0003_third.sql): ' +
    'start release 0.10.0 or a newer one, or restore the backup that was made before it'
  for (const version of ['0.9.0', '0.9.1', '0.2.0']) {
    await expect(migrate(pool, older.url, version)).rejects.toThrow(new StartRefused(refusal))
    await expect(pendingMigrations(pool, older.url, version)).rejects.toThrow(new StartRefused(refusal))
  }
  for (const version of ['0.10.0', '0.10.1', '1.0.0']) {
    expect(await pendingMigrations(pool, older.url, version)).toEqual([])
  }
})

test('an applied file that is missing between others, or all files missing, is no newer release', async () => {
  const first = { '0001_first.sql': 'CREATE TABLE steps (first int);' }
  const second = { '0002_second.sql': 'CREATE TABLE more (n int);' }
  await using whole = await migrationsFolder({ ...first, ...second })
  await using gap = await migrationsFolder(second)
  await using empty = await migrationsFolder({})
  await using pool = await emptyPool()
  await migrate(pool, whole.url)
  const refusal = 'migrated by a newer release (0001_first.sql'
  for (const { url } of [gap, empty]) {
    await expect(migrate(pool, url)).rejects.toThrow(refusal)
    await expect(pendingMigrations(pool, url)).rejects.toThrow(refusal)
  }
})

test("the service's own files are applied in a test database, which repeats them without effect", async () => {
  await using database = await createTestDatabase()
  await using pool = poolOf(database.connectionString)
  expect(await pendingMigrations(pool)).toEqual([])
  expect(await migrate(pool)).toEqual([])
})

test('events and ids of messages of release 0.1.0 become parts and rows, and no event is copied', async () => {
  const own = new URL('../../../migrations/', import.meta.url)
  const names = (await readdir(own)).filter((name) => /^\d{4}_/.test(name))
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(new URL(name, own), 'utf8')] as const),
  )
  await using folder = await migrationsFolder(Object.fromEntries(texts.filter(([name]) => name < '0316')))
  await using pool = await emptyPool()
  await migrate(pool, folder.url)
  const read = async (text: string) => (await pool.query({ text })).rows
  await pool.query({
    text: `INSERT INTO events (at, kind, subject_id) SELECT now() - n * interval '1 day', 'activation.waiting', n FROM generate_series(0, 99) n`,
  })
  await pool.query({
    text: `INSERT INTO events (at, kind, subject_id) VALUES (now() + interval '70 days', 'ahead', 1)`,
  })
  await pool.query({
    text: `WITH made AS (INSERT INTO suppliers (code, kind, created_at) VALUES ('old', 'simulator', now()) RETURNING id)
      INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, received_at)
      SELECT made.id, word, '79990000001', 'Telegram', 'hello', now() FROM made, unnest(ARRAY['a', 'b', NULL]) word`,
  })
  const file = await read(`SELECT pg_relation_filenode('events') AS file`)
  const rows = await read('SELECT * FROM events ORDER BY id')
  // Release 0.1.0 keeps its connection, and its prepared statement goes on.
  await using before = await openConnection(pool.options.connectionString, 'before')
  await before.client.query(
    `PREPARE note AS INSERT INTO events (at, kind) VALUES (now(), 'later') RETURNING id::integer`,
  )
  const note = () => before.client.query<{ id: number }>('EXECUTE note')
  expect((await note()).rows).toEqual([{ id: 102 }])
  await migrateBeside(pool)
  expect((await note()).rows).toEqual([{ id: 103 }])
  expect(await read(`SELECT pg_relation_filenode('events_first') AS file`)).toEqual(file)
  expect(await read('SELECT * FROM events WHERE id < 102 ORDER BY id')).toEqual(rows)
  expect(await read('SELECT DISTINCT tableoid::regclass::text AS part FROM events')).toEqual([{ part: 'events_first' }])
  expect(await read('SELECT supplier_message_id AS id, message_id FROM message_ids ORDER BY id')).toEqual([
    { id: 'a', message_id: 1n },
    { id: 'b', message_id: 2n },
  ])
})

test('a migration waits for another, tells of it, and goes on once the other has ended', async () => {
  await using folder = await migrationsFolder({ '0001_first.sql': 'CREATE TABLE steps (first int);' })
  const { connectionString } = await createEmptyDatabase()
  const log = recordingLog()
  await using pool = new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log })
  await using other = await openConnection(connectionString, 'ringpost other')
  await other.client.query('SELECT pg_advisory_lock(7267053114)')
  const told = log.next('another connection migrates the database: this process waits for it')
  const migrating = migrate(pool, folder.url)
  await told
  expect(log.lines.at(-1)?.fields).toMatchObject({ holders: [{ application: 'ringpost other' }] })
  await other.client.query('SELECT pg_advisory_unlock(7267053114)')
  expect(await migrating).toEqual(['0001_first.sql'])
})

test('a command applies no migration that the serving nodes could not run on, but those before it', async () => {
  await using folder = await migrationsFolder({
    '0001_first.sql':
      'CREATE TABLE steps (first int); CREATE TABLE nodes (state text, until timestamptz, ended_at timestamptz);',
    '0002_breaks.sql': '-- needs: 0.2.0\nALTER TABLE steps DROP COLUMN first;',
  })
  await using pool = await emptyPool()
  await using node = await openConnection(pool.options.connectionString, 'ringpost lock')
  await node.client.query(`SELECT pg_advisory_lock_shared(${LOCK_KEY})`)
  const refusal = 'the service must not run during 0002_breaks.sql: stop every node, and migrate again'
  await expect(migrateUnserved(pool, folder.url)).rejects.toThrow(refusal)
  expect(await pendingMigrations(pool, folder.url)).toEqual(['0002_breaks.sql'])
  await node.client.query(`SELECT pg_advisory_unlock_shared(${LOCK_KEY})`)
  // A node that lost its lock renews itself by another connection.
  await pool.query({ text: `INSERT INTO nodes VALUES ('serves', now() + interval '1 minute')` })
  await expect(migrateUnserved(pool, folder.url)).rejects.toThrow(refusal)
  await pool.query({ text: 'UPDATE nodes SET ended_at = now()' })
  expect(await migrateUnserved(pool, folder.url)).toEqual(['0002_breaks.sql'])
})

test('a repeated message is refused at once while a migration fills the ids of messages', async () => {
  await using database = await createTestDatabase()
  await using pool = poolOf(database.connectionString)
  const store = `INSERT INTO messages (supplier_id, supplier_message_id, phone, sender, body, received_at)
    SELECT id, 'a', '79990000001', 'Telegram', 'hello', now() FROM suppliers WHERE code = 'old'`
  await pool.query({ text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('old', 'simulator', now())` })
  await pool.query({ text: store })
  await pool.query({ text: 'DELETE FROM message_ids' })
  await using migration = await openConnection(database.connectionString, 'migration')
  await migration.client.query('BEGIN')
  // As migration 0317 does.
  await migration.client.query(`INSERT INTO message_ids (supplier_id, supplier_message_id, message_id, received_at)
    SELECT supplier_id, supplier_message_id, id, received_at FROM messages`)
  await expect(pool.query({ text: store })).rejects.toMatchObject({ constraint: 'messages_supplier_id_unique' })
  await migration.client.query('COMMIT')
  expect((await pool.query({ text: 'SELECT message_id FROM message_ids' })).rows).toHaveLength(1)
})

async function migrationsFolder(files: Record<string, string>): Promise<AsyncDisposable & { url: URL }> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return {
    url: pathToFileURL(`${folder}/`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

async function emptyPool(): Promise<Pool> {
  const database = await createEmptyDatabase()
  return poolOf(database.connectionString)
}

async function neededBy(pool: Pool): Promise<(string | null)[]> {
  const { rows } = await pool.query<{ needs: string | null }>({
    text: 'SELECT needs FROM schema_migrations ORDER BY name',
  })
  return rows.map(({ needs }) => needs)
}

function poolOf(connectionString: string): Pool {
  return new Pool({ connectionString, maxConnections: 2, applicationName: 'test', log: quietLog })
}
