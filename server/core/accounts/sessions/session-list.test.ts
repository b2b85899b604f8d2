import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { call, refused, toRefusal } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const LIST = 'GET /api/v1/user/sessions'
const END = 'DELETE /api/v1/user/sessions/{id}'
const END_OTHERS = 'DELETE /api/v1/user/sessions'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function elsewhere(t: TestApp, user: TestUser, headers: Record<string, string> = {}): Promise<TestUser> {
  const login = { email: user.email, password: user.password }
  const { token } = await call(t, 'POST /api/login', login, { headers })
  return { ...user, token }
}

const isKnown = async (t: TestApp, token: string) => (await t.fetch('/api/user', { token })).status === 200

test('the list names device, address and last use; this session first, then the latest used', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const user = await t.makeUser()
  t.clock.advance(MINUTE)
  const desk = await elsewhere(t, user, { 'user-agent': CHROME, 'x-forwarded-for': '198.51.100.7' })
  t.clock.advance(MINUTE)
  const laptop = await elsewhere(t, user, { 'user-agent': FIREFOX, 'x-forwarded-for': '2001:db8::7' })
  await t.makeUser()
  const { sessions } = await call(t, LIST, {}, { token: desk.token, headers: { 'x-forwarded-for': '198.51.100.7' } })
  const ids = sessions.map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  for (const id of ids) expect(id).toMatch(/^\d+$/)
  expect(sessions.map(({ id, ...shown }) => shown)).toEqual([
    {
      device: 'Chrome, Windows',
      address: '198.51.100.7',
      current: true,
      created_at: '2026-03-01T12:01:00.000Z',
      last_used_at: '2026-03-01T12:02:00.000Z',
    },
    {
      device: 'Firefox, Linux',
      address: '2001:db8::7',
      current: false,
      created_at: '2026-03-01T12:02:00.000Z',
      last_used_at: '2026-03-01T12:02:00.000Z',
    },
    {
      device: 'Unknown',
      address: '127.0.0.1',
      current: false,
      created_at: '2026-03-01T12:00:00.000Z',
      last_used_at: '2026-03-01T12:00:00.000Z',
    },
  ])
  expect((await call(t, LIST, {}, laptop)).sessions.find(({ current }) => current)?.device).toBe('Firefox, Linux')
})

test('the last use is noted at most once a minute, with the address it came from, and at a refresh', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const user = await t.makeUser()
  const from = (address: string) => ({ token: user.token, headers: { 'x-forwarded-for': address } })
  const seen = async () => {
    const { rows } = await t.ctx.db.query<{ address: string; last_used_at: Date }>({
      text: 'SELECT address, last_used_at FROM sessions WHERE id = $1',
      values: [user.sessionId],
    })
    return [rows[0]?.address, rows[0]?.last_used_at.toISOString().slice(11, 19)]
  }
  t.clock.advance(MINUTE - 1)
  await call(t, 'GET /api/user', {}, from('198.51.100.1'))
  expect(await seen()).toEqual(['127.0.0.1', '12:00:00'])
  t.clock.advance(1)
  await call(t, 'GET /api/user', {}, from('198.51.100.2'))
  expect(await seen()).toEqual(['198.51.100.2', '12:01:00'])
  t.clock.advance(30 * SECOND)
  await call(t, 'GET /api/user', {}, from('198.51.100.3'))
  expect(await seen()).toEqual(['198.51.100.2', '12:01:00'])
})

test('a refresh counts as use', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const body = JSON.stringify({ email: user.email, password: user.password })
  const headers = { 'content-type': 'application/json' }
  const login = await t.fetch('/api/login', { method: 'POST', body, headers })
  const cookie = login.headers.getSetCookie().find((line) => line.startsWith('refresh_token=')) ?? ''
  t.clock.advance(20 * MINUTE)
  const reply = await t.fetch('/api/refresh', { method: 'POST', headers: { cookie, origin: t.url } })
  const { token } = (await reply.json()) as { token: string }
  const { sessions } = await call(t, LIST, {}, { token })
  expect(sessions[0]).toMatchObject({ current: true, last_used_at: '2026-03-01T12:20:00.000Z' })
})

