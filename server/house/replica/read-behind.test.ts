import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import type { Db } from '#server/house/db/pool.ts'
import { measureNodes } from '#server/programs/boot/measures/measure-nodes.ts'
import { refuseForeignReplica } from '#server/programs/boot/refuse-foreign-replica.ts'
import { call } from '#test/harness/calls.ts'
import { openCookieJar } from '#test/harness/cookie-jar.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { hasDebianPostgres } from '#test/harness/postgres/debian-postgres.ts'
import { startReplicated } from '#test/services/replicated.ts'
import { readBehind } from './read-behind.ts'
import { MOST_BEHIND_MS } from './stand-by.ts'

const TEST_LIMIT_MS = 240_000
const HISTORY = 'GET /api/v1/history'
/** All that a stand-by may be sent. Nothing of it decides what is sold, paid or owned. */
const STATEMENTS = [
  'content-search',
  'entries-list',
  'history-list-activation',
  'history-list-rent',
  'history-span-end-activation',
  'history-span-end-rent',
  'latest-activations',
  'latest-rentals',
  'movements-list',
  'movements-scan-end',
  'movements-stand',
  'movements-up-to',
  'node-find-renewal',
  'outcomes-until',
  'payments-count',
  'payments-list',
  'referral-share-days',
  'referral-withdrawals-count',
  'referral-withdrawals-list',
  'statement-sums',
  'statistics-sum',
]
const LISTS = [
  HISTORY,
  'GET /api/v1/history.csv',
  'GET /api/v1/movements',
  'GET /api/v1/movements.csv',
  'GET /api/v1/entries',
  'GET /api/v1/statement',
  'GET /api/v1/statement.csv',
  'GET /api/v1/statistics',
  'GET /api/payments-history',
  'GET /api/user/latest-purchases',
  'GET /api/user/latest-rent-purchases',
  'GET /api/v1/referral/shares',
  'GET /api/referral/history-withdrawals',
] as const satisfies CallKey[]

/** Signs a browser in, and lets the mark of the sign-in pass. */
async function openBrowser(t: TestApp, { email, password }: TestUser) {
  const jar = openCookieJar(t)
  const { token } = await jar.call('POST /api/login', { email, password })
  expect(jar.cookies.get('fresh')).toBe('1')
  jar.cookies.delete('fresh')
  const count = async (key: CallKey = HISTORY) => {
    const { response, body } = await jar.send(key, {}, { token })
    expect([key, response.status]).toEqual([key, 200])
    return key === HISTORY ? (body as { history: { data: unknown[] } }).history.data.length : 0
  }
  const buy = async () => {
    const wanted = { service_id: 'tg', country_id: 2 }
    const { response } = await jar.send('POST /api/v1/activations', wanted, { token })
    expect(response.status).toBe(201)
  }
  return { jar, token, count, buy }
}

const troublesOf = ({ log }: TestApp) =>
  log.lines.filter(({ level }) => level === 'warn' || level === 'error').map(({ sentence }) => sentence)

async function readsOf(t: TestApp): Promise<Record<string, number>> {
  const { values } = await t.ctx.metrics.replicaReads.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.at, value]))
}

