import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { rawRequest } from '#test/harness/raw-request.ts'
import { type ProtocolTest, startProtocolTest } from '#test/services/handler-api-service.ts'

const PATH = '/stubs/handler_api.php'

async function list(
  { t }: ProtocolTest,
  key: string,
  more: { query?: string; path?: string; headers?: Record<string, string> } = {},
) {
  const { query = 'action=getPrices', path = PATH, headers = {} } = more
  const reply = await t.fetch(`${path}?${query}&api_key=${key}`, { headers })
  return { status: reply.status, etag: reply.headers.get('etag'), text: await reply.text() }
}
const inFront = ({ t }: ProtocolTest) => t.ctx.metrics.cachedReplies.count

test('a whole list goes out before Fastify the second time, with 304 for its tag, and anew when the catalogue has changed', async () => {
  await using p = await startProtocolTest()
  const first = await list(p, p.key)
  expect(first).toMatchObject({ status: 200, etag: expect.stringMatching(/^W\/"/) })
  const before = inFront(p)
  expect(await list(p, p.key)).toEqual(first)
  const headers = { 'if-none-match': String(first.etag) }
  expect(await list(p, p.key, { headers })).toEqual({ status: 304, etag: first.etag, text: '' })
  expect(inFront(p)).toBe(before + 2)
  // The cache answers no request with a filter, body or cookie, because these may change the reply.
  expect((await list(p, p.key, { query: 'action=getPrices&country=6' })).text).toBe('{}')
  expect((await list(p, p.key, { headers: { cookie: 'a=b' } })).text).toBe(first.text)
  expect(inFront(p)).toBe(before + 2)
  catalogOf(p.t.ctx).setOffers(p.supplier.id, [{ ...fakeOffer, stock: 7 }])
  const changed = await list(p, p.key, { headers })
  expect(changed.status).toBe(200)
  expect(JSON.parse(changed.text)[2].tg.count).toBe(7)
})

test('each dialect and currency has its own bytes, and an encoding is what was asked for', async () => {
  await using p = await startProtocolTest({
    offers: Array.from({ length: 200 }, (_, id) => ({ ...fakeOffer, countryId: id })),
  })
  const dollars = await p.t.makeApiKey(await p.t.makeUser({ currency: 'usd' }))
  const [plain] = [await list(p, p.key), await list(p, dollars), await list(p, p.key, { path: `/smshub${PATH}` })]
  for (let round = 0; round < 2; round += 1) {
    expect(await list(p, p.key)).toEqual(plain)
    expect((await list(p, dollars)).text).not.toBe(plain.text)
    expect(JSON.parse((await list(p, p.key, { path: `/smshub${PATH}` })).text)[2].tg).toEqual({ '13.00': 100 })
    const path = `${PATH}?action=getPrices&api_key=${p.key}`
    const packed = await rawRequest(p.t.app, { path, headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.text)
  }
})

test('in front holds what holds behind: the rate, the scopes, the addresses, a revoked key, and the log of the key', async () => {
  await using p = await startProtocolTest({ config: { apiRequestsPerSecond: 5 } })
  const make = async (input: object) => {
    const { data, secret } = await call(p.t, 'POST /api/v1/keys', { name: 'K', scopes: ['read'], ...input }, p.buyer)
    return { id: data.id, secret }
  }
  const buyOnly = await make({ scopes: ['buy'] })
  const { id, secret } = await make({})
  for (let round = 0; round < 2; round += 1) expect((await list(p, secret)).status).toBe(200)
  expect((await list(p, buyOnly.secret)).text).toBe('BAD_KEY')
  expect((await list(p, buyOnly.secret)).text).toBe('BAD_KEY')
  const statuses = [await list(p, secret), await list(p, secret), await list(p, secret)].map(({ status }) => status)
  expect(statuses).toContain(429)
  p.t.clock.advance(1_000)
  await list(p, secret)
  const { data: calls } = await call(p.t, 'GET /api/v1/keys/{id}/calls', { id }, p.buyer)
  expect(calls.find(({ result }) => result === 'OK')).toMatchObject({ call: 'getPrices', address: '127.0.0.1' })
  await call(p.t, 'PATCH /api/v1/keys/{id}', { id, addresses: ['203.0.113.7'] }, p.buyer)
  p.t.clock.advance(1_000)
  expect((await list(p, secret)).text).toBe('BAD_KEY')
  await call(p.t, 'DELETE /api/v1/keys/{id}', { id: buyOnly.id }, p.buyer)
  expect((await list(p, buyOnly.secret)).text).toBe('BAD_KEY')
})

test('polls are answered before Fastify as behind it: states, refusals, the dialect, someone else’s, a database that is away', async () => {
  await using p = await startProtocolTest()
  const { id, phone } = await p.buy()
  const stranger = await p.t.makeApiKey(await p.t.makeUser())
  const ask = async (query: string, path = PATH) => {
    const reply = await p.t.fetch(`${path}?${query}`)
    return [reply.status, await reply.text(), reply.headers.get('content-type')?.split(';')[0]]
  }
  const both = async (key: string, query: string, path?: string) => {
    const front = await ask(`api_key=${key}&${query}`, path)
    // Fastify, not the cache, answers a request with a further parameter.
    expect(await ask(`api_key=${key}&${query}&ref=1`, path)).toEqual(front)
    return front
  }
  const plain = (text: string) => [200, text, 'text/plain']
  expect(await both(p.key, 'action=getBalance')).toEqual(plain('ACCESS_BALANCE:87.00'))
  expect(await both(p.key, `action=getStatus&id=${id}`)).toEqual(plain('STATUS_WAIT_CODE'))
  await p.sms(phone, 'Telegram: код 48213')
  expect(await both(p.key, `action=getStatus&id=${id}`)).toEqual(plain('STATUS_OK:48213'))
  expect(await both(p.key, `action=getFullSms&id=${id}`)).toEqual(plain('FULL_SMS:Telegram: код 48213'))
  for (const query of ['action=getStatus', 'action=getStatus&id=x', 'action=getStatus&id=999999999999999']) {
    expect(await both(p.key, query)).toEqual(plain('NO_ACTIVATION'))
  }
  expect(await both(stranger, 'action=getBalance')).toEqual(plain('ACCESS_BALANCE:100.00'))
  expect(await both(stranger, `action=getStatus&id=${id}`)).toEqual(plain('NO_ACTIVATION'))
  const hero = await both(p.key, 'action=getStatus&id=1', `/hero-sms${PATH}`)
  expect(hero).toEqual([200, '{"title":"NOT_FOUND","details":"NOT_FOUND"}', 'application/json'])
  expect((await p.t.fetch(`${PATH}?api_key=${p.key}&action=getStatus&id=${id}`)).headers.get('x-request-id')).toMatch(
    /^[\da-f-]{36}$/,
  )
  const { query } = p.t.ctx.db
  p.t.ctx.db.query = async () => {
    throw new Error('a fault')
  }
  expect(await both(p.key, 'action=getBalance')).toEqual(plain('ERROR_SQL'))
  p.t.ctx.db.query = query
})
