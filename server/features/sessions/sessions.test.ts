import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/features/users/queries.ts'
import { cleanUp } from '#server/jobs/clean-up.ts'
import { count } from '#test/activation-rows.ts'
import { call, toRefusal } from '#test/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness.ts'
import { listen } from '#test/live-listener.ts'

type Cookies = { access: string; refresh: string; device: string; lines: string[] }

function cookiesOf(response: Response): Cookies {
  const lines = response.headers.getSetCookie()
  const named = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.split(/[=;]/)[1] ?? ''
  return { access: named('auth_token'), refresh: named('refresh_token'), device: named('device'), lines }
}

async function signIn(t: TestApp, user: TestUser): Promise<Cookies> {
  const body = JSON.stringify({ email: user.email, password: user.password })
  const response = await t.fetch('/api/login', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  expect(response.status).toBe(200)
  return cookiesOf(response)
}

const refresh = (t: TestApp, token: string, headers: Record<string, string> = { origin: t.url }) =>
  t.fetch('/api/refresh', { method: 'POST', headers: { cookie: `refresh_token=${token}`, ...headers } })

const isKnown = async (t: TestApp, token: string) => (await t.fetch('/api/user', { token })).status === 200

// Checklist 1.1, 3.1, 3.2, 7.2: signing in gives the user and a bearer token; the cookies are out of reach of scripts.
test('signing in gives the user, a bearer token and two HttpOnly cookies', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ balance: '12.50', email: 'Buyer@Example.test' })
  const login = { email: '  bUYER@example.TEST ', password: user.password }
  const reply = await call(t, 'POST /api/login', login)
  const shown = {
    id: user.id,
    email: 'Buyer@Example.test',
    name: 'Buyer',
    role: 'user',
    balance: '12.50',
    held: '0.00',
    currency: 'rub',
    notifications_count: 0,
    activations: { count: 0, rent_count: 0 },
    settings: { copying_code: true, confirmation_actions: false, sound_new_sms: true },
  }
  expect(reply).toEqual({ status: true, token: expect.stringMatching(/^[\w-]{43}$/), user: shown })
  expect(await call(t, 'GET /api/user', {}, { token: reply.token })).toEqual(shown)
  const { access, refresh: refreshToken, device, lines } = await signIn(t, { ...user, email: login.email })
  expect(lines).toEqual([
    `auth_token=${access}; Max-Age=900; Path=/; HttpOnly; SameSite=Lax`,
    `refresh_token=${refreshToken}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    `device=${device}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax`,
  ])
  expect(device).toMatch(/^[\w-]{22}$/)
  // Nothing that could be used is in the database.
  const { rows } = await t.ctx.db.query<{ row: string }>({
    text: 'SELECT sessions::text AS row FROM sessions UNION ALL SELECT refresh_tokens::text FROM refresh_tokens',
  })
  for (const { row } of rows) expect(row).not.toMatch(new RegExp(`${access}|${refreshToken}|${device}|${reply.token}`))
})

test('cookies are Secure where the service is reached by TLS', async () => {
  await using t = await startTestApp({ config: { publicUrl: new URL('https://ringpost.example') } })
  const { lines } = await signIn(t, await t.makeUser())
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).toContain('; Secure')
})

test('a refresh gives one successor to two tabs within a minute, and the old access token is over', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const first = await signIn(t, user)
  const [one, two] = await Promise.all([refresh(t, first.refresh), refresh(t, first.refresh)])
  expect([one.status, two.status]).toEqual([200, 200])
  const second = cookiesOf(one)
  expect(cookiesOf(two)).toEqual(second)
  expect(second.refresh).not.toBe(first.refresh)
  expect(await one.json()).toMatchObject({ status: true, token: second.access, user: { id: user.id } })
  expect([await isKnown(t, first.access), await isKnown(t, second.access)]).toEqual([false, true])
  t.clock.advance(60 * SECOND)
  expect(cookiesOf(await refresh(t, first.refresh))).toEqual(second)
  expect(await count(t.ctx, 'refresh_tokens WHERE spent_at IS NOT NULL')).toBe(1)
})

test('a slow tab gets what the quick ones have, even when they have refreshed twice meanwhile', async () => {
  await using t = await startTestApp()
  const first = await signIn(t, await t.makeUser())
  const second = cookiesOf(await refresh(t, first.refresh))
  const third = cookiesOf(await refresh(t, second.refresh))
  t.clock.advance(30 * SECOND)
  const slow = await refresh(t, first.refresh)
  expect([slow.status, cookiesOf(slow)]).toEqual([200, third])
  expect(await isKnown(t, third.access)).toBe(true)
  expect((await refresh(t, third.refresh)).status).toBe(200)
})

test('of twenty refreshes at once with one token, all get the same successor', async () => {
  await using t = await startTestApp()
  const first = await signIn(t, await t.makeUser())
  const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(t, first.refresh)))
  const [one] = replies.map(cookiesOf)
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200))
  expect(replies.map(cookiesOf)).toEqual(replies.map(() => one))
  expect(await count(t.ctx, 'refresh_tokens WHERE spent_at IS NOT NULL')).toBe(1)
  expect(await isKnown(t, one?.access ?? '')).toBe(true)
})

test('an older refresh token used again ends the session, and closes its live socket with 4009', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const stolen = await signIn(t, user)
  const owned = cookiesOf(await refresh(t, stolen.refresh))
  using live = await listen(t, { ...user, token: owned.access })
  using elsewhere = await listen(t, user)
  t.clock.advance(60 * SECOND + 1)
  const replay = await refresh(t, stolen.refresh)
  expect(toRefusal(replay, await replay.json()).body.code).toBe('UNAUTHENTICATED')
  expect((await live.closed).code).toBe(4009)
  expect(await isKnown(t, owned.access)).toBe(false)
  expect((await refresh(t, owned.refresh)).status).toBe(401)
  // The session of the same user on another device goes on.
  expect(await isKnown(t, user.token)).toBe(true)
  t.ctx.realtime.publish(`private-user.${user.id}`, 'BalanceTopup', { balance: '1.00', currency: 'rub' })
  expect(await elsewhere.next('BalanceTopup')).toEqual({ balance: '1.00', currency: 'rub' })
})

test('a refresh needs the cookie, an unspent token of a session that is alive, and our own origin', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { refresh: token } = await signIn(t, user)
  const codeOf = async (reply: Response) => `${reply.status} ${toRefusal(reply, await reply.json()).body.code}`
  for (const origin of ['https://evil.example', 'null', 'nonsense', `${t.url}.evil.example`]) {
    expect(await codeOf(await refresh(t, token, { origin })), origin).toBe('403 FORBIDDEN')
  }
  expect(await codeOf(await refresh(t, token, {}))).toBe('403 FORBIDDEN')
  expect(await codeOf(await refresh(t, ''))).toBe('401 UNAUTHENTICATED')
  expect(await codeOf(await refresh(t, 'x'.repeat(43)))).toBe('401 UNAUTHENTICATED')
  expect((await refresh(t, token, { origin: t.ctx.config.publicUrl.origin })).status).toBe(200)
  const late = await signIn(t, user)
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  expect(await codeOf(await refresh(t, late.refresh))).toBe('401 UNAUTHENTICATED')
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: null })
  t.clock.advance(30 * DAY)
  expect(await codeOf(await refresh(t, late.refresh))).toBe('401 UNAUTHENTICATED')
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'refresh_tokens')).toBe(0)
})

test('an access token lives for fifteen minutes, to the millisecond', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  t.clock.advance(15 * MINUTE - 1)
  expect(await isKnown(t, user.token)).toBe(true)
  t.clock.advance(1)
  expect(await isKnown(t, user.token)).toBe(false)
})

// Checklist 4.2: signing out ends the session, its cookies and its live socket.
test('signing out ends this session only, and its live socket', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const here = await signIn(t, user)
  const there = await signIn(t, user)
  using live = await listen(t, { ...user, token: here.access })
  const reply = await t.fetch('/api/logout', { method: 'POST', token: here.access })
  expect([reply.status, await reply.json()]).toEqual([200, { status: true }])
  expect(cookiesOf(reply)).toMatchObject({ access: '', refresh: '' })
  expect((await live.closed).code).toBe(4009)
  expect([await isKnown(t, here.access), await isKnown(t, there.access)]).toEqual([false, true])
  expect((await refresh(t, here.refresh)).status).toBe(401)
  expect((await refresh(t, there.refresh)).status).toBe(200)
})

test('signing out with a token that has run out is not taken for signed out: the page refreshes first', async () => {
  await using t = await startTestApp()
  const old = await signIn(t, await t.makeUser())
  t.clock.advance(15 * MINUTE)
  const early = await t.fetch('/api/logout', { method: 'POST', token: old.access })
  expect(toRefusal(early, await early.json()).body.code).toBe('UNAUTHENTICATED')
  const renewed = cookiesOf(await refresh(t, old.refresh))
  const reply = await t.fetch('/api/logout', { method: 'POST', token: renewed.access })
  expect(reply.status).toBe(200)
  expect((await refresh(t, renewed.refresh)).status).toBe(401)
})
