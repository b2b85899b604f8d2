import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { seedCatalog } from '#server/features/catalog/seed.ts'
import { verifyLedger } from '#server/money/verify.ts'
import { addActivation, addBuyer, BOOKS_ENDINGS, BOOKS_START, fillBooks, openTestPool } from '#test/books.ts'
import { temporaryFolder } from '#test/temporary-folder.ts'
import { backupDatabase } from './backup.ts'
import { migrate } from './migrate.ts'
import type { Pool } from './pool.ts'
import { restoreDatabase } from './restore.ts'

test('a restored database equals the one that was backed up, to the byte', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool({ empty: true })
  await fillBooks(source)
  await addOddities(source)
  const made = await backupDatabase(source, { file: folder.path('first.gz'), now: BOOKS_START })

  const restored = await restoreDatabase(target, folder.path('first.gz'))

  expect(restored).toEqual({ takenAt: BOOKS_START.toISOString(), tables: made.tables, rows: made.rows })
  expect(await verifyLedger(target)).toMatchObject({ ok: true })
  await backupDatabase(target, { file: folder.path('second.gz'), now: BOOKS_START })
  expect(await linesOf(folder.path('second.gz'))).toEqual(await linesOf(folder.path('first.gz')))
  expect(await describeSchema(target)).toEqual(await describeSchema(source))
  // What is bought next gets a number of its own, and the books still cannot be changed.
  const [userId, supplierId] = [1, 1]
  const id = await addActivation(target, {
    supplierId,
    userId,
    currency: 'rub',
    phone: '77770000001',
    ending: 'finished',
  })
  expect(id).toBe((await newestActivation(source)) + 1n)
  await expect(target.query({ text: 'DELETE FROM transfers' })).rejects.toThrow('transfers is append-only')
})

test('a backup taken while purchases go on is one moment of the books', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool({ empty: true })
  const { supplierId } = await fillBooks(source)
  const buyers = await Promise.all(
    [1, 2, 3].map((number) =>
      addBuyer(source, { email: `b${number}@ringpost.test`, currency: 'rub', units: 100_000n }),
    ),
  )
  let running = true
  let bought = 0
  const trade = async (userId: number) => {
    for (let turn = 0; running; turn += 1) {
      const ending = BOOKS_ENDINGS[turn % BOOKS_ENDINGS.length] ?? 'waiting'
      const phone = `77${String(userId).padStart(3, '0')}${String(turn).padStart(7, '0')}`
      await addActivation(source, { supplierId, userId, currency: 'rub', phone, ending })
      bought += 1
    }
  }
  const trades = Promise.all(buyers.map(trade))
  for (let turn = 0; turn < 3; turn += 1) {
    await backupDatabase(source, { file: folder.path(`${turn}.gz`), now: BOOKS_START })
  }
  const boughtMeanwhile = bought
  running = false
  await trades

  await restoreDatabase(target, folder.path('2.gz'))

  expect(boughtMeanwhile).toBeGreaterThan(0)
  const report = await verifyLedger(target)
  expect(report.checks.flatMap((check) => check.problems)).toEqual([])
  await backupDatabase(target, { file: folder.path('again.gz'), now: BOOKS_START })
  const [again, first] = [await linesOf(folder.path('again.gz')), await linesOf(folder.path('2.gz'))]
  // The counters of a running database may stand higher than its rows, so all but them is compared.
  expect(again.slice(0, -2)).toEqual(first.slice(0, -2))
})

test('the file is for its owner only, and no other file is left beside it', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await backupDatabase(source, { file: folder.path('b.gz'), now: BOOKS_START })
  expect((await stat(folder.path('b.gz'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder.root)).toEqual(['b.gz'])
})

test('a file that exists is not written over, and a folder that does not is named', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await writeFile(folder.path('b.gz'), 'precious')
  const backup = (name: string) => backupDatabase(source, { file: folder.path(name), now: BOOKS_START })
  await expect(backup('b.gz')).rejects.toThrow(/b\.gz exists already: choose another name$/)
  await expect(backup('no/b.gz')).rejects.toThrow(/b\.gz was not written: there is no such folder$/)
  expect(await readFile(folder.path('b.gz'), 'utf8')).toBe('precious')
  expect(await readdir(folder.root)).toEqual(['b.gz'])
})

