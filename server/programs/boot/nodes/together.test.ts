import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { KEY_SCOPES } from '#contract/api-key.ts'
import { SECOND } from '#contract/time.ts'
import { createServiceClock } from '#server/house/clock.ts'
import { readConfig } from '#server/house/config/config.ts'
import { openConnection } from '#server/house/db/own-connection.ts'
import { Pool } from '#server/house/db/pool.ts'
import { Memory } from '#server/house/memory.ts'
import { listNodes, NODE_LEASE_MS } from '#server/house/nodes/queries.ts'
import { takeServing } from '#server/house/nodes/take-serving.ts'
import { WORK } from '#server/house/nodes/work.ts'
import { connectRedis } from '#server/house/redis/redis.ts'
import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { startPostgresProxy, type Treatment } from '#test/fakes/postgres-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#test/harness/database.ts'
import { beginTestSession } from '#test/harness/harness.ts'
import { queryOnce, temporaryDataDir } from '#test/harness/postgres/temporary-postgres.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { recordingLog } from '#test/harness/recording-log.ts'
import { startRedis } from '#test/harness/redis.ts'
import { typed } from '#test/harness/typed.ts'
import { buildContext } from '../build-context.ts'
import { measureNodes } from '../measures/measure-nodes.ts'
import { startServer } from '../start.ts'

const program = requireProgram('redis-server')

async function demoDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await queryOnce(
    database.connectionString,
    `INSERT INTO settings (key, value, updated_at) VALUES ('demo', 'true', now());
    INSERT INTO suppliers (code, kind, settings, created_at)
      VALUES ('simulator', 'simulator', '{"services": ["tg"], "delayScale": 0}', now())`,
  )
  return database
}

