import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { rawRequest } from '#test/harness/raw-request.ts'

const LIST = '/api/services?country_id=2&load=all'

function get(t: TestApp, headers: Record<string, string> = {}, path = LIST) {
  return rawRequest(t.app, { path, headers: { 'accept-encoding': 'gzip', ...headers } })
}

test('what a visitor was answered goes out again, the same in every header', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const inFront = () => t.ctx.metrics.cachedReplies.count
  const first = await get(t)
  expect(inFront()).toBe(0)
  const again = await get(t)
  expect(inFront()).toBe(1)
  const { date: _then, ...headers } = first.headers
  expect(again.headers).toMatchObject(headers)
  expect(Object.keys(again.headers).sort()).toEqual(Object.keys(first.headers).sort())
  expect(again.rawPayload).toEqual(first.rawPayload)
  const holds = () => get(t, { 'if-none-match': String(first.headers.etag) })
  await holds()
  const known = await holds()
  expect([known.statusCode, known.body, inFront()]).toEqual([304, '', 2])
  expect(known.headers).toMatchObject({ etag: first.headers.etag, vary: first.headers.vary })
  const others: Record<string, string>[] = [{ 'accept-encoding': 'br' }, { locale: 'en' }, { host: '[::1]' }]
  for (const other of others) await get(t, other)
  expect(inFront()).toBe(2)
  catalogOf(t.ctx).setOffers(supplier.id, [{ ...fakeOffer, costMicros: 20_000_000n }])
  const dearer = await get(t)
  expect([inFront(), gunzipSync(dearer.rawPayload).includes('"26.00"')]).toEqual([2, true])
  expect((await get(t)).rawPayload).toEqual(dearer.rawPayload)
  expect(inFront()).toBe(3)
})

test('a member is answered again as before, until anything of theirs changes', async () => {
  await using t = await startTestApp()
  const [{ token }, other] = [await t.makeUser(), await t.makeUser()]
  const inFront = () => t.ctx.metrics.cachedReplies.count
  const asked = (by = token) => get(t, { 'accept-encoding': 'identity', authorization: `Bearer ${by}` })
  const favorites = async (by = token) => (await asked(by)).json().favorites
  const first = await asked()
  const again = await asked()
  expect(inFront()).toBe(1)
  expect(Object.keys(again.headers).sort()).toEqual(Object.keys(first.headers).sort())
  expect(again.headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: first.headers.etag })
  const left = (reply: typeof first) => Number(reply.headers['ratelimit-remaining'])
  expect([again.body, left(again)]).toEqual([first.body, left(first) - 1])
  expect([await favorites(other.token), inFront()]).toEqual([0, 1])
  await call(t, 'POST /api/activation/add-to-favorite', { id: 'tg', type: 'service' }, { token })
  expect([await favorites(), await favorites(other.token), inFront()]).toEqual([1, 0, 2])
  expect([await favorites(), inFront()]).toEqual([1, 3])
  await t.ctx.db.query({ text: 'DELETE FROM favorites' })
  expect([await favorites(), inFront()]).toEqual([1, 4])
  t.clock.advance(5_000)
  expect([await favorites(), inFront()]).toEqual([0, 4])
  expect([await favorites(), inFront()]).toEqual([0, 5])
  await call(t, 'POST /api/logout', {}, { token })
  expect([(await asked()).statusCode, inFront()]).toEqual([401, 5])
})

test('what was looked up while a member changed something is not kept', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const headers = { authorization: `Bearer ${token}` }
  const asking = await transaction(t.ctx.db, async (tx) => {
    await tx.query({ text: 'LOCK TABLE favorites IN ACCESS EXCLUSIVE MODE' })
    const reply = get(t, headers)
    await expect.poll(() => waitingFor(t, 'favorites')).toBe(1)
    await call(t, 'POST /api/logout', {}, { token })
    return { reply }
  })
  expect((await asking.reply).statusCode).toBe(200)
  expect([(await get(t, headers)).statusCode, t.ctx.metrics.cachedReplies.count]).toEqual([401, 0])
})

async function waitingFor(t: TestApp, table: string): Promise<number> {
  const { rows } = await t.ctx.db.query<{ waiting: number }>({
    text: `SELECT count(*)::integer AS waiting FROM pg_locks WHERE relation = $1::regclass AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    values: [table],
  })
  return rows[0]?.waiting ?? 0
}

test('only a plain GET of a visitor or of a session is answered in front', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const apiKey = await t.makeApiKey(user)
  await get(t)
  for (let times = 0; times < 2; times += 1) await get(t, { authorization: `Bearer ${apiKey}` })
  await get(t, { 'x-api-key': apiKey })
  expect((await get(t, { authorization: 'Bearer nobody' })).statusCode).toBe(401)
  await get(t, { 'x-forwarded-host': 'elsewhere.test' })
  for (const method of ['HEAD', 'POST']) {
    const reply = await rawRequest(t.app, { path: LIST, method, headers: { 'accept-encoding': 'gzip' } })
    expect([method, reply.statusCode]).toEqual([method, method === 'HEAD' ? 200 : 404])
  }
  expect(t.ctx.metrics.cachedReplies.count).toBe(0)
})

test('answers in front count against the limit of the caller, as the proxy names them', async () => {
  const config = { apiRequestsPerSecond: 5, trustedProxies: ['127.0.0.1'] }
  await using t = await startTestApp({ config })
  const statusFor = async (address: string) => (await get(t, { 'x-forwarded-for': address })).statusCode
  const statuses: number[] = []
  for (let request = 0; request < 12; request += 1) statuses.push(await statusFor('192.0.2.1'))
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  expect(t.ctx.metrics.cachedReplies.count).toBe(9)
  expect(await statusFor('192.0.2.2')).toBe(200)
  expect(await statusFor('192.0.2.1')).toBe(429)
  t.clock.advance(1_000)
  expect(await statusFor('192.0.2.1')).toBe(200)
})
