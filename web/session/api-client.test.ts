import { expect, onTestFinished, test, vi } from 'vitest'
import { type Answer, failure, startServer } from '#test/components/answering-server.ts'
import { fillPath, toQuery } from './api-client.ts'

test('7.2: a call carries bearer, language, zone, JSON and cookies, and its input in the query', async () => {
  const body = { status: true, services: [] }
  await using server = await startServer([
    { status: 200, body },
    { status: 200, body },
  ])
  await server.api('GET /api/services', { country_id: 0, search: '', page: 1 })
  expect(server.heard[0]).toMatchObject({
    line: 'GET /api/services?country_id=0&page=1',
    headers: { authorization: 'Bearer first', accept: 'application/json', locale: 'ru', zone: 'com' },
  })
  server.session.token = null
  server.session.signedIn = false
  await server.api('GET /api/countries', { services_ids: ['tg', 'wa'] } as object)
  expect(server.heard[1]?.headers.authorization).toBeUndefined()
  expect(server.credentials).toEqual(['include', 'include'])
})

test('a purchase carries its body and its idempotency key, and the id stands in the path', async () => {
  await using server = await startServer([{ status: 201 }, { status: 200 }])
  await server.api(
    'POST /api/v1/activations',
    { service_id: 'tg', country_id: 0, price: '12.00' },
    { idempotencyKey: 'k1' },
  )
  await server.api('POST /api/v1/activations/{id}/cancel', { id: 7 })
  expect(server.heard[0]).toMatchObject({
    line: 'POST /api/v1/activations',
    headers: { 'idempotency-key': 'k1', 'content-type': 'application/json' },
    body: '{"service_id":"tg","country_id":0,"price":"12.00"}',
  })
  expect(server.heard[1]).toMatchObject({ line: 'POST /api/v1/activations/7/cancel', body: '{}' })
})

test.each([408, 409, 425, 429, 500, 502, 503, 504])('7.5: a GET answered %i is asked once more', async (status) => {
  await using server = await startServer([{ status }, { status: 200, body: { status: true, count: 3 } }])
  expect(await server.api('GET /api/services', {})).toMatchObject({ count: 3 })
  expect(server.heard).toHaveLength(2)
})

// H-8: a second attempt without a pause met the same rate limit or the same restart.
test('before a GET is asked again it waits as long as the answer says, or a moment', async () => {
  const ok = { status: 200 }
  await using server = await startServer([{ status: 429, retryAfter: '2' }, ok, { status: 502 }, ok, 'drop', ok])
  for (let n = 0; n < 3; n += 1) await server.api('GET /api/services', {})
  const [asked, ...short] = server.pauses
  expect(asked).toBe(2_000)
  expect(short).toHaveLength(2)
  for (const ms of short) expect(ms).toBeGreaterThan(0)
})

test('7.5: a GET is asked twice at most, and a POST or another status never again', async () => {
  const broken = { status: 503, body: { status: false, code: 'MAINTENANCE', message: 'Back at noon' } }
  await using server = await startServer([broken, broken, broken])
  expect(await failure(server.api('GET /api/services', {}))).toBe('503 MAINTENANCE Back at noon')
  expect(server.heard).toHaveLength(2)
  expect(await failure(server.api('POST /api/logout', {}))).toBe('503 MAINTENANCE Back at noon')
  expect(server.heard).toHaveLength(3)
  for (const status of [400, 404, 422, 501]) {
    await using refusing = await startServer([{ status }, { status: 200 }])
    expect(await failure(refusing.api('GET /api/services', {}))).toBe(`${status} SERVER_ERROR `)
    expect(refusing.heard).toHaveLength(1)
  }
})