/** Starts a node of the demo on the database, with Redis. */
async function startNode(
  { connectionString }: { connectionString: string },
  redisUrl: string,
  clock = createServiceClock(),
) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryDataDir())
  const { config } = readConfig({
    DEMO: '1',
    PORT: '0',
    REALTIME_PORT: '0',
    DATA_DIR: folder.dataDir,
    REDIS_URL: redisUrl,
  })
  if (config.redis === null) throw new Error('REDIS_URL was not read')
  const log = recordingLog()
  const pool = stack.use(new Pool({ connectionString, maxConnections: 8, applicationName: 'test', log }))
  const redis = stack.use(connectRedis({ ...config.redis, log }))
  const ctx = buildContext({
    config,
    secrets: { secretKey: 'a secret of tests, long enough to pass' },
    pool,
    log,
    redis,
    clock,
  })
  const server = stack.use(await startServer(ctx))
  const running = stack.move()
  return { ctx, log, server, url: server.url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

test.runIf(program)('two nodes serve one database, share the work, and the one that stays does all of it', async () => {
  await using redis = await startRedis(program ?? '')
  await using database = await demoDatabase()
  await using first = await startNode(database, redis.url)
  const held = async () => (await listNodes(first.ctx.db, 10)).map(({ state, leases }) => [state, leases.length])
  await expect.poll(held, { timeout: 5_000 }).toEqual([['serves', 7]])
  {
    await using second = await startNode(database, redis.url)
    for (const { url } of [first, second]) {
      const ready = async () => (await fetch(`${url}/readyz`)).json()
      await expect.poll(ready).toMatchObject({ status: true, nodes: 2, redis: true })
    }
    await expect.poll(held).toEqual([
      ['serves', 0],
      ['serves', 7],
    ])
    await measureNodes(second.ctx)
    const told = await second.ctx.metrics.registry.metrics()
    expect(told).toMatch(/ringpost_nodes\{state="serves"\} 2\n/)
    expect(told).toMatch(/ringpost_node_leases\{node="1",host="[^"]+",version="[\d.]+"\} 7\n/)
    expect(told).toMatch(/ringpost_redis_up 1\n/)
    await first.server.leave()
    await expect.poll(held, { timeout: 5_000 }).toEqual([
      ['serves', 7],
      ['leaves', 0],
    ])
  }
})

test.runIf(program)(
  'a sandbox key that one node made buys at every node, and the codes of all come',
  async () => {
    await using redis = await startRedis(program ?? '')
    await using database = await demoDatabase()
    await using first = await startNode(database, redis.url)
    await using second = await startNode(database, redis.url)
    const ask = async (url: string, token: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(
        url,
        body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
      )
      // The cast names what this test reads, and a reply without it fails the test.
      return (await response.json()) as { secret: string; data?: { id: number; state: string } }
    }
    const { rows } = await first.ctx.db.query<{ id: number }>({
      text: 'SELECT id FROM users WHERE email = $1',
      values: [demoBuyer.email],
    })
    const { token } = await beginTestSession(first.ctx, rows[0]?.id ?? 0)
    const wish = { name: 'Play', scopes: [...KEY_SCOPES], sandbox: true }
    const { secret } = await ask(`${first.url}/api/v1/keys`, token, wish)
    for (const { url } of [first, second]) {
      let id: number | undefined
      const buy = async () => {
        const { data } = await ask(`${url}/api/v1/activations`, secret, { service_id: 'tg', country_id: 0 })
        id = data?.id
        return data?.state
      }
      await expect.poll(buy, { timeout: 10_000, interval: 500 }).toBe('waiting')
      const { data } = await ask(`${url}/api/v1/activations/${id}?wait=10`, secret)
      expect(data?.state).toBe('received')
    }
  },
  60_000,
)

test.runIf(program)('an outage of PostgreSQL that is longer than a lease ends no healthy node', async () => {
  await using redis = await startRedis(program ?? '')
  await using database = await demoDatabase()
  let treatment: Treatment = 'pass'
  await using wire = await startPostgresProxy(database.connectionString, () => treatment)
  await using first = await startNode(wire, redis.url)
  await using second = await startNode(wire, redis.url)
  const displaced = Promise.race([first.server.displaced, second.server.displaced])
  treatment = 'starting'
  wire.cutAll()
  await wait(2 * NODE_LEASE_MS)
  treatment = 'pass'
  wire.cutAll()
  const states = async () => (await listNodes(first.ctx.db, 10).catch(() => [])).map(({ ended_at: endedAt }) => endedAt)
  await expect.poll(states).toEqual([null, null])
  // Long enough for a watcher to judge, had it gone on with what it saw before the outage.
  await wait(2 * NODE_LEASE_MS)
  expect(await states()).toEqual([null, null])
  expect(await Promise.race([displaced, wait(0, 'both live')])).toBe('both live')
})

test.runIf(program)('a node that is asked to stop gives its work away before a link has closed', async () => {
  await using redis = await startRedis(program ?? '')
  await using database = await demoDatabase()
  await using first = await startNode(database, redis.url)
  await using _second = await startNode(database, redis.url)
  const leasesOf = async (place: number) => (await listNodes(first.ctx.db, 10)).reverse()[place]?.leases ?? []
  await expect.poll(async () => (await leasesOf(0)).length).toBe(7)
  await using locker = await openConnection(database.connectionString, 'locker')
  // The simulator's look at sold numbers hangs, and its stop waits for the look.
  await locker.client.query('BEGIN; LOCK TABLE activations')
  const waiters = `SELECT FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const waiting = async () => (await locker.client.query(waiters)).rowCount
  await expect.poll(waiting).toBeGreaterThan(0)
  const leaving = first.server.leave()
  await expect.poll(() => leasesOf(1)).toEqual(expect.arrayContaining([...WORK]))
  await locker.client.query('ROLLBACK')
  await leaving
  await expect.poll(async () => (await leasesOf(1)).length).toBe(7)
})

test.runIf(program)('a node with migrations that the others cannot run on waits until they have ended', async () => {
  await using redis = await startRedis(program ?? '')
  await using database = await demoDatabase()
  await using first = await startNode(database, redis.url)
  const { db } = first.ctx
  const newest = `name = (SELECT max(name) FROM schema_migrations)`
  const { rows } = await db.query<{ row: string }>({
    text: `SELECT to_jsonb(m)::text AS row FROM schema_migrations m WHERE ${newest}`,
  })
  await db.query({ text: `DELETE FROM schema_migrations WHERE ${newest}` })
  const asked = new AbortController()
  const opened = vi.fn(async () => ({ [Symbol.asyncDispose]: async () => undefined }))
  await using pool = new Pool({
    connectionString: database.connectionString,
    maxConnections: 2,
    applicationName: 'next',
    log: first.log,
  })
  const ctx = { ...first.ctx, db: pool, memory: new Memory() }
  const told = first.log.next('the migrations left need that no other node serves: this node waits')
  const taking = takeServing(ctx, { signal: asked.signal, open: opened })
  await told
  await expect.poll(() => opened.mock.calls.length).toBe(1)
  await db.query({
    text: 'INSERT INTO schema_migrations SELECT * FROM jsonb_populate_record(NULL::schema_migrations, $1::jsonb)',
    values: [rows[0]?.row],
  })
  await using _ = await taking
  expect((await listNodes(db, 10)).filter(({ ended_at: endedAt }) => endedAt === null)).toHaveLength(2)
})

test.runIf(program)('clocks that differ are told of; up to a minute of the difference is corrected', async () => {
  await using redis = await startRedis(program ?? '')
  await using database = await demoDatabase()
  await using first = await startNode(database, redis.url)
  const told = first.log.next('the clocks of nodes differ by more than two seconds: run NTP on each machine')
  const agree = first.log.next('the clocks of nodes agree again')
  {
    const wall = () => Date.now() + 90_000
    await using second = await startNode(database, redis.url, createServiceClock({ wall }))
    const aheadMs = second.ctx.clock.now().getTime() - Date.now()
    expect(Math.abs(aheadMs - 30 * SECOND)).toBeLessThan(SECOND)
    await told
    const words = "this machine's clock and PostgreSQL's differ by more than two seconds: run NTP on both"
    await expect.poll(() => second.log.lines.some(({ sentence }) => sentence === words)).toBe(true)
    const listed = async () => (await typed({ connectionString: database.connectionString }, 'node:list')).out
    // A node says with its first renewal that it serves.
    await expect.poll(listed).toMatch(/^2: serves, .*, CLOCK (29|30)\.\d+ s AHEAD, /)
    await measureNodes(first.ctx)
    expect(await first.ctx.metrics.registry.metrics()).toMatch(
      /ringpost_node_ahead_seconds\{node="2",[^}]+\} (29|30)\./,
    )
  }
  await agree
})