test.skipIf(!hasDebianPostgres())(
  'a stand-by answers lists, but never who wrote or was told of news, and not once it is too far behind',
  { timeout: TEST_LIMIT_MS },
  async () => {
    await using replicated = await startReplicated()
    const { t } = replicated
    await t.addFake()
    const buyer = await t.makeUser({ balance: '1000.00' })
    const [reader, writer] = [await openBrowser(t, buyer), await openBrowser(t, buyer)]
    const apiKey = await t.makeApiKey(buyer)
    await replicated.follow()
    expect(troublesOf(t)).not.toContain('a stand-by of the database is not read')
    const troubles = troublesOf(t).length
    await replicated.pause()

    expect(await reader.count()).toBe(0)
    expect(await readsOf(t)).toEqual({ stand_by: 1 })
    await writer.buy()
    // The stand-by does not have the purchase, which only its buyer was told of.
    expect(await reader.count()).toBe(0)
    expect(await readsOf(t)).toEqual({ stand_by: 2 })
    expect(await writer.count()).toBe(1)
    const { history } = await call(t, HISTORY, {}, { token: apiKey })
    const { history: ofProgram } = await call(t, HISTORY, {}, { token: reader.token })
    expect([history.data.length, ofProgram.data.length]).toEqual([1, 1])
    // A page sets the cookie when it is told of news.
    reader.jar.cookies.set('fresh', '1')
    expect(await reader.count()).toBe(1)
    reader.jar.cookies.delete('fresh')
    expect(await readsOf(t)).toEqual({ stand_by: 2, primary: 4 })

    t.clock.advance(MOST_BEHIND_MS)
    expect(await reader.count()).toBe(0)
    t.clock.advance(1)
    expect(await reader.count()).toBe(1)
    await replicated.look()
    await replicated.look()
    expect(await reader.count()).toBe(1)
    expect((await (await t.fetch('/readyz')).json()).stand_bys).toBe(0)
    await measureNodes(t.ctx)
    const told = await t.ctx.metrics.registry.metrics()
    expect(told).toMatch(/ringpost_replica_up\{place=".+"\} 0/)
    expect(told).not.toContain('ringpost_redis_up')
    expect(told).toMatch(/ringpost_replica_lag_seconds\{place=".+"\} 2.001/)

    await replicated.resume()
    await replicated.follow()
    expect((await (await t.fetch('/readyz')).json()).stand_bys).toBe(1)
    const before = await readsOf(t)
    for (const key of LISTS) await reader.count(key)
    await call(t, 'GET /api/v1/content/search', { search: 'Telegram' })
    const { stand_by: standBy = 0, ...primary } = before
    expect(await readsOf(t)).toEqual({ stand_by: standBy + LISTS.length + 1, ...primary })
    expect(await replicated.sent()).toEqual(STATEMENTS)
    expect(troublesOf(t).slice(troubles)).toEqual([
      'a stand-by of the database is not read',
      'a stand-by of the database is read again',
    ])
  },
)

const WHERE = 'SELECT pg_is_in_recovery() AS is_stand_by FROM (SELECT FROM junk) read'

/** Reads as a visitor does. `hurt` runs after the first statement at the stand-by. Returns who answered in the end. */
async function readWhile(t: TestApp, hurt: (db: Db) => Promise<unknown>): Promise<string> {
  let hurts = true
  return readBehind(t.ctx, { mayLag: true, member: null }, async (db) => {
    const [first] = (await db.query<{ is_stand_by: boolean }>({ text: WHERE })).rows
    if (hurts) {
      expect(first).toEqual({ is_stand_by: true })
      hurts = false
      await hurt(db)
    }
    return (await db.query<{ is_stand_by: boolean }>({ text: WHERE })).rows[0]?.is_stand_by ? 'stand-by' : 'primary'
  })
}

test.skipIf(!hasDebianPostgres())(
  'no reader notices that a stand-by is slow, in conflict with its replay, or killed',
  { timeout: TEST_LIMIT_MS },
  async () => {
    await using replicated = await startReplicated()
    const { t, standBy } = replicated
    const { db } = t.ctx
    await db.query({ text: 'CREATE TABLE junk AS SELECT n FROM generate_series(1, 2) n' })
    const reader = await openBrowser(t, await t.makeUser())
    await replicated.follow()
    const troubles = troublesOf(t).length
    const clean = async (reading: Db) => {
      await db.query({ text: 'DELETE FROM junk WHERE n = 1' })
      await db.query({ text: 'VACUUM junk' })
      const isOver = () => reading.query({ text: 'SELECT' }).then(() => false)
      await expect.poll(() => isOver().catch(() => true)).toBe(true)
    }
    expect(await readWhile(t, clean)).toBe('primary')
    await replicated.follow()
    expect(await readWhile(t, (reading) => reading.query({ text: 'SELECT pg_sleep(60)' }))).toBe('primary')
    await replicated.follow()
    await expect(readWhile(t, (reading) => reading.query({ text: 'DELETE FROM junk' }))).rejects.toThrow('read-only')
    await replicated.follow()
    await expect(refuseForeignReplica(t.ctx)).resolves.toBeUndefined()
    await using stranger = await startTestApp({ replicaUrl: standBy.applicationUrl('ringpost') })
    const foreign = 'is no stand-by of the database of DATABASE_URL'
    await expect(refuseForeignReplica(stranger.ctx)).rejects.toThrow(foreign)
    expect(await readWhile(t, replicated.kill)).toBe('primary')
    expect(await reader.count()).toBe(0)
    await replicated.look()
    expect(await reader.count()).toBe(0)
    expect(troublesOf(t).slice(troubles)).toEqual(['a stand-by of the database is not read'])
    await expect(refuseForeignReplica(t.ctx)).resolves.toBeUndefined()
  },
)
