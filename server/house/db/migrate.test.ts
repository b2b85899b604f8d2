import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
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
  await expect
    .poll(
      async () =>
        (await pool.query({ text: `SELECT FROM pg_locks WHERE NOT granted AND relation = 'steps'::regclass` }))
          .rowCount,
    )
    .toBe(1)
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
