import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer as readBuffer, text as readText } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { Pool } from '#server/house/db/pool.ts'
import { count } from '#test/builders/activation-rows.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { quietLog } from '#test/harness/postgres/temporary-postgres.ts'
import { startProtocolTest } from '#test/services/handler-api-service.ts'

const ADDRESS = '/stubs/handler_api.php'

test('GET, POST with everything in the query, forms, multipart forms and JSON are understood alike', async () => {
  await using p = await startProtocolTest()
  const parameters = { api_key: p.key, action: 'getBalance' }
  const query = new URLSearchParams(parameters)
  const multipart = new FormData()
  for (const [name, value] of Object.entries(parameters)) multipart.set(name, value)
  const json = JSON.stringify(parameters)
  const form = (boundary: string, end: string) => {
    const file = `--${boundary}${end}Content-Disposition: form-data; name="action"; filename="x"${end}${end}nothing`
    const fields = Object.entries(parameters).map(
      ([name, value]) => `--${boundary}${end}content-disposition:form-data; name=${name}${end}${end}${value}`,
    )
    return [file, ...fields, `--${boundary}--`, ''].join(end)
  }
  const requests: [path: string, init: RequestInit][] = [
    [`${ADDRESS}?${query}`, {}],
    [`${ADDRESS}?${query}`, { method: 'POST' }],
    [`${ADDRESS}?${query}`, { method: 'POST', body: '', headers: { 'content-type': 'application/json' } }],
    [`${ADDRESS}?${query}`, { method: 'POST', body: '--broken', headers: { 'content-type': 'nonsense' } }],
    [ADDRESS, { method: 'POST', body: query }],
    [ADDRESS, { method: 'POST', body: multipart }],
    // B9: these multipart bodies have boundaries of one letter, and one of the bodies has bare line feeds.
    [
      ADDRESS,
      { method: 'POST', body: form('b', '\r\n'), headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    ],
    [ADDRESS, { method: 'POST', body: form('-(x)+$', '\n'), headers: { 'content-type': 'nonsense' } }],
    [ADDRESS, { method: 'POST', body: json, headers: { 'content-type': 'application/json' } }],
    [ADDRESS, { method: 'POST', body: json, headers: { 'content-type': 'text/html' } }],
    [ADDRESS, { method: 'POST', body: `${query}`, headers: { 'content-type': 'nonsense' } }],
    [`${ADDRESS}?action=getBalance`, { headers: { authorization: `Bearer ${p.key}` } }],
    [`${ADDRESS}?action=getBalance&action=nothing&api_key=${p.key}`, { method: 'POST', body: 'action=getBalance' }],
    [`${ADDRESS}?action=nothing&action=getBalance&api_key=${p.key}`, {}],
    [`${ADDRESS}?action=+getBalance+&api_key=%20${p.key}`, {}],
  ]
  for (const [path, init] of requests) {
    const reply = await p.t.fetch(path, init)
    const seen = { status: reply.status, type: reply.headers.get('content-type'), body: await reply.text() }
    expect({ ...seen, init }).toEqual({
      status: 200,
      type: 'text/plain; charset=utf-8',
      body: 'ACCESS_BALANCE:100.00',
      init,
    })
  }
  // A maximum price in an unreadable body would be lost although the purchase is made.
  for (const body of ['{broken', '{"maxPrice":1,', '[1]']) {
    const refused = await p.t.fetch(`${ADDRESS}?${query}`, { method: 'POST', body })
    expect([body, await refused.text()]).toEqual([body, 'BAD_DATA'])
  }
})

test('JSON is sent as JSON, nothing is kept unasked, and HEAD does nothing', async () => {
  await using p = await startProtocolTest()
  const reply = await p.t.fetch(`${ADDRESS}?action=getCountries`)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // Whole lists must be revalidated each time. Other replies are not cached.
  expect(reply.headers.get('cache-control')).toBe('private, no-cache')
  const balance = await p.t.fetch(`${ADDRESS}?action=getBalance&api_key=${p.key}`)
  expect(balance.headers.get('cache-control')).toBe('no-store')
  const query = `${ADDRESS}?api_key=${p.key}&action=getNumber&service=tg&country=2`
  for (const method of ['PUT', 'DELETE']) expect((await p.t.fetch(query, { method })).status).toBe(404)
  // B9: HEAD was answered 404, so a client thought that the service was gone.
  const head = await p.t.fetch(query, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    '',
  ])
  expect(p.supplier.orders).toEqual([])
})

test('W-2: a long list is compressed for who takes that, and a short one is not', async () => {
  await using p = await startProtocolTest()
  const plain = await askPlainly(`${p.t.url}${ADDRESS}?action=getCountries`, '')
  expect(plain.headers).not.toHaveProperty('content-encoding')
  for (const [accepted, encoding, unpack] of [
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
  ] as const) {
    const packed = await askPlainly(`${p.t.url}${ADDRESS}?action=getCountries`, accepted)
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
    expect(packed.headers['content-length']).toBe(String(packed.body.length))
    expect(packed.body.length).toBeLessThan(plain.body.length / 4)
    expect(unpack(packed.body)).toEqual(plain.body)
    const services = await askPlainly(`${p.t.url}${ADDRESS}?action=getServicesList`, accepted)
    expect(JSON.parse(unpack(services.body).toString()).status).toBe('success')
  }
  const prices = await askPlainly(`${p.t.url}${ADDRESS}?action=getPrices&api_key=${p.key}`, 'gzip')
  expect(prices.headers).not.toHaveProperty('content-encoding')
  expect(prices.body.toString()).toBe('{"2":{"tg":{"cost":13.00,"count":100,"physicalCount":100}}}')
})