// The first call uses up the code and state of the provider. A second call would hide the reply to the first call.
test('the answer of a social sign-in is asked for once, whatever it says', async () => {
  const taken = { status: 409, body: { status: false, code: 'EMAIL_TAKEN', message: 'Taken' } }
  await using server = await startServer([taken, 'drop', taken, 'drop'])
  const back = { service: 'google' as const, code: 'c', state: 's' }
  expect(await failure(server.api('GET /api/auth/{service}/callback', back))).toBe('409 EMAIL_TAKEN Taken')
  expect(await failure(server.api('GET /api/auth/{service}/link-callback', back))).toBe('0 NO_REPLY ')
  expect(server.heard).toHaveLength(2)
})

test('a lost connection is NO_REPLY, after one more try for a GET', async () => {
  await using server = await startServer(['drop', 'drop', 'drop'])
  expect(await failure(server.api('GET /api/services', {}))).toBe('0 NO_REPLY ')
  expect(await failure(server.api('POST /api/v1/activations', { service_id: 'tg', country_id: 0 }))).toBe('0 NO_REPLY ')
  expect(server.heard).toHaveLength(3)
})

test('a call aborted by its caller is an AbortError and no failure of the server', async () => {
  await using server = await startServer([])
  const aborted = server.api('GET /api/services', {}, { signal: AbortSignal.abort() })
  expect(await failure(aborted)).toMatch(/^AbortError/)
})

test('a reply that is no JSON is a server error without words', async () => {
  await using server = await startServer([{ status: 404, body: '<html>proxy</html>' }])
  expect(await failure(server.api('GET /api/services', {}))).toBe('404 SERVER_ERROR ')
})

test('errors of fields and the data of a failure reach the caller', async () => {
  const body = { status: false, code: 'NO_BALANCE', message: 'm', errors: { price: ['e'] }, data: { missing: '5.00' } }
  await using server = await startServer([{ status: 422, body }])
  const error = await server.api('POST /api/logout', {}).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ errors: { price: ['e'] }, data: { missing: '5.00' } })
})

// P-9: a refusal with status 200 is never taken for the expected reply.
test('words of a reply that succeeded are told: as an error where its status is falsy', async () => {
  const bodies = [
    { status: true, message: 'Saved' },
    { status: false, message: 'Not saved' },
    { status: true, message: '' },
  ]
  await using server = await startServer(bodies.map((body) => ({ status: 200, body })))
  const ends: string[] = []
  for (const _ of bodies) ends.push(await failure(server.api('POST /api/logout', {})))
  expect(ends).toEqual(['no failure', '200 SERVER_ERROR Not saved', 'no failure'])
  expect(server.events).toEqual(['info: Saved', 'error: Not saved'])
})

test.each([
  [{ a: '', b: null, c: undefined, d: 0, e: false }, '?d=0&e=false'],
  [{ ids: [1, 2, 3], none: [] }, '?ids=1%2C2%2C3'],
  [{ search: 'код +7' }, '?search=%D0%BA%D0%BE%D0%B4+%2B7'],
  [{}, ''],
])('5.5: the query of %j is %s', (input, query) => {
  expect(toQuery(input)).toBe(query)
})

test('a value in a path is escaped and leaves the rest of the input', () => {
  expect(fillPath('/api/{type}/{id}', { type: 'service', id: 'a/b', note: 1 })).toEqual({
    path: '/api/service/a%2Fb',
    rest: { note: 1 },
  })
})

// A navigation once hung twice for 15 s after a 503, because each attempt had its own time-out.
test.each<[string, Answer[], number]>([
  ['a 503 and then silence', [{ status: 503 }, 'silence'], 2],
  ['silence, which is not asked again', ['silence', { status: 200 }], 1],
])('one limit for both tries: %s', async (_, answers, asked) => {
  const limits: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  await using server = await startServer(answers)
  const failed = failure(server.api('GET /api/content/settings', {}))
  await server.silence
  limits[0]?.abort(new DOMException('time is over', 'TimeoutError'))
  expect(await failed).toBe('0 NO_REPLY ')
  expect(server.heard).toHaveLength(asked)
  expect(limits).toHaveLength(1)
})
