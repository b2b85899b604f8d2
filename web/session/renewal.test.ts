import { expect, test, vi } from 'vitest'
import { failure, REFRESHED, startServer, UNAUTHENTICATED } from '#test/components/answering-server.ts'

test('a 401 is refreshed once, and the call is made again with the new token', async () => {
  await using server = await startServer([UNAUTHENTICATED, REFRESHED, { status: 200, body: { id: 1 } }])
  expect(await server.api('GET /api/user', {})).toEqual({ id: 1 })
  expect(server.lines()).toEqual([
    'GET /api/user Bearer first',
    'POST /api/refresh Bearer first',
    'GET /api/user Bearer second',
  ])
})

test('calls that fail together share one refresh', async () => {
  const ok = { status: 200 }
  await using server = await startServer([UNAUTHENTICATED, UNAUTHENTICATED, REFRESHED, ok, ok])
  await Promise.all([server.api('GET /api/user', {}), server.api('GET /api/services', {})])
  expect(server.lines().filter((line) => line.startsWith('POST /api/refresh'))).toHaveLength(1)
})

test('a refused refresh ends the session; the call fails as it did', async () => {
  await using server = await startServer([UNAUTHENTICATED, UNAUTHENTICATED])
  expect(await failure(server.api('GET /api/user', {}))).toBe('401 UNAUTHENTICATED Sign in')
  expect(server.events).toEqual(['expired'])
})

test('a 401 while the person signs out, or just after, is neither refreshed nor made again as nobody', async () => {
  await using server = await startServer([UNAUTHENTICATED, UNAUTHENTICATED])
  server.session.leaving = true
  expect(await failure(server.api('GET /api/user', {}))).toBe('401 UNAUTHENTICATED Sign in')
  const late = failure(server.api('GET /api/user', {}))
  server.session.token = null
  server.session.signedIn = false
  expect(await late).toBe('401 UNAUTHENTICATED Sign in')
  expect(server.lines()).toEqual(['GET /api/user Bearer first', 'GET /api/user Bearer first'])
  expect(server.events).toEqual([])
})

test('a refresh that is refused while the person signs out ends nothing and is told to nobody', async () => {
  const answer = Promise.withResolvers<void>()
  await using server = await startServer([UNAUTHENTICATED, { ...UNAUTHENTICATED, hold: answer.promise }])
  const call = failure(server.api('GET /api/user', {}))
  await vi.waitUntil(() => server.heard.length === 2, { timeout: 10_000 })
  server.session.leaving = true
  answer.resolve()
  expect(await call).toBe('401 UNAUTHENTICATED Sign in')
  expect(server.events).toEqual([])
  server.session.token = null
  expect(await failure(server.api('GET /api/user', {}))).toBe('401 UNAUTHENTICATED ')
  expect(server.heard).toHaveLength(2)
})

test('a refresh of one person that is refused late does not end the session of another, who logged in meanwhile', async () => {
  const answer = Promise.withResolvers<void>()
  await using server = await startServer([UNAUTHENTICATED, { ...UNAUTHENTICATED, hold: answer.promise }])
  const call = failure(server.api('GET /api/user', {}))
  await vi.waitUntil(() => server.heard.length === 2, { timeout: 10_000 })
  Object.assign(server.session, { token: 'of another', userId: 2 })
  answer.resolve()
  expect(await call).toBe('401 UNAUTHENTICATED Sign in')
  expect(server.events).toEqual([])
})

test('what one person pressed is not done for another, who logged in while it was under way', async () => {
  const another = { status: 200, body: { ...REFRESHED.body, user: { id: 2 } } }
  await using server = await startServer([UNAUTHENTICATED, another])
  const input = { service_id: 'tg', country_id: 0, price: '12.00' }
  const press = failure(server.api('POST /api/v1/activations', input, { idempotencyKey: 'k1' }))
  Object.assign(server.session, { token: 'of another', userId: 2 })
  expect(await press).toBe('401 UNAUTHENTICATED Sign in')
  Object.assign(server.session, { token: null, userId: 1 })
  expect(await failure(server.api('POST /api/v1/activations', input, { idempotencyKey: 'k2' }))).toBe(
    '401 UNAUTHENTICATED ',
  )
  expect(server.lines()).toEqual(['POST /api/v1/activations Bearer first', 'POST /api/refresh nobody'])
})

test('a refresh that could not be answered does not end the session', async () => {
  await using server = await startServer([UNAUTHENTICATED, { status: 500 }])
  expect(await failure(server.api('GET /api/user', {}))).toBe('500 SERVER_ERROR ')
  expect(server.events).toEqual([])
})

test('without a bearer token, but signed in, the refresh comes first', async () => {
  await using server = await startServer([REFRESHED, { status: 200 }])
  server.session.token = null
  await server.api('GET /api/user', {})
  expect(server.lines()).toEqual(['POST /api/refresh nobody', 'GET /api/user Bearer second'])
})

test('the 401 of a visitor, and that of a wrong password, are no session to refresh', async () => {
  const wrong = { status: 401, body: { status: false, code: 'WRONG_CREDENTIALS', message: 'Wrong' } }
  await using server = await startServer([wrong, UNAUTHENTICATED])
  expect(await failure(server.api('POST /api/login', { email: 'a', password: 'b' }))).toBe(
    '401 WRONG_CREDENTIALS Wrong',
  )
  server.session.signedIn = false
  server.session.token = null
  expect(await failure(server.api('GET /api/user', {}))).toBe('401 UNAUTHENTICATED Sign in')
  expect(server.lines()).toHaveLength(2)
})