test('a database with users in it is not restored into', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool()
  await fillBooks(source)
  await addBuyer(target, { email: 'here@ringpost.test', currency: 'rub', units: 1n })
  await backupDatabase(source, { file: folder.path('b.gz'), now: BOOKS_START })

  await expect(restoreDatabase(target, folder.path('b.gz'))).rejects.toThrow('The database is not empty')

  const { rows } = await target.query({ text: 'SELECT email FROM users' })
  expect(rows).toEqual([{ email: 'here@ringpost.test' }])
})

test('a database of somebody else is not touched', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool({ empty: true })
  await target.query({ text: 'CREATE TABLE orders (id integer)' })
  await backupDatabase(source, { file: folder.path('b.gz'), now: BOOKS_START })
  await expect(restoreDatabase(target, folder.path('b.gz'))).rejects.toThrow(/^The database is not empty \(orders/)
  expect(await tablesOf(target)).toEqual(['orders'])
})

test('a restore that is refused at the last moment leaves nothing, counters included', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool({ empty: true })
  await fillBooks(source)
  await backupDatabase(source, { file: folder.path('b.gz'), now: BOOKS_START })
  await migrate(target)
  await seedCatalog(target)
  const before = await describeSchema(target)
  const refuse = () => Promise.reject(new Error('refused'))
  await expect(restoreDatabase(target, folder.path('b.gz'), refuse)).rejects.toThrow('refused')
  expect((await target.query({ text: 'SELECT FROM users' })).rowCount).toBe(0)
  expect((await target.query({ text: 'SELECT FROM services' })).rowCount).toBeGreaterThan(100)
  expect(await describeSchema(target)).toEqual(before)
  expect(await addBuyer(target, { email: 'first@ringpost.test', currency: 'rub', units: 1n })).toBe(1)
})

/** Each makes a broken file out of the bytes of a good one. */
const breakages: [name: string, damage: (file: Buffer) => Buffer, says: RegExp][] = [
  ['cut in the middle', (file) => file.subarray(0, file.length / 2), /is damaged: it ends too early$/],
  ['cut before its last line', (file) => again(file, (lines) => lines.slice(0, -1)), /is damaged: its end is missing$/],
  ['without the last line end', (file) => gzipSync(gunzipSync(file).subarray(0, -1)), /its last line is not complete$/],
  ['one byte turned', (file) => turnByte(file), /is damaged|is not a backup of Ringpost, or is damaged/],
  [
    'an amount changed',
    (file) => edit(file, '"500000000"', '"900000000"'),
    /the rows of public\.transfers were changed$/,
  ],
  [
    'a row taken out',
    (file) => again(file, (lines) => lines.filter((line) => !line.startsWith('["1","rub"'))),
    /public\.accounts has 1 rows instead of 2$/,
  ],
  [
    'a header changed',
    (file) => edit(file, '"takenAt":"2026', '"takenAt":"2025'),
    /is damaged: its checksum is wrong$/,
  ],
  [
    'a row with too few values',
    (file) => edit(file, /^\["1","rub".*$/m, '["1","rub"]'),
    /a row of public\.accounts cannot be read$/,
  ],
  [
    'something after the end',
    (file) => gzipSync(Buffer.concat([gunzipSync(file), Buffer.from('{}\n')])),
    /something follows its end$/,
  ],
  [
    'another format',
    (file) => edit(file, '"ringpostBackup":1', '"ringpostBackup":2'),
    /in a format this one does not know$/,
  ],
  ['no gzip at all', () => Buffer.from('hello'), /is not a backup of Ringpost, or is damaged$/],
  ['a gzip of something else', () => gzipSync('{"some":"json"}\n'), /is not a backup of Ringpost, or is damaged$/],
  ['empty', () => Buffer.alloc(0), /is not a backup of Ringpost|ends too early/],
]

test('a damaged or foreign file is refused, and nothing has changed', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool({ empty: true })
  await fillBooks(source)
  await backupDatabase(source, { file: folder.path('good.gz'), now: BOOKS_START })
  const good = await readFile(folder.path('good.gz'))
  for (const [name, damage, says] of breakages) {
    await writeFile(folder.path(name), damage(good))
    await expect(restoreDatabase(target, folder.path(name)), name).rejects.toThrow(says)
    expect(await tablesOf(target), name).toEqual([])
  }
  await expect(restoreDatabase(target, folder.path('missing'))).rejects.toThrow(/^There is no file /)
  await restoreDatabase(target, folder.path('good.gz'))
  expect((await target.query({ text: 'SELECT FROM users' })).rowCount).toBe(2)
})