test('ending one session: its token is nobody’s at once, its live socket is closed, the others go on', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const phone = await elsewhere(t, user)
  using live = await listen(t, phone)
  using mine = await listen(t, user)
  const { sessions } = await call(t, LIST, {}, phone)
  const id = sessions.find(({ current }) => current)?.id ?? ''
  await call(t, END, { id }, user)
  expect((await live.closed).code).toBe(4009)
  expect([await isKnown(t, phone.token), await isKnown(t, user.token)]).toEqual([false, true])
  const auth = await t.fetch('/broadcasting/auth', {
    method: 'POST',
    token: phone.token,
    body: new URLSearchParams({ socket_id: '1.1', channel_name: `private-user.${user.id}` }),
  })
  expect(auth.status).toBe(401)
  t.ctx.realtime.publish(`private-user.${user.id}`, 'BalanceTopup', { balance: '1.00', currency: 'rub' })
  await mine.next('BalanceTopup')
  expect((await call(t, LIST, {}, user)).sessions.map((one) => one.id)).toEqual([user.sessionId.toString()])
  expect((await refused(t, END, { id }, user)).status).toBe(404)
})

test('ending all others leaves the one that asks', async () => {
  await using t = await startTestApp()
  const [user, stranger] = [await t.makeUser(), await t.makeUser()]
  const others = [await elsewhere(t, user), await elsewhere(t, user), await elsewhere(t, user)]
  using live = await listen(t, others[0] ?? user)
  expect(await call(t, END_OTHERS, {}, user)).toEqual({ status: true, ended: 3 })
  expect((await live.closed).code).toBe(4009)
  for (const { token } of others) expect(await isKnown(t, token)).toBe(false)
  expect([await isKnown(t, user.token), await isKnown(t, stranger.token)]).toEqual([true, true])
  expect(await call(t, END_OTHERS, {}, user)).toEqual({ status: true, ended: 0 })
})

test('ending this very session is signing out: its cookies go too', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const reply = await t.fetch(`/api/v1/user/sessions/${user.sessionId}`, { method: 'DELETE', token: user.token })
  expect(reply.status).toBe(200)
  expect(reply.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual(['auth_token=', 'refresh_token='])
  expect(await isKnown(t, user.token)).toBe(false)
})

test('someone else’s session, and what is no id, is not found', async () => {
  await using t = await startTestApp()
  const [user, stranger] = [await t.makeUser(), await t.makeUser()]
  const ids = [stranger.sessionId.toString(), '0', '-1', '999999', '9'.repeat(18), '9'.repeat(30), 'abc', '1e3', '1 ']
  for (const id of ids) {
    expect([id, (await refused(t, END, { id }, user)).body.code]).toEqual([id, 'NOT_FOUND'])
  }
  expect([await isKnown(t, user.token), await isKnown(t, stranger.token)]).toEqual([true, true])
})

test('an API key manages no sessions: a program that holds one cannot sign its owner out', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const token = await t.makeApiKey(user)
  for (const [key, input] of [
    [LIST, {}],
    [END, { id: user.sessionId.toString() }],
    [END_OTHERS, {}],
    ['POST /api/v1/user/two-factor', {}],
    ['POST /api/v1/user/two-factor/confirm', { code: '123456' }],
    ['POST /api/v1/user/two-factor/disable', { code: '123456' }],
    ['POST /api/v1/user/two-factor/recovery-codes', { code: '123456' }],
  ] as const) {
    expect([key, (await refused(t, key, input, { token })).body.code]).toEqual([key, 'FORBIDDEN'])
    expect([key, (await refused(t, key, input)).body.code]).toEqual([key, 'UNAUTHENTICATED'])
  }
  await call(t, 'POST /api/logout', {}, { token })
  expect([await isKnown(t, user.token), await isKnown(t, token)]).toEqual([true, true])
})

test('a session that has run out is not listed, and is forgotten ninety days after its last use', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  t.clock.advance(31 * DAY)
  const later = await elsewhere(t, user)
  expect((await call(t, LIST, {}, later)).sessions).toHaveLength(1)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'sessions')).toBe(2)
  t.clock.advance(60 * DAY)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'sessions')).toBe(1)
})

test('a blocked person’s sessions list nothing', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  const response = await t.fetch('/api/v1/user/sessions', { token: user.token })
  expect(toRefusal(response, await response.json()).body.code).toBe('BLOCKED')
})
