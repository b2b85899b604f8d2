import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmbeddedPostgres } from '#server/house/db/embedded/embedded-postgres.ts'
import { preparePlace } from '#server/house/db/embedded/postgres-place.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { Pool } from '#server/house/db/pool.ts'
import { LOCK_KEY } from '#server/house/nodes/lock-queries.ts'
import { readRelease } from '#server/house/release.ts'
import { type MainProcess, startMain } from '#test/fakes/main-process.ts'
import { createTestDatabase } from '#test/harness/database.ts'
import { isPostgresRunning, quietLog, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { countRows, expectLedgerRight, until } from './real-service.ts'

const START_LIMIT_MS = 120_000

/** True if this user may mount file systems, because a full disk is simulated by a mount. */
const mayMount = (() => {
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn('NOT RUN: tests that need a small disk of their own, which this user may not mount')
    return false
  }
})()

const refusalOf = async (service: MainProcess) => {
  const { code, err } = await service.ended
  return `${code} ${err}`
}

test('two starts on one data folder: one serves, the other says why not; what was stored outlives both', {
  timeout: START_LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  const environment = { DEMO: '1', DATA_DIR: folder.dataDir }
  await using first = startMain(environment)
  await using second = startMain(environment)
  const winner = await Promise.race([
    first.url.then(
      () => first,
      () => second,
    ),
    second.url.then(
      () => second,
      () => first,
    ),
  ])
  const loser = winner === first ? second : first
  expect(await refusalOf(loser)).toBe(
    '1 Ringpost cannot start:\nanother Ringpost is already running on this database: stop it first\n',
  )
  expect((await fetch(`${await winner.url}/readyz`)).status).toBe(200)
  const demo = join(folder.dataDir, 'demo.json')
  expect((await stat(demo)).mode & 0o777).toBe(0o600)
  const kept = await readFile(demo, 'utf8')

  // PostgreSQL outlives the killed server, and the next start finds it.
  winner.kill('SIGKILL')
  await winner.ended
  await using third = startMain(environment)
  const url = await third.url
  expect(await readFile(demo, 'utf8')).toBe(kept)
  const { apiKey } = JSON.parse(kept) as { apiKey: string }
  expect(
    await (await fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${apiKey}` } })).json(),
  ).toMatchObject({ balance: '1000.00' })

  // A refused start must not take the database away from the serving process.
  await using fourth = startMain(environment)
  expect(await refusalOf(fourth)).toContain('another Ringpost is already running')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)

  const { dataFolder } = await preparePlace(folder.dataDir)
  const postmaster = async () => Number.parseInt(await readFile(join(dataFolder, 'postmaster.pid'), 'utf8'), 10)
  for (let times = 0; times < 2; times += 1) {
    const pid = await postmaster()
    process.kill(pid, 'SIGKILL')
    await until(async () => (await postmaster().catch(() => pid)) !== pid)
    await until(async () => (await fetch(`${url}/readyz`)).status === 200)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const user = await fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(await user.json()).toMatchObject({ balance: '1000.00' })
  }

  third.kill('SIGTERM')
  expect(await third.ended).toMatchObject({ code: 0, err: '' })
  expect(await isPostgresRunning(folder.dataDir)).toBe(false)
})

test('a start that waits for a lock which nobody gives back says who has it, and ends when it is asked to', {
  timeout: START_LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  await using database = await createTestDatabase()
  await using holder = await openConnection(database.connectionString, 'left behind')
  await holder.client.query('SELECT pg_advisory_lock(7267053114)')
  await using service = startMain({
    DEMO: '1',
    DATA_DIR: folder.dataDir,
    DATABASE_URL: database.connectionString,
  })
  const migrating = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ringpost migrate'`
  const isWaiting = async () => (await holder.client.query(migrating)).rowCount === 1
  await until(isWaiting)
  service.kill('SIGTERM')
  const { code, out } = await service.ended
  expect([code, out]).toEqual([1, expect.stringContaining('"application":"left behind"')])
  expect(out).toContain('the work under way did not end in time')
})

test.each(['PORT', 'REALTIME_PORT', 'METRICS_PORT'])(
  'a taken port, %s, is told before a database is made',
  async (variable) => {
    await using folder = await temporaryDataDir()
    const dataDir = join(folder.dataDir, 'none')
    await using taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await using service = startMain({
      DEMO: '1',
      DATA_DIR: folder.dataDir,
      HOST: '127.0.0.1',
      [variable]: String(port),
    })
    expect(await refusalOf(service)).toBe(
      `1 Ringpost cannot start:\nport ${port} is taken: stop what uses it, or set ${variable} to another one\n`,
    )
    await expect(stat(dataDir)).rejects.toThrow('ENOENT')
  },
)

test('a server whose database another one has taken over stops by itself, says why, and leaves PostgreSQL running', {
  timeout: START_LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  await using service = startMain({ DEMO: '1', DATA_DIR: folder.dataDir })
  const url = await service.url
  await using postgres = await startEmbeddedPostgres({ dataDir: folder.dataDir, log: quietLog, durable: false })
  await using other = await openConnection(postgres.connectionString('ringpost'), 'other')
  await using onlooker = new Pool({
    connectionString: postgres.connectionString('ringpost'),
    maxConnections: 2,
    applicationName: 'onlooker',
    log: quietLog,
  })
  // A rival client queues for the instance lock before the server's connection is cut, because the server reconnects
  // within a second.
  const taken = other.client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
  await until(async () => (await countRows(onlooker, `pg_locks WHERE objid = ${LOCK_KEY} AND NOT granted`)) === 1)
  await onlooker.query({
    text: 'SELECT pg_terminate_backend(pid) FROM pg_locks WHERE objid = $1 AND granted',
    values: [LOCK_KEY],
  })
  await taken
  expect(await service.ended).toMatchObject({
    code: 1,
    err: 'Ringpost stops: another Ringpost has taken over this database\n',
  })
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  expect((await other.client.query('SELECT 1 AS answer')).rows).toEqual([{ answer: 1 }])
})

test('a stand-by takes over within seconds from a node that is frozen; the frozen node then stops and changes nothing', {
  timeout: START_LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  await using database = await createTestDatabase()
  const environment = { DEMO: '1', DATA_DIR: folder.dataDir, DATABASE_URL: database.connectionString }
  await using first = startMain(environment)
  const url = await first.url
  await using second = startMain(environment)
  await using onlooker = new Pool({
    connectionString: database.connectionString,
    maxConnections: 2,
    applicationName: 'onlooker',
    log: quietLog,
  })
  await until(async () => (await countRows(onlooker, 'nodes WHERE ended_at IS NULL')) === 2)
  const { apiKey } = JSON.parse(await readFile(join(folder.dataDir, 'demo.json'), 'utf8')) as { apiKey: string }
  const query = new URLSearchParams({ api_key: apiKey, action: 'getNumber', service: 'tg', country: '0' })
  const buy = async (address: string) => (await fetch(`${address}/stubs/handler_api.php?${query}`)).text()
  expect(await buy(url)).toMatch(/^ACCESS_NUMBER:/)

  first.kill('SIGSTOP')
  const next = await second.url
  expect(await buy(next)).toMatch(/^ACCESS_NUMBER:/)
  first.kill('SIGCONT')
  expect(await first.ended).toMatchObject({
    code: 1,
    err: 'Ringpost stops: another Ringpost has taken over this database\n',
  })
  expect((await fetch(`${next}/readyz`)).status).toBe(200)
  expect(await buy(next)).toMatch(/^ACCESS_NUMBER:/)
  expect(await countRows(onlooker, 'activations WHERE phone IS NOT NULL AND node_id IS NOT NULL')).toBe(3)
  await expectLedgerRight(onlooker)

  second.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ code: 0, err: '' })
})

