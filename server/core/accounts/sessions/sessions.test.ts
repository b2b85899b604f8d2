import { expect, test } from 'vitest'
import { FIRST_SETTINGS } from '#contract/settings/user-settings.ts'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { call, send, toRefusal } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { findByRefreshToken } from './queries.ts'
import { hashToken } from './tokens.ts'

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
    debt: '0.00',
    currency: 'rub',
    created_at: expect.any(String),
    notifications_count: 0,
    open_payments: 0,
    activations: { count: 0, rent_count: 0 },
    settings: { ...FIRST_SETTINGS, locale: 'ru', copying_code: true, confirmation_actions: false, sound_new_sms: true },
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
  const { rows } = await t.ctx.db.query<{ row: string }>({
    text: 'SELECT sessions::text AS row FROM sessions UNION ALL SELECT refresh_tokens::text FROM refresh_tokens',
  })
  for (const { row } of rows) expect(row).not.toMatch(new RegExp(`${access}|${refreshToken}|${device}|${reply.token}`))
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
  const isLive = (token: string) => findByRefreshToken(t.ctx.db, { hash: hashToken(token), now: t.clock.now() })
  expect(await Promise.all([first.refresh, second.refresh].map(isLive))).toMatchObject([null, { user_id: user.id }])
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
  const renewed = await refresh(t, late.refresh)
  expect(await renewed.json()).toMatchObject({ status: true, user: { blocked: true } })
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: null })
  const latest = await signIn(t, user)
  t.clock.advance(30 * DAY)
  expect(await codeOf(await refresh(t, latest.refresh))).toBe('401 UNAUTHENTICATED')
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

// Security finding S-11: signing out by cookies alone answered true but ended no session.
test('signing out ends the session of the refresh cookie too, for a page of ours, and clears the cookies always', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const signOut = async (headers: Record<string, string>) => {
    const reply = await t.fetch('/api/logout', { method: 'POST', headers })
    return { status: reply.status, cleared: reply.headers.getSetCookie().map((line) => line.split(';')[0]) }
  }
  const cleared = ['auth_token=', 'refresh_token=']
  const cookie = ({ refresh: token }: Cookies) => `refresh_token=${token}`

  const alone = await signIn(t, user)
  using live = await listen(t, { ...user, token: alone.access })
  expect(await signOut({ cookie: cookie(alone), origin: 'https://evil.example' })).toEqual({ status: 200, cleared: [] })
  await signOut({ cookie: cookie(alone) })
  expect(await isKnown(t, alone.access)).toBe(true)
  expect(await signOut({ cookie: cookie(alone), origin: t.url })).toEqual({ status: 200, cleared })
  expect((await live.closed).code).toBe(4009)
  expect((await refresh(t, alone.refresh)).status).toBe(401)

  const dead = await signIn(t, user)
  t.clock.advance(15 * MINUTE)
  const renewed = cookiesOf(await refresh(t, dead.refresh))
  const headers = { cookie: cookie(dead), origin: t.url, authorization: `Bearer ${dead.access}` }
  expect(await signOut(headers)).toEqual({ status: 200, cleared })
  expect([await isKnown(t, renewed.access), (await refresh(t, renewed.refresh)).status]).toEqual([false, 401])
  expect(await signOut({ authorization: 'Bearer nonsense' })).toEqual({ status: 200, cleared })
  expect(await signOut({ origin: t.url })).toEqual({ status: 200, cleared })
})

test('a refresh that is refused because the session is over takes the dead cookies away', async () => {
  await using t = await startTestApp()
  const { access, refresh: token } = await signIn(t, await t.makeUser())
  await t.fetch('/api/logout', { method: 'POST', token: access })
  const reply = await refresh(t, token)
  expect([reply.status, reply.headers.getSetCookie().map((line) => line.split(';')[0])]).toEqual([
    401,
    ['auth_token=', 'refresh_token='],
  ])
  expect((await refresh(t, token, { origin: 'https://evil.example' })).headers.getSetCookie()).toEqual([])
})

// ASVS 7.3.2 requires an absolute maximum lifetime of a session.
test('a session ends after 90 days, however often it is refreshed', async () => {
  await using t = await startTestApp()
  let cookies = await signIn(t, await t.makeUser())
  for (let day = 20; day < 90; day += 20) {
    t.clock.advance(20 * DAY)
    cookies = cookiesOf(await refresh(t, cookies.refresh))
  }
  t.clock.advance(10 * DAY - MINUTE)
  cookies = cookiesOf(await refresh(t, cookies.refresh))
  expect(await isKnown(t, cookies.access)).toBe(true)
  t.clock.advance(MINUTE)
  expect([await isKnown(t, cookies.access), (await refresh(t, cookies.refresh)).status]).toEqual([false, 401])
})

// ASVS 7.2.4 requires that a new sign-in ends the former session of the browser.
test('signing in again in one browser ends what that browser had before, and nothing else', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  const before = await signIn(t, anna)
  using live = await listen(t, { ...anna, token: before.access })
  const body = JSON.stringify({ email: boris.email, password: boris.password })
  const headers = { 'content-type': 'application/json', cookie: `refresh_token=${before.refresh}`, origin: t.url }
  expect((await t.fetch('/api/login', { method: 'POST', body, headers })).status).toBe(200)
  expect((await live.closed).code).toBe(4009)
  expect([await isKnown(t, before.access), await isKnown(t, anna.token)]).toEqual([false, true])
})

// Security finding S-12: a sibling domain, or a page without TLS, could plant cookies with our names.
test('on https our own cookies carry __Host-, and those of the other name are not read', async () => {
  await using t = await startTestApp({ config: { publicUrl: new URL('https://ringpost.example') } })
  const user = await t.makeUser()
  const { lines } = await signIn(t, user)
  expect(lines).toEqual(
    ['auth_token', 'refresh_token', 'device'].map((name) =>
      expect.stringMatching(new RegExp(`^__Host-${name}=[^;]+; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Lax$`)),
    ),
  )
  const token = lines[1]?.split(/[=;]/)[1] ?? ''
  const status = async (cookie: string) =>
    (await t.fetch('/api/refresh', { method: 'POST', headers: { cookie, origin: 'https://ringpost.example' } })).status
  expect(await status(`refresh_token=${token}`)).toBe(401)
  expect(await status(`__Host-refresh_token=${token}`)).toBe(200)
  const form = {
    email: 'new@example.test',
    password: 'a fine password, that',
    password_confirmation: 'a fine password, that',
  }
  const registered = await send(t, 'POST /api/register', { ...form, agree: true })
  expect(registered.response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-registration=.*; Secure;/),
  ])
})
