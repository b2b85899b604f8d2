import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { insertUser } from '#server/core/accounts/users/queries.ts'
import { type Config, readConfig } from '#server/house/config/config.ts'
import type { Context } from '#server/house/context.ts'
import { Pool } from '#server/house/db/pool.ts'
import { StartRefused } from '#server/house/start-refused.ts'
import { makeCertificates } from '#test/fakes/smpp/smpp-certificates.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#test/harness/database.ts'
import { queryOnce, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typedIn, WHY } from '#test/harness/typed.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'
import { buildContext } from './build-context.ts'
import { readSettings } from './missing-setup.ts'
import { startServer } from './start.ts'

const openssl = requireProgram('openssl')
const SERVICE = {
  DEMO: '0',
  SECRET_KEY: 'a secret of 32 characters or more',
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: 'smtp://127.0.0.1:1',
  DATABASE_URL: 'postgres://that.of.the.pool/ringpost',
}

async function prepare(connectionString: string, environment: Record<string, string> = {}) {
  const folder = await temporaryDataDir()
  const ports = { PORT: '0', REALTIME_PORT: '0', METRICS_PORT: '0' }
  const { config } = readConfig({ DEMO: '1', ...ports, DATA_DIR: folder.dataDir, ...environment })
  const log = recordingLog()
  const pool = new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log })
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of tests, long enough to pass' }, pool, log })
  return {
    ctx,
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function createDemoDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await queryOnce(
    database.connectionString,
    `INSERT INTO settings (key, value, updated_at) VALUES ('demo', 'true', now());
    INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('simulator', 'simulator', '{"services": ["tg"]}', now())`,
  )
  return database
}

async function refusalOf(ctx: Context): Promise<string> {
  const error = await startServer(ctx).then(
    (server) => server[Symbol.asyncDispose](),
    (caught: unknown) => caught,
  )
  if (error instanceof StartRefused) return error.message
  throw error ?? new Error('it started')
}

async function takenPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    [Symbol.dispose]: () => {
      server.close()
    },
  }
}

const tablesOf = async (ctx: Context) =>
  (
    await ctx.db.query<{ name: string }>({
      text: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    })
  ).rows.map((row) => row.name)

test('an empty database becomes a demo that serves, and one that is started again stays the same', async () => {
  await using database = await createEmptyDatabase()
  await using house = await prepare(database.connectionString)
  const { ctx } = house
  {
    await using server = await startServer(ctx)
    for (const path of ['/healthz', '/readyz']) expect((await fetch(server.url + path)).status).toBe(200)
    const metrics = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
    expect(metrics).toContain('ringpost_unsettled{kind="preorder"} 0')
    expect(metrics).toContain('ringpost_memory_entries{memory="catalog of activations"} 1')
    const list = (await (await fetch(`${server.url}/api/services?load=all`)).json()) as {
      services: { count: number }[]
    }
    expect(list.services.filter(({ count }) => count > 0)).toHaveLength(60)
  }
  const hashCosts = `SELECT id, split_part(password_hash, '$', 4) AS cost FROM users
    WHERE password_hash IS NOT NULL ORDER BY id`
  const before = await queryOnce(database.connectionString, hashCosts)
  expect(before).toMatchObject(Array(3).fill({ cost: 'm=19456,t=2,p=1' }))
  await using again = await startServer(ctx)
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200)
  expect(await queryOnce(database.connectionString, hashCosts)).toEqual(before)
})

test.each(['PORT', 'REALTIME_PORT', 'METRICS_PORT'])(
  'a taken port is named with its variable: %s',
  async (variable) => {
    await using database = await createDemoDatabase()
    using taken = await takenPort()
    await using house = await prepare(database.connectionString, { [variable]: String(taken.port) })
    expect(await refusalOf(house.ctx)).toBe(
      `port ${taken.port} is taken: stop what uses it, or set ${variable} to another one`,
    )
    await using other = await prepare(database.connectionString)
    await using server = await startServer(other.ctx)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  },
)

test('an address that is not of this machine is refused by name', async () => {
  await using database = await createDemoDatabase()
  await using house = await prepare(database.connectionString)
  house.ctx.config.host = '203.0.113.7'
  expect(await refusalOf(house.ctx)).toBe('HOST is not an address of this machine')
})