test('a taken port is told in one sentence, and nothing is left running', { timeout: START_LIMIT_MS }, async () => {
  await using folder = await temporaryDataDir()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  using _ = {
    [Symbol.dispose]: () => {
      taken.close()
    },
  }
  const { port } = taken.address() as AddressInfo
  await using service = startMain({ DEMO: '1', DATA_DIR: folder.dataDir, PORT: String(port) })
  expect(await refusalOf(service)).toBe(
    `1 Ringpost cannot start:\nport ${port} is taken: stop what uses it, or set PORT to another one\n`,
  )
  expect(await isPostgresRunning(folder.dataDir)).toBe(false)
})

test('what is set up wrongly is told in sentences without a stack: variables, an unreachable database, the demo’s database', {
  timeout: START_LIMIT_MS,
}, async () => {
  await using folder = await temporaryDataDir()
  const DATA_DIR = folder.dataDir
  const service = {
    DATABASE_WAIT_SECONDS: '1',
    SECRET_KEY: 'a secret of 32 characters or more',
    PUBLIC_URL: 'http://localhost',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  await using empty = await createTestDatabase()
  await using bare = startMain({ DATA_DIR, PORT: 'x', DATABASE_URL: empty.connectionString })
  expect(await refusalOf(bare)).toBe(
    '1 Ringpost cannot start:\nPORT must be a whole number from 0 to 65535\n' +
      'SECRET_KEY is missing: set a random text of 32 characters or more\n' +
      'SMTP_URL is missing: people register by a code that is mailed\n' +
      'PUBLIC_URL is missing: set the address people open, https://…\n' +
      'there is no supplier to buy numbers from: add one with `npm run cli -- supplier:add …`\n',
  )
  await using homeless = startMain({ ...service, DATA_DIR })
  expect(await refusalOf(homeless)).toMatch(/^1 Ringpost cannot start:\nDATABASE_URL is missing: /)
  await using away = startMain({ ...service, DATA_DIR, DATABASE_URL: 'postgres://x:hunter2@127.0.0.1:1/z' })
  expect(await refusalOf(away)).toBe(
    '1 Ringpost cannot start:\nthe database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
  )
  await using database = await createTestDatabase()
  const wrong = new URL(database.connectionString)
  wrong.password = 'hunter2'
  await using refused = startMain({ ...service, DATA_DIR, DATABASE_URL: wrong.href })
  expect(await refusalOf(refused)).toMatch(
    /^1 Ringpost cannot start:\nthe database cannot be used: password authentication failed for user "ringpost"\n$/,
  )
  await using demo = startMain({ DEMO: '1', DATA_DIR, DATABASE_URL: database.connectionString })
  await demo.url
  demo.kill('SIGTERM')
  const { code, out } = await demo.ended
  expect(code).toBe(0)
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ msg: 'starting', ...(await readRelease()) })
  await using unmarked = startMain({ ...service, DATA_DIR, DATABASE_URL: database.connectionString })
  expect(await refusalOf(unmarked)).toContain('the database belongs to a demo')
})