test('a backup of another release is refused with the name of its last migration', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestPool()
  await using target = await openTestPool({ empty: true })
  await source.query({ text: `INSERT INTO schema_migrations (name, sha256) VALUES ('9999_later.sql', 'x')` })
  await backupDatabase(source, { file: folder.path('later.gz'), now: BOOKS_START })
  await expect(restoreDatabase(target, folder.path('later.gz'))).rejects.toThrow(
    /its last migration is 9999_later\.sql/,
  )
  expect(await tablesOf(target)).toEqual([])
})

/** Values that a careless copy would change. */
async function addOddities(pool: Pool): Promise<void> {
  await pool.query({
    text: `INSERT INTO users (email, name, role, zone, locale, settings, created_at, password_hash, blocked_at)
      VALUES ('odd@ringpost.test', E'tab\\t "quote" \\\\ back\\nline {a,b} ,NULL 🙂 \\u0001', 'user', 'ru', 'ru',
        '{"b": 1.10, "a": [null, "x"]}', '2026-01-01 00:00:00.123456+03', '', NULL)`,
  })
  await pool.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      VALUES ('2026-01-01 00:00Z', 1, 'tg', 2, 'mts', 3, 2, '{1,NULL,2}')`,
  })
  await pool.query({
    text: `INSERT INTO sessions (user_id, access_hash, access_expires_at, user_agent, address, created_at, last_used_at)
      VALUES (1, '\\x00ff0a0d5c22', 'infinity', '', '', now(), now())`,
  })
  // A job in some process's hands: in the copy it is free.
  await pool.query({ text: `SELECT graphile_worker.add_job('end-number', '{"activationId":  "1"}', 'a queue')` })
}

async function linesOf(file: string): Promise<string[]> {
  return gunzipSync(await readFile(file))
    .toString('utf8')
    .split('\n')
}

/** Everything of the tables that a restore could have left changed. */
async function describeSchema(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query<{ line: string }>({
    text: `SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT format('%s %s', pg_get_triggerdef(oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT format('%s %s %s %s', schemaname, sequencename, start_value, last_value) FROM pg_sequences ORDER BY 1`,
  })
  return rows
}

async function tablesOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>({
    text: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  })
  return rows.map((row) => row.name)
}

async function newestActivation(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ id: bigint }>({ text: 'SELECT max(id) AS id FROM activations' })
  return rows[0]?.id ?? 0n
}

function again(file: Buffer, change: (lines: string[]) => string[]): Buffer {
  const lines = gunzipSync(file).toString('utf8').split('\n').slice(0, -1)
  return gzipSync(`${change(lines).join('\n')}\n`)
}

function edit(file: Buffer, from: string | RegExp, to: string): Buffer {
  const text = gunzipSync(file).toString('utf8')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing in the backup is like ${from}`)
  return gzipSync(changed)
}

function turnByte(file: Buffer): Buffer {
  const turned = Buffer.from(file)
  const at = Math.floor(turned.length / 2)
  turned[at] = (turned[at] ?? 0) ^ 0x10
  return turned
}