test('DEMO against a real database is refused, and the database is left as it was', async () => {
  await using database = await createTestDatabase()
  await using house = await prepare(database.connectionString)
  const { ctx } = house
  const user = {
    email: 'real@example.test',
    name: '',
    passwordHash: '',
    role: 'user',
    zone: 'ru',
    locale: 'ru',
  } as const
  await insertUser(ctx.db, { ...user, now: new Date() })
  await ctx.db.query({ text: `DELETE FROM schema_migrations WHERE name = '0004_money.sql'` })
  const refusal = 'DEMO is set, but the database holds real data: give the demo an empty database'
  expect(await refusalOf(ctx)).toBe(refusal)
  const { rows } = await ctx.db.query<{ users: bigint; applied: bigint; marks: bigint }>({
    text: `SELECT (SELECT count(*) FROM users) AS users,
      (SELECT count(*) FROM schema_migrations WHERE name = '0004_money.sql') AS applied,
      (SELECT count(*) FROM settings WHERE key = 'demo') AS marks`,
  })
  expect(rows).toEqual([{ users: 1n, applied: 0n, marks: 0n }])
})

test('DEMO in a database of somebody else’s is refused, and nothing is put into it', async () => {
  await using database = await createEmptyDatabase()
  await using house = await prepare(database.connectionString)
  await house.ctx.db.query({ text: 'CREATE TABLE invoices (id integer)' })
  expect(await refusalOf(house.ctx)).toBe(
    'DEMO is set, but the database holds other tables: give the demo an empty database',
  )
  expect(await tablesOf(house.ctx)).toEqual(['invoices'])
})

test('a demo database without DEMO is refused', async () => {
  await using database = await createTestDatabase()
  await using demo = await prepare(database.connectionString)
  {
    await using _ = await startServer(demo.ctx)
  }
  await using service = await prepare(database.connectionString, SERVICE)
  expect(await refusalOf(service.ctx)).toBe(
    'the database belongs to a demo: set DEMO=1, or give the service a database of its own',
  )
})

