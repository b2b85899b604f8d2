import { execFile, execFileSync } from 'node:child_process'
import { lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { queryOnce, quietLog, removeDataDir, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { giveTo, preparePlace } from './postgres-place.ts'

test('a fresh start gives a private database without TCP, owned by an ordinary role', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  await using postgres = await start(folder.dataDir)
  expect(postgres.reused).toBe(false)
  const place = await preparePlace(folder.dataDir)
  for (const path of [place.home, place.socketFolder, place.dataFolder]) {
    expect((await stat(path)).mode & 0o777).toBe(0o700)
  }
  expect((await stat(place.credentialsFile)).mode & 0o777).toBe(0o600)
  const facts = await queryOnce(
    postgres.connectionString('ringpost'),
    `SELECT current_user::text, rolsuper, current_setting('listen_addresses') AS addresses,
            lower('ЖЁЛТЫЙ') AS lower, inet_client_addr() IS NULL AS socket
     FROM pg_roles WHERE rolname = current_user`,
  )
  expect(facts).toEqual([{ current_user: 'ringpost', rolsuper: false, addresses: '', lower: 'жёлтый', socket: true }])
  const durability = `SELECT string_agg(setting, ' ') AS on FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')`
  expect(await queryOnce(postgres.superuserConnectionString('postgres'), durability)).toEqual([{ on: 'on on on' }])
  await postgres.stop()
})

test('a wrong password is refused on the socket', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  await using postgres = await start(folder.dataDir)
  const url = new URL(postgres.connectionString('ringpost'))
  url.password = 'guess'
  await expect(queryOnce(url.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' })
})

test('passwords appear neither among the arguments of the processes nor in the log', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  await using postgres = await start(folder.dataDir)
  const place = await preparePlace(folder.dataDir)
  await expect(
    queryOnce(postgres.connectionString('ringpost'), `SELECT 'typed by a buyer' FROM nowhere`),
  ).rejects.toThrow('nowhere')
  const { stdout: commands } = await promisify(execFile)('ps', ['-A', '-o', 'args='])
  expect(commands).toContain(place.dataFolder)
  const seen = (await readFile(place.logFile, 'utf8')) + commands
  for (const name of ['postgres', 'ringpost']) {
    const { password } = new URL(
      name === 'postgres' ? postgres.superuserConnectionString('x') : postgres.connectionString('x'),
    )
    expect(password.length).toBeGreaterThan(20)
    expect(seen).not.toContain(password)
  }
  expect(seen).not.toContain('typed by a buyer')
})

test('a data folder that is moved keeps its database; one deleted and made anew gets a new one', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const here = join(folder.dataDir, 'here')
  const there = join(folder.dataDir, 'there')
  await using first = await start(here)
  await queryOnce(first.connectionString('ringpost'), 'CREATE TABLE kept AS SELECT 7 AS n')
  await first.stop()
  await rename(here, there)
  await using moved = await start(there)
  expect(await queryOnce(moved.connectionString('ringpost'), 'SELECT n FROM kept')).toEqual([{ n: 7 }])
  await using fresh = await start(here)
  await expect(queryOnce(fresh.connectionString('ringpost'), 'SELECT n FROM kept')).rejects.toMatchObject({
    code: '42P01',
  })
  await moved.stop()
  await fresh.stop()
  await removeDataDir(here)
  await removeDataDir(there)
})

// Regression test for A-4: a service on a copied data folder used the original's data, or refused to start.
test('A-4: a copied folder gets data of its own, or what was copied, and the original keeps its own', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const [here, copy, owned, ownedCopy] = ['here', 'copy', 'owned', 'owned-copy'].map((name) =>
    join(folder.dataDir, name),
  ) as [string, string, string, string]
  const copyOf = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
  const makeTable = async ({ connectionString }: EmbeddedPostgres, name: string) => {
    await queryOnce(connectionString('ringpost'), `CREATE TABLE ${name} ()`)
  }
  const tables = ({ connectionString }: EmbeddedPostgres) =>
    queryOnce(connectionString('ringpost'), `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
  const original = [{ tablename: 'original' }]
  const isRoot = process.getuid?.() === 0
  await using first = await start(here)
  await makeTable(first, 'original')
  copyOf(here, copy)
  await using second = await start(copy)
  expect([second.reused, await tables(second)]).toEqual([false, isRoot ? [] : original])
  await makeTable(second, 'copied')
  expect(await tables(first)).toEqual(original)
  await first.stop()
  await second.stop()
  await using again = await start(here)
  expect(await tables(again)).toEqual(original)
  await again.stop()
  await removeDataDir(here)
  await removeDataDir(copy)
  // If the data folder contains the database and not a link, a copy includes the files that mark it as running.
  const owner = isRoot ? { uid: 65_534, gid: 65_534 } : null
  await mkdir(join(owned, 'postgres'), { recursive: true, mode: 0o700 })
  for (const path of [folder.dataDir, owned, join(owned, 'postgres')]) await giveTo(path, owner)
  await using running = await start(owned)
  await makeTable(running, 'original')
  copyOf(owned, ownedCopy)
  await using third = await start(ownedCopy)
  expect([third.reused, await tables(third)]).toEqual([false, original])
  await makeTable(third, 'copied')
  expect(await tables(running)).toEqual(original)
  await third.stop()
  await running.stop()
})

test('a folder that cannot be used is named in one sentence', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const file = join(folder.dataDir, 'file')
  await writeFile(file, '')
  const failure = await startEmbeddedPostgres({ dataDir: join(file, 'data'), log: quietLog }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(EmbeddedPostgresError)
  expect(failure).toMatchObject({
    message: `The database cannot use the folder ${join(file, 'data')}: a part of that path is a file, not a folder.`,
  })
})

test('a path too long for a socket gets a short private folder; root serves a folder of another user as that user', async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  const dataDir = join(folder.dataDir, 'a-rather-long-name-for-a-folder'.repeat(4))
  const inside = join(dataDir, 'postgres')
  await mkdir(inside, { recursive: true, mode: 0o700 })
  const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null
  for (const path of [folder.dataDir, dataDir, inside]) await giveTo(path, owner)
  await using postgres = await start(dataDir)
  expect(postgres.folder).toBe(inside)
  const { socketFolder, dataFolder } = await preparePlace(dataDir)
  expect(Buffer.byteLength(join(socketFolder, '.s.PGSQL.5432'))).toBeLessThanOrEqual(103)
  expect((await lstat(socketFolder)).mode & 0o777).toBe(0o700)
  expect((await stat(dataFolder)).uid).toBe((await stat(inside)).uid)
  expect(await queryOnce(postgres.connectionString('ringpost'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await postgres.stop()
  await rm(socketFolder, { recursive: true })
})

function start(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: quietLog })
}
