import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { rawRequest } from '#test/harness/raw-request.ts'

const LIST = '/api/services?country_id=2&load=all'
const COUNTRIES = '/api/countries?service_id=tg&load=all'

async function get(t: TestApp, input: { path?: string; token?: string; etag?: string; headers?: object } = {}) {
  const headers: Record<string, string> = { 'accept-encoding': 'gzip, deflate, br', ...input.headers }
  if (input.token !== undefined) headers.authorization = `Bearer ${input.token}`
  if (input.etag !== undefined) headers['if-none-match'] = input.etag
  return rawRequest(t.app, { path: input.path ?? LIST, headers })
}

test('a list is sent compressed as the client likes, and is the same in every encoding', async () => {
  await using t = await startTestApp()
  await t.addFake()
  for (const path of [LIST, COUNTRIES]) {
    const plain = await get(t, { path, headers: { 'accept-encoding': 'identity;q=1, *;q=0' } })
    expect(plain.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding, Authorization, Locale, X-API-Key, X-ApiKey, Zone',
    })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const [br, gzip] = await Promise.all([
      get(t, { path }),
      get(t, { path, headers: { 'accept-encoding': 'br;q=0, *' } }),
    ])
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload)).toEqual(plain.rawPayload)
    expect(gunzipSync(gzip.rawPayload)).toEqual(plain.rawPayload)
    expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(1)
    for (const reply of [plain, br, gzip]) {
      expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length)
      const known = await get(t, { path, etag: String(reply.headers.etag) })
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', reply.headers.etag])
    }
    const head = await rawRequest(t.app, { path, method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      gzip.headers['content-length'],
    ])
    expect(head.headers.etag).toBe(gzip.headers.etag)
  }
})

test('a price that changes makes another list', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const before = await get(t)
  catalogOf(t.ctx).setOffers(supplier.id, [{ ...fakeOffer, costMicros: 20_000_000n }])
  const after = await get(t, { etag: String(before.headers.etag) })
  expect(after.statusCode).toBe(200)
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expect(brotliDecompressSync(after.rawPayload).toString()).toContain('"26.00"')
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  expect((await get(t, { etag: String(before.headers.etag) })).statusCode).toBe(304)
})

test('nobody is shown another’s list, in whatever order they ask', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const anna = await t.makeUser()
  const boris = await t.makeUser({ currency: 'usd' })
  const clara = await t.makeUser()
  const etagFor = async (input: { token?: string; headers?: object } = {}) => String((await get(t, input)).headers.etag)
  const visitor = await etagFor()
  expect(await etagFor({ token: anna.token })).toBe(visitor)
  const inDollars = await etagFor({ token: boris.token })
  const inEnglish = await etagFor({ headers: { locale: 'en' } })
  const mark = { id: 'tg', type: 'service' } as const
  await call(t, 'POST /api/activation/add-to-favorite', mark, { token: anna.token })
  const marked = await get(t, { token: anna.token, etag: visitor })
  expect([marked.statusCode, marked.headers['cache-control']]).toEqual([200, 'private, no-cache'])
  expect(JSON.parse(brotliDecompressSync(marked.rawPayload).toString())).toMatchObject({ favorites: 1 })
  const withFavorite = String(marked.headers.etag)
  expect(new Set([visitor, inDollars, inEnglish, withFavorite]).size).toBe(4)
  for (const [input, own] of [
    [{}, visitor],
    [{ token: clara.token }, visitor],
    [{ token: anna.token }, withFavorite],
    [{ token: boris.token }, inDollars],
    [{ headers: { locale: 'en' } }, inEnglish],
  ] as const) {
    for (const etag of [visitor, inDollars, inEnglish, withFavorite]) {
      expect([input, (await get(t, { ...input, etag })).statusCode]).toEqual([input, etag === own ? 304 : 200])
    }
  }
  await call(t, 'DELETE /api/activation/remove-from-favorite/{type}/{id}', mark, { token: anna.token })
  expect(await etagFor({ token: anna.token })).toBe(visitor)
  const stranger = await get(t, { token: 'x'.repeat(43), etag: visitor })
  expect([stranger.statusCode, stranger.headers['cache-control']]).toEqual([401, 'no-store'])
})

test('searches and pages further on are made each time, and are not kept', async () => {
  await using t = await startTestApp()
  for (const path of ['/api/services?search=tele&load=all', '/api/services?page=2', '/api/countries?page=2']) {
    const { headers } = await get(t, { path })
    expect([path, headers['cache-control'], headers.etag]).toEqual([path, 'no-store', undefined])
  }
  expect((await get(t, { path: '/api/services?page=1' })).headers.etag).toBeDefined()
})
