import { expect, test } from 'vitest'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { rawRequest } from '#test/harness/raw-request.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const HANDLER_API = '/stubs/handler_api.php'
const origin = 'https://page.example'
const ALLOWED = 'access-control-allow-origin'

test('C-10: a page elsewhere may call handler_api and read every reply, and no reply admits cookies', async () => {
  await using p = await startProtocolTest({ config: { apiRequestsPerSecond: 2 } })
  const ask = (query: string, headers: Record<string, string> = {}) =>
    rawRequest(p.t.app, { path: `${HANDLER_API}?${query}`, headers: { origin, ...headers } })
  const replies = [
    await ask(`action=getBalance&api_key=${p.key}`),
    await ask('action=getCountries'),
    await ask('action=getBalance'),
    await ask(`action=getBalance&api_key=${p.key}`),
    await ask(`action=getBalance&api_key=${p.key}`),
  ]
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 429])
  for (const { headers } of replies) {
    expect(headers).toMatchObject({
      [ALLOWED]: '*',
      'access-control-expose-headers':
        'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, sandbox, x-request-id',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
  const withCookie = await ask('action=getCountries', { cookie: 'access_token=x' })
  expect(withCookie.headers).not.toHaveProperty(ALLOWED)
})

test('C-10: a preflight is answered for handler_api and /api/v1, and for nothing else', async () => {
  await using p = await startProtocolTest()
  const preflight = (path: string) =>
    rawRequest(p.t.app, {
      path,
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    })
  for (const path of [HANDLER_API, `/${HANDLER_API}`, '/api/v1/activations', '/api/v1/activations/7/cancel']) {
    const { statusCode, headers } = await preflight(path)
    expect({ path, statusCode, allowed: headers[ALLOWED] }).toEqual({ path, statusCode: 204, allowed: '*' })
    expect(headers['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'x-api-key', 'idempotency-key']),
    )
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
  const siteCalls = calls.map(({ key }) => splitKey(key).path).filter((path) => !path.startsWith('/api/v1/'))
  for (const path of [...siteCalls, '/', '/api/openapi.json', '/broadcasting/auth', '/api/v1', '/readyz']) {
    const { statusCode, headers } = await preflight(path.replaceAll(/\{\w+\}/g, '7'))
    expect({ path, statusCode, allowed: headers[ALLOWED] }).toEqual({ path, statusCode: 404, allowed: undefined })
  }
})

test('C-10: /api/v1 is readable elsewhere with a key only; never with a session, a cookie or nobody', async () => {
  await using p = await startProtocolTest()
  const read = (path: string, headers: Record<string, string> = {}) =>
    rawRequest(p.t.app, { path, headers: { origin, ...headers } })
  const session = { authorization: `Bearer ${p.buyer.token}` }
  const key = { authorization: `ApiKey ${p.key}` }
  const ownApi = '/api/v1/history'
  for (const headers of [key, { 'x-api-key': p.key }, { authorization: `Bearer ${p.key}` }]) {
    const reply = await read(ownApi, headers)
    expect([reply.statusCode, reply.headers[ALLOWED]]).toEqual([200, '*'])
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
  }
  const wrong = await read(ownApi, { 'x-api-key': 'x'.repeat(32) })
  expect([wrong.statusCode, wrong.headers[ALLOWED]]).toEqual([401, '*'])
  const closed: [path: string, headers: Record<string, string>, status: number][] = [
    [ownApi, session, 200],
    [ownApi, { ...key, cookie: 'access_token=x' }, 200],
    [ownApi, { cookie: `access_token=${p.buyer.token}` }, 401],
    [ownApi, {}, 401],
    ['/api/v1/quality', {}, 200],
    ['/api/services', {}, 200],
    ['/api/services', key, 200],
    ['/api/openapi.json', key, 200],
    ['/', key, 404],
  ]
  for (const [path, headers, status] of closed) {
    const reply = await read(path, headers)
    expect([path, reply.statusCode, reply.headers[ALLOWED]]).toEqual([path, status, undefined])
  }
})

test('C-10: a reply kept for visitors is not given to who shows a key in its own header', async () => {
  await using p = await startProtocolTest()
  const dollars = await p.t.makeApiKey(await p.t.makeUser({ currency: 'usd' }))
  const path = '/api/services?per_page=1'
  const prices = async (headers: Record<string, string> = {}) =>
    (await rawRequest(p.t.app, { path, headers: { host: 'localhost', ...headers } })).body
  const visitors = await prices()
  expect(await prices()).toBe(visitors)
  expect(await prices({ 'x-api-key': dollars })).not.toBe(visitors)
  expect((await rawRequest(p.t.app, { path, headers: { 'x-api-key': 'x'.repeat(32) } })).statusCode).toBe(401)
})
