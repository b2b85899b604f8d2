import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
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
  // Another encoding, another language, another zone's host: none of them is the one that was answered.
  const others: Record<string, string>[] = [{ 'accept-encoding': 'br' }, { locale: 'en' }, { host: '[::1]' }]
  for (const other of others) await get(t, other)
  expect(inFront()).toBe(2)
  t.ctx.catalog.setOffers(supplier.id, [{ ...fakeOffer, costMicros: 20_000_000n }])
  const dearer = await get(t)
  expect([inFront(), gunzipSync(dearer.rawPayload).includes('"26.00"')]).toEqual([2, true])
  expect((await get(t)).rawPayload).toEqual(dearer.rawPayload)
  expect(inFront()).toBe(3)
})

test('only what a visitor asks for is answered in front', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  await get(t)
  await get(t, { authorization: `Bearer ${token}` })
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
