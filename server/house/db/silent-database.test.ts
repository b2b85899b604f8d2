import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { isDatabaseAway } from './constraint.ts'
import { Pool } from './pool.ts'
import { transaction } from './transaction.ts'
import { waitForDatabase } from './wait-for-database.ts'

const PURCHASE = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': 'press-0001' },
  body: JSON.stringify({ service_id: 'tg', country_id: 2 }),
}

async function startFrozen() {
  await using stack = new AsyncDisposableStack()
  const t = stack.use(await startTestApp())
  const { connectionString } = t.database
  const patient = t.ctx.db
  const pool = stack.use(
    new Pool({ connectionString, maxConnections: 2, applicationName: 'hasty', log: t.log, answerLimitMs: 1_000 }),
  )
  t.ctx.db = pool
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
    frozen = []
  }
  stack.defer(thaw)
  const freeze = async () => {
    await Promise.all([pool.query({ text: 'SELECT pg_sleep(0.05)' }), pool.query({ text: 'SELECT pg_sleep(0.05)' })])
    const text = `SELECT pid FROM pg_stat_activity WHERE application_name = 'hasty' AND datname = current_database()`
    frozen = (await patient.query<{ pid: number }>({ text })).rows.map(({ pid }) => pid)
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    return frozen.length
  }
  const kept = stack.move()
  return { t, pool, patient, freeze, thaw, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const readyOf = async (t: TestApp) => (await t.fetch('/readyz')).status

// Regression test for R-D: requests waited as long as PostgreSQL was frozen.
test('a PostgreSQL that is frozen is told as away within the limit, and its connections are thrown away', async () => {
  await using house = await startFrozen()
  const { t, pool } = house
  const buyer = await t.makeUser()
  expect(await house.freeze()).toBe(2)
  const silent = await t.fetch('/api/user', { token: buyer.token })
  expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await readyOf(t)).toBe(503)
  expect(await call(t, 'GET /api/user', {}, { token: buyer.token })).toMatchObject({ id: buyer.id })
  expect(await readyOf(t)).toBe(200)
  await house.freeze()
  await expect(transaction(pool, (tx) => tx.query({ text: 'SELECT 1' }))).rejects.toThrow('Query read timeout')
  expect(pool.pg.totalCount).toBe(1)
})

test('a purchase whose hold was not answered is settled by what became of it, and the same key says what', async () => {
  await using house = await startFrozen()
  const { t, pool } = house
  await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const query = pool.query.bind(pool)
  pool.query = async (asked) => {
    if (asked.name === 'activation-reserve') {
      pool.query = query
      await house.freeze()
    }
    return query(asked)
  }
  expect((await t.fetch('/api/v1/activations', { ...PURCHASE, token: buyer.token })).status).toBe(503)
  house.thaw()
  await expect.poll(() => count(t.ctx, 'activations')).toBe(1)
  const early = await t.fetch('/api/v1/activations', { ...PURCHASE, token: buyer.token })
  expect(await early.json()).toMatchObject({ code: 'IN_PROGRESS' })
  t.clock.advance(SECOND)
  await settleOrphans(t.ctx)
  const late = await t.fetch('/api/v1/activations', { ...PURCHASE, token: buyer.token })
  expect(await late.json()).toMatchObject({ code: 'NO_NUMBERS' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '20.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

async function startSilent() {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe: the address of a listening TCP server is never a path or null.
  const { port } = server.address() as AddressInfo
  return {
    connect: (connectionTimeoutMillis: number) =>
      new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis }).connect(),
    [Symbol.dispose]: () => server.close(),
  }
}

test('a PostgreSQL that takes a connection and says nothing is away', async () => {
  using silent = await startSilent()
  const error = await silent.connect(50).catch((failed: unknown) => failed)
  expect([String(error), isDatabaseAway(error)]).toEqual(['Error: timeout expired', true])
})

test('a start gives a silent PostgreSQL up, even if one attempt lasts longer than the whole wait', async () => {
  using silent = await startSilent()
  await using t = await startTestApp()
  t.ctx.config.databaseWaitSeconds = 1
  let tries = 0
  const start = async () => {
    tries += 1
    return tries > 2 ? 'it never ends' : silent.connect(1_500)
  }
  await expect(waitForDatabase(t.ctx, start)).rejects.toThrow('timeout expired')
})
