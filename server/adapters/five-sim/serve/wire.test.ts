import { expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { flushKeyCalls } from '#server/core/accounts/api-keys/flush-calls.ts'
import type { PageRoutes } from '#server/programs/app.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'

const TELEGRAM = '/user/buy/activation/kazakhstan/any/telegram'

test('17.3: what is no call is a text of 404, and only GET buys', async () => {
  const pages: PageRoutes = async (app) => {
    app.get('/*', (_request, reply) => reply.callNotFound())
  }
  await using f = await startFiveSimTest({ pages })
  const none = ['', '/', '/user', '/user/vendor', '/vendor/wallets', '/guest', '/user/check', `${TELEGRAM}/more`]
  for (const path of none) {
    expect({ path, ...(await f.ask(path)) }).toEqual({
      path,
      status: 404,
      type: 'text/plain; charset=utf-8',
      body: 'not found',
    })
  }
  expect((await f.t.fetch('/v1/vendor/orders')).status).toBe(404)
  expect(await f.ask('/user/check/%zz')).toMatchObject({ status: 400, body: 'bad request' })
  expect(await f.ask(`/user/check/${'9'.repeat(300)}`)).toMatchObject({ status: 404, body: 'not found' })
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) expect((await f.ask(TELEGRAM, { method })).status).toBe(404)
  expect(f.supplier.orders).toEqual([])
  const withSlash = await f.ask('/user/profile/', { headers: { 'content-type': 'application/json' } })
  expect(withSlash).toMatchObject({ status: 200, body: { id: f.buyer.id } })
  const reply = await f.t.fetch('/v1/user/profile', { token: f.key })
  expect([reply.headers.get('cache-control'), reply.headers.get('x-request-id')]).toEqual([
    'no-store',
    expect.any(String),
  ])
})

test('17.3: a key is held to its rate with 429, an address without one with 503', async () => {
  await using f = await startFiveSimTest({ config: { apiRequestsPerSecond: 2 } })
  const asked = [await f.ask(TELEGRAM), await f.ask('/user/profile'), await f.ask(TELEGRAM)]
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(asked.at(-1)?.body).toBe('too many requests')
  expect(f.supplier.orders).toHaveLength(1)
  const replies = [1, 2, 3].map(() => f.t.fetch('/v1/guest/flash/en'))
  const [, , third] = [await replies[0], await replies[1], await replies[2]]
  expect([third?.status, third?.headers.get('retry-after')]).toEqual([503, '1'])
})

test('17.3: payments, which sum thousands of rows, are asked for ten times and then once a second', async () => {
  await using f = await startFiveSimTest()
  const asked = await Promise.all(Array.from({ length: 12 }, () => f.ask('/user/payments')))
  expect(asked.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(200), 429, 429])
  expect((await f.ask('/user/profile')).status).toBe(200)
  f.t.clock.advance(SECOND)
  expect((await f.ask('/user/payments')).status).toBe(200)
})

test('17.3: the owner of a key sees the calls by their names and the words of refusals', async () => {
  await using f = await startFiveSimTest()
  await f.buy()
  await f.ask('/user/buy/activation/atlantis/any/telegram')
  await f.ask('/user/secret-of-a-caller')
  await f.ask('/guest/flash/en')
  await flushKeyCalls(f.t.ctx)
  const { data: keys } = await call(f.t, 'GET /api/v1/keys', {}, { token: f.buyer.token })
  const { data } = await call(f.t, 'GET /api/v1/keys/{id}/calls', { id: keys[0]?.id ?? 0 }, { token: f.buyer.token })
  const buying = 'GET /v1/user/buy/activation/{country}/{operator}/{product}'
  expect(data.map((line) => `${line.call} ${line.result}`).toSorted()).toEqual([
    '/v1 not found',
    'GET /v1/guest/flash/{lang} OK',
    `${buying} OK`,
    `${buying} bad country`,
  ])
})

test('17.3: during maintenance the server is offline', async () => {
  await using t = await startTestApp({ config: { maintenanceMessage: 'Back at noon' } })
  for (const path of ['/v1/guest/prices', '/v1/user/profile', '/v1/nosuch']) {
    const reply = await t.fetch(path)
    expect([path, reply.status, await reply.text()]).toEqual([path, 503, 'server offline'])
  }
})

test('17.3: a fault of ours is an internal error, of which nothing is told, and is logged once', async () => {
  await using f = await startFiveSimTest()
  const { id } = await f.buy()
  vi.spyOn(f.t.ctx.db, 'query').mockRejectedValueOnce(new Error('a secret of ours'))
  expect(await f.ask(`/user/check/${id}`)).toMatchObject({ status: 500, body: 'internal error' })
  const errors = f.t.log.lines.filter(({ level }) => level === 'error')
  expect(errors).toMatchObject([{ sentence: 'a request failed', fields: { route: '/v1/user/check/:id' } }])
  expect((await f.ask(`/user/check/${id}`)).status).toBe(200)
})