async function askPlainly(url: string, accepted: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  const asked = Promise.withResolvers<IncomingMessage>()
  get(url, { headers: { 'accept-encoding': accepted }, agent: false }, asked.resolve).on('error', asked.reject)
  const reply = await asked.promise
  return { headers: reply.headers, body: await readBuffer(reply) }
}

test('a body over the limit is refused with a word', async () => {
  await using p = await startProtocolTest()
  const reply = await p.t.fetch(ADDRESS, { method: 'POST', body: `x=${'y'.repeat(20_000)}` })
  expect([reply.status, await reply.text()]).toEqual([200, 'BAD_DATA'])
})

test('a bare client that closes after its request gets the bare word', async () => {
  await using p = await startProtocolTest()
  const socket = connect(Number(new URL(p.t.url).port), '127.0.0.1')
  socket.end(`POST ${ADDRESS}?action=getBalance HTTP/1.0\r\nContent-Type:\r\n\r\n`)
  const [head = '', body] = (await readText(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.[01] 200 OK\r\n/)
  expect(head.toLowerCase()).toContain('content-length: 6')
  expect(body).toBe('NO_KEY')
})

test('over the rate the reply is 429 with the time to wait, for that key alone', async () => {
  await using p = await startProtocolTest({ config: { apiRequestsPerSecond: 2 } })
  const other = await p.t.makeApiKey(await p.t.makeUser())
  const ask = (key: string) => p.t.fetch(`${ADDRESS}?api_key=${key}&action=getBalance`)
  expect((await ask(p.key)).status).toBe(200)
  expect((await ask(p.key)).status).toBe(200)
  const refused = await ask(p.key)
  expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([429, '1', 'RATE_LIMIT'])
  expect((await ask(other)).status).toBe(200)
  p.t.clock.advance(SECOND)
  expect((await ask(p.key)).status).toBe(200)
})

test('without the database the reply is 503 ERROR_SQL and when to come again', async () => {
  await using p = await startProtocolTest()
  await using away = new Pool({
    connectionString: 'postgres://ringpost@127.0.0.1:1/ringpost',
    maxConnections: 1,
    applicationName: 'test',
    log: quietLog,
  })
  p.t.ctx.db = away
  const reply = await p.t.fetch(`${ADDRESS}?api_key=${p.key}&action=getNumber&service=tg&country=2`)
  expect([reply.status, reply.headers.get('retry-after'), await reply.text()]).toEqual([503, '2', 'ERROR_SQL'])
  expect((await p.t.fetch(`${ADDRESS}?action=getCountries`)).status).toBe(200)
})

test('a fault of ours is ERROR_SQL, is logged, and the log does not have the key', async () => {
  await using p = await startProtocolTest()
  const catalog = catalogOf(p.t.ctx)
  const { countries } = catalog
  Object.defineProperty(catalog, 'countries', {
    configurable: true,
    get() {
      throw new Error('an impossible fault')
    },
  })
  expect(await p.ask('getCountries')).toBe('ERROR_SQL')
  Object.defineProperty(catalog, 'countries', { value: countries })
  expect(p.t.log.lines.filter((line) => line.level === 'error')).toHaveLength(1)
  expect(await p.ask('getNumber', { service: 'tg', country: '2' })).toMatch(/^ACCESS_NUMBER:/)
  expect(JSON.stringify(p.t.log.lines)).not.toContain(p.key)
})

test('17.1: during maintenance nothing is sold, listed or told: 503 and ERROR_SQL, with a time to come again', async () => {
  await using t = await startTestApp({ config: { maintenanceMessage: 'Back at noon' } })
  await t.addFake()
  const key = await t.makeApiKey(await t.makeUser())
  const paths = [
    ...['getNumber&service=tg&country=2', 'getStatus&id=1', 'getBalance', 'getPrices', 'getCountries'].map(
      (asked) => `/stubs/handler_api.php?api_key=${key}&action=${asked}`,
    ),
    '/stubs/handler_api.php?action=getCountries',
    '/api.php?action=getBalance',
    `/public/crypto/wallet?api_key=${key}`,
  ]
  for (const path of paths) {
    // A refused call may cache its key, but a poll with a cached key must still be refused.
    await t.fetch('/api/user', { headers: { 'x-api-key': key } })
    const reply = await t.fetch(path)
    expect([path, reply.status, await reply.text(), reply.headers.get('retry-after')]).toEqual([
      path,
      503,
      'ERROR_SQL',
      expect.stringMatching(/^\d+$/),
    ])
  }
  expect(await count(t.ctx, 'activations')).toBe(0)
  // A browser shows the refusal to its page only after a successful preflight.
  const [preflight, refusal] = [
    await t.fetch('/stubs/handler_api.php', { method: 'OPTIONS' }),
    await t.fetch('/stubs/handler_api.php'),
  ]
  expect([preflight.status, refusal.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
})