test.runIf(mayMount)('a full disk is told in one sentence', { timeout: START_LIMIT_MS }, async () => {
  await using folder = await temporaryDataDir({ onDisk: true })
  await using database = await createTestDatabase()
  const small = (size: string, path: string) => `mount -t tmpfs -o size=${size} none "${path}"`
  // The disk at root's folder /var/lib/ringpost is too small for PostgreSQL's programs or for a database.
  await using noDatabase = startMain(
    { DEMO: '1', DATA_DIR: folder.dataDir },
    { mounts: true, shell: `mkdir -p /var/lib/ringpost; ${small('4m', '/var/lib/ringpost')}` },
  )
  expect(await refusalOf(noDatabase)).toMatch(
    /^1 Ringpost cannot start:\nThe database cannot (use|start in) [^\n]*: the disk is full\.\n$/,
  )
  // The data folder needs room for the demo's secret key and API key even if the database is external.
  const fill = `${small('64k', folder.dataDir)}; head -c 1000000 /dev/zero > "${folder.dataDir}/filler" 2>/dev/null || true`
  await using noSecret = startMain(
    { DEMO: '1', DATA_DIR: folder.dataDir, DATABASE_URL: database.connectionString },
    { mounts: true, shell: fill },
  )
  expect(await refusalOf(noSecret)).toMatch(
    /^1 Ringpost cannot start:\n[^\n]*secret-key[^\n]* cannot be written: the disk is full\n$/,
  )
})

// Regression test: a data folder on a read-only file system ended the start with a stack trace.
test.runIf(mayMount)(
  'a data folder below a file system that is read-only is told in one sentence',
  {
    timeout: START_LIMIT_MS,
  },
  async () => {
    await using database = await createTestDatabase()
    const readOnly = { mounts: true, shell: 'mount -t tmpfs -o ro none /mnt' }
    const places: Record<string, string>[] = [{}, { DATABASE_URL: database.connectionString }]
    for (const more of places) {
      await using service = startMain({ DEMO: '1', DATA_DIR: '/mnt/ringpost/data', ...more }, readOnly)
      expect(await refusalOf(service)).toMatch(
        /^1 Ringpost cannot start:\n[^\n]*\/mnt\/ringpost[^\n]*: a folder above it cannot be written\.?\n$/,
      )
    }
  },
)