test('a second process on the same database is refused, and may start when the first has stopped', async () => {
  await using database = await createDemoDatabase()
  await using first = await prepare(database.connectionString)
  await using second = await prepare(database.connectionString)
  {
    await using server = await startServer(first.ctx)
    expect(await refusalOf(second.ctx)).toBe('another Ringpost is already running on this database: stop it first')
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  }
  await using server = await startServer(second.ctx)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('a service without an exchange rate and a supplier is refused with all that there is to do', async () => {
  await using database = await createTestDatabase()
  await using house = await prepare(database.connectionString, SERVICE)
  const supplier = 'there is no supplier to buy numbers from: add one with `npm run cli -- supplier:add …`'
  expect(await refusalOf(house.ctx)).toBe(supplier)
  await house.ctx.db.query({ text: 'DELETE FROM exchange_rates' })
  expect((await refusalOf(house.ctx)).split('\n')).toEqual([
    'there is no exchange rate: set one with `npm run cli -- rate:set usd …`',
    supplier,
  ])
})

test('settings, rate and supplier are named at once, removed suppliers counting for none', async () => {
  await using database = await createTestDatabase()
  await using house = await prepare(database.connectionString, SERVICE)
  await house.ctx.db.query({ text: 'DELETE FROM exchange_rates' })
  await house.ctx.db.query({
    text: `INSERT INTO suppliers (code, kind, created_at, removed_at) VALUES ('gone', 'smpp', now(), now())`,
  })
  const refused = await readSettings({ DATABASE_URL: database.connectionString }).catch((error: unknown) =>
    String(error),
  )
  expect(refused).toMatch(/SECRET_KEY is missing.*SMTP_URL is missing.*no exchange rate.*there is no supplier/s)
})

test('O-5: a database of a newer release is served if it allows that, else refused in one sentence that says the way back', async () => {
  await using database = await createDemoDatabase()
  await using house = await prepare(database.connectionString)
  const { ctx } = house
  await ctx.db.query({ text: `INSERT INTO schema_migrations (name, sha256) VALUES ('9999_later.sql', '')` })
  {
    await using server = await startServer(ctx)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const command = { DEMO: '1', DATABASE_URL: database.connectionString }
    expect(await typedIn(command, 'ledger:verify')).toMatchObject({ code: 0 })
    await ctx.db.query({ text: `UPDATE schema_migrations SET needs = '99.0.0' WHERE name = '9999_later.sql'` })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    expect(await typedIn(command, 'ledger:verify')).toMatchObject({ code: 1 })
  }
  expect(await refusalOf(ctx)).toBe(
    'this database was migrated by a newer release (9999_later.sql): start release 99.0.0 or a newer one, or restore the backup that was made before it',
  )
})

test('O-6: a SECRET_KEY that does not fit the database is told as that, by the server and by commands that seal', async () => {
  await using database = await createTestDatabase()
  await using house = await prepare(database.connectionString, SERVICE)
  const add = (key: string, code: string) => {
    const environment = { DATABASE_URL: database.connectionString, SECRET_KEY: key }
    const settings = JSON.stringify({
      mode: 'server',
      currency: 'rub',
      services: [],
      listen: { port: 0 },
      peers: [{ systemId: 'bank', password: 'first' }],
    })
    return typedIn(environment, 'supplier:add', 'smpp', '--code', code, '--settings', settings, ...WHY)
  }
  const refusal =
    'SECRET_KEY is not the one that this database was made with: set that one, or name it in SECRET_KEY_PREVIOUS'
  expect(
    await refusalOf({
      ...house.ctx,
      secrets: { ...house.ctx.secrets, secretKey: 'a slip of the keyboard, 32 or more' },
    }),
  ).toContain('no supplier')
  const other = 'quite another secret of 32 characters'
  expect(await add(other, 'one')).toMatchObject({ code: 0, err: '' })
  expect(await refusalOf(house.ctx)).toBe(refusal)
  expect(await add(SERVICE.SECRET_KEY, 'two')).toMatchObject({ code: 1, err: `${refusal}\n` })
  // An older release stored no check value of the key, so encrypted values must reveal a wrong key.
  await house.ctx.db.query({ text: `DELETE FROM settings WHERE key = 'secret_key_check'` })
  expect(await refusalOf(house.ctx)).toBe(refusal)
  {
    await using server = await startServer({
      ...house.ctx,
      secrets: { ...house.ctx.secrets, previousSecretKeys: [other] },
    })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  }
  await using server = await startServer(house.ctx)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('while PostgreSQL refuses, readiness says 503 with Retry-After, and life goes on', async () => {
  await using database = await createDemoDatabase()
  await using house = await prepare(database.connectionString)
  await using server = await startServer(house.ctx)
  const config: Config = house.ctx.config
  expect(config.demo).toBe(true)
  const unreachable = {
    connectionString: 'postgres://x:y@127.0.0.1:1/z',
    maxConnections: 2,
    applicationName: 'test',
    log: recordingLog(),
  }
  const { db } = house.ctx
  house.ctx.db = new Pool(unreachable)
  const ready = await fetch(`${server.url}/readyz`)
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  house.ctx.db = db
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test.skipIf(openssl === undefined)(
  'the live port speaks TLS with the files of its settings, or the start is refused',
  async () => {
    if (openssl === undefined) throw new Error('openssl is missing')
    const { ca, server: files } = makeCertificates(openssl)
    await using folder = await temporaryFolder()
    const environment = { REALTIME_TLS_CERT: folder.path('cert.pem'), REALTIME_TLS_KEY: folder.path('key.pem') }
    await writeFile(environment.REALTIME_TLS_CERT, files.cert)
    await using database = await createDemoDatabase()
    await using house = await prepare(database.connectionString, environment)
    expect(await refusalOf(house.ctx)).toMatch(/^REALTIME_TLS_CERT and REALTIME_TLS_KEY cannot be used: .*key\.pem/)
    await writeFile(environment.REALTIME_TLS_KEY, files.key)
    await using again = await prepare(database.connectionString, environment)
    await using server = await startServer(again.ctx)
    using socket = new TestSocket(`wss://127.0.0.1:${server.realtimePort}/app/ringpost?protocol=7`, { ca })
    expect(await welcomed(socket)).toMatch(/^\d+\.\d+$/)
  },
)
