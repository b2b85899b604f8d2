import { once } from 'node:events'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '#server/house/config/config.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { Pool } from '#server/house/db/pool.ts'
import { startLoop } from '#server/house/jobs/loop.ts'
import { LOCK_KEY } from '#server/house/nodes/lock-queries.ts'
import { insertNode, listNodes, renewNode, SERVING, takeLeases } from '#server/house/nodes/queries.ts'
import { StandByEnded } from '#server/house/start-refused.ts'
import { startPostgresProxy, type Treatment } from '#test/fakes/postgres-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#test/harness/database.ts'
import { freePort } from '#test/harness/free-port.ts'
import { queryOnce, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { typed } from '#test/harness/typed.ts'
import { buildContext } from '../build-context.ts'
import { startServer } from '../start.ts'
import { openStandByDoor } from './stand-by-door.ts'

const NODE = { host: 'elsewhere', pid: 1, version: '0.1.0', commit: null }

async function demoDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await queryOnce(
    database.connectionString,
    `INSERT INTO settings (key, value, updated_at) VALUES ('demo', 'true', now());
    INSERT INTO suppliers (code, kind, settings, created_at) VALUES ('simulator', 'simulator', '{"services": ["tg"]}', now())`,
  )
  return database
}

async function prepare({ connectionString }: { connectionString: string }) {
  const folder = await temporaryDataDir()
  const port = await freePort()
  const { config } = readConfig({ DEMO: '1', PORT: String(port), REALTIME_PORT: '0', DATA_DIR: folder.dataDir })
  const log = recordingLog()
  const pool = new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log })
  const ctx = buildContext({ config, secrets: { secretKey: 'a secret of tests, long enough to pass' }, pool, log })
  const asked = new AbortController()
  return {
    ctx,
    log,
    asked,
    url: `http://127.0.0.1:${port}`,
    startAsStandBy: () => startServer(ctx, { standBy: { signal: asked.signal, open: () => openStandByDoor(ctx) } }),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const isStandBy = async (url: string) => {
  const reply = await fetch(`${url}/healthz`).catch(() => null)
  return ((await reply?.json()) as { stand_by?: boolean } | undefined)?.stand_by === true
}

test('a stand-by says so, serves nothing, and serves as soon as the other node ends', async () => {
  await using database = await demoDatabase()
  await using first = await prepare(database)
  await using second = await prepare(database)
  const server = await startServer(first.ctx)
  const starting = second.startAsStandBy()
  await expect.poll(() => isStandBy(second.url)).toBe(true)
  const refused = await fetch(`${second.url}/stubs/handler_api.php?action=getBalance`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect((await fetch(`${second.url}/readyz`)).status).toBe(503)
  expect(second.log.lines.filter(({ sentence }) => sentence.includes('this node is a stand-by'))).toHaveLength(1)
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  // A node notes that it serves with its next renewal.
  const listed = async () => (await typed({ connectionString: database.connectionString }, 'node:list')).out
  await expect.poll(listed).toMatch(/^2: stand-by, .*\n1: serves, /)

  // A connection that sends nothing must not keep the stand-by from closing its port.
  const silent = connect(Number(new URL(second.url).port), '127.0.0.1')
  silent.on('error', () => undefined)
  await once(silent, 'connect')
  await server[Symbol.asyncDispose]()
  await using _ = await starting
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  expect(await isStandBy(second.url)).toBe(false)
  const nodes = await listNodes(second.ctx.db, 10)
  expect(nodes.map(({ id, ended_at: endedAt, leases }) => [id, endedAt === null, leases])).toEqual([
    [2n, true, [SERVING]],
    [1n, false, []],
  ])
})

test.each([
  ['is starting', 'starting'],
  ['says nothing', { silentFrom: 'user' }],
] as const)('a stand-by waits through an outage: PostgreSQL %s', async (_what, outage) => {
  await using database = await demoDatabase()
  let treatment: Treatment = 'pass'
  await using wire = await startPostgresProxy(database.connectionString, () => treatment)
  await using first = await prepare(database)
  await using second = await prepare(wire)
  const server = await startServer(first.ctx)
  const starting = second.startAsStandBy()
  await expect.poll(() => isStandBy(second.url)).toBe(true)
  treatment = outage
  const away = second.log.next('the database is away')
  wire.cutAll()
  await away
  treatment = 'pass'
  wire.cutAll()
  await server[Symbol.asyncDispose]()
  await using _ = await starting
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
})

test('a stand-by that is asked to end ends, and leaves the node that serves alone', async () => {
  await using database = await demoDatabase()
  await using first = await prepare(database)
  await using second = await prepare(database)
  await using server = await startServer(first.ctx)
  const starting = second.startAsStandBy()
  await expect.poll(() => isStandBy(second.url)).toBe(true)
  second.asked.abort()
  await expect(starting).rejects.toThrow(StandByEnded)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const [ended] = await listNodes(first.ctx.db, 1)
  expect(ended).toMatchObject({ id: 2n, ended_at: expect.any(Date) })
})

test('a process that was killed on this machine is not waited for, one elsewhere is', async () => {
  await using database = await demoDatabase()
  await using house = await prepare(database)
  const { db } = house.ctx
  // Linux gives no process this id.
  const killed = await insertNode(db, { ...NODE, host: hostname(), pid: 2 ** 30 })
  await takeLeases(db, { names: [SERVING], nodeId: killed })
  await db.query({ text: `UPDATE nodes SET until = 'infinity' WHERE id = ${killed}` })
  {
    await using server = await startServer(house.ctx)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  }
  const elsewhere = await insertNode(db, NODE)
  await takeLeases(db, { names: [SERVING], nodeId: elsewhere })
  const renewing = startLoop(house.log, {
    name: 'elsewhere',
    everyMs: 200,
    work: () => renewNode(db, { id: elsewhere }),
  })
  await expect(startServer(house.ctx)).rejects.toThrow('another Ringpost is already running')
  await renewing.stop()
})

test('a release without nodes that serves the database is waited for', async () => {
  await using database = await demoDatabase()
  await using house = await prepare(database)
  await using before = await openConnection(database.connectionString, 'before')
  await before.client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
  const starting = house.startAsStandBy()
  await expect.poll(() => isStandBy(house.url)).toBe(true)
  await before.client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY])
  await using _ = await starting
  expect((await fetch(`${house.url}/readyz`)).status).toBe(200)
})
