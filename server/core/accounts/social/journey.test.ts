import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import {
  AUTH_FAILED,
  addOidcHouse,
  comeBack,
  LINK_CALLBACK,
  leave,
  REDIRECT,
  turnedAway,
} from '#test/builders/social-visit.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('the way to a provider carries state, nonce and PKCE, and the database keeps none of them readable', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const { url, setCookie } = await leave(t, 'google')
  const asked = Object.fromEntries(new URL(url).searchParams)
  const random = expect.stringMatching(/^[\w-]{43}$/)
  expect(asked).toEqual({
    client_id: house.clientId,
    response_type: 'code',
    redirect_uri: `${t.url}/auth/google/callback`,
    scope: 'openid profile email',
    state: random,
    nonce: random,
    code_challenge: random,
    code_challenge_method: 'S256',
  })
  expect(setCookie).toMatch(/^auth_state=[\w-]{43}; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Lax$/)
  const { rows } = await t.ctx.db.query({ text: 'SELECT * FROM auth_requests' })
  const stored = JSON.stringify(rows)
  const secrets = [asked.state, asked.nonce, setCookie.split(/[=;]/)[1], 'redirectUri', 'callback']
  for (const secret of secrets) expect(stored).not.toContain(secret)
})

test('cookies are Secure where the service is reached by TLS, and people come back to the host they left', async () => {
  const zones = [
    { name: 'ru', hosts: ['ringpost.test'], currency: 'rub', locales: ['ru', 'en'] },
    { name: 'com', hosts: ['127.0.0.1'], currency: 'usd', locales: ['en'] },
  ]
  await using t = await startTestApp({
    config: { demo: false },
    environment: { PUBLIC_URL: 'https://ringpost.test:8443', ZONES: JSON.stringify(zones) },
  })
  await using _house = await addOidcHouse(t, 'telegram')
  const away = await leave(t, 'telegram', { purpose: 'sign-in' })
  expect(away.setCookie).toMatch(/; Secure/)
  expect(new URL(away.url).searchParams.get('redirect_uri')).toBe('https://127.0.0.1:8443/auth/telegram/callback')
  t.ctx.config.zones = t.ctx.config.zones.map((zone) => ({ ...zone, hosts: ['ringpost.test'] }))
  const elsewhere = await leave(t, 'telegram')
  expect(new URL(elsewhere.url).searchParams.get('redirect_uri')).toBe(
    'https://ringpost.test:8443/auth/telegram/callback',
  )
})

test('1.19: a provider that is not set up, or hidden in the zone com, is not there, nor offered', async () => {
  await using t = await startTestApp()
  t.ctx.secrets.providers.vkontakte = { clientId: '1', clientSecret: '', issuer: null }
  expect(await refused(t, REDIRECT, { provider: 'google' })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  const offered = async () => (await call(t, 'GET /api/content/settings', {})).authProviders
  expect(await offered()).toEqual(['vkontakte'])
  t.ctx.config.zones = t.ctx.config.zones.map((zone) => ({ ...zone, name: 'com' }))
  expect(await offered()).toEqual([])
  expect(await refused(t, REDIRECT, { provider: 'vkontakte' })).toMatchObject({ status: 404 })
  expect(await refused(t, REDIRECT, { provider: 'facebook' })).toMatchObject({
    status: 422,
    body: { errors: { provider: [expect.any(String)] } },
  })
  const { token } = await t.makeUser()
  const back = { query: { state: 'x', code: 'y' }, cookie: 'auth_state=z' }
  for (const way of [{}, { key: LINK_CALLBACK, token }] as const) {
    expect(await turnedAway(t, 'google', { ...back, ...way })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  }
})

test('a state is good once, for its own browser, provider and purpose, and for ten minutes', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  await using _telegram = await addOidcHouse(t, 'telegram')
  const user = await t.makeUser()
  const away = await leave(t, 'google')
  const query = await house.visit(away.url)
  const { cookie } = away
  const foreign = (await leave(t, 'google')).cookie
  expect(foreign).not.toBe(cookie)
  const tries = [
    { query },
    { query, cookie: foreign },
    { query, cookie: 'auth_state=' },
    { query, cookie: `${cookie}x` },
    { query: { ...query, state: 'A'.repeat(43) }, cookie },
    { query: { code: query.code ?? '' }, cookie },
    { query, cookie, key: 'GET /api/auth/{service}/link-callback' as const, token: user.token },
  ]
  for (const one of tries) expect(await turnedAway(t, 'google', one)).toEqual(AUTH_FAILED)
  expect(await turnedAway(t, 'telegram', { query, cookie })).toEqual(AUTH_FAILED)
  expect(await comeBack(t, 'google', { query, cookie })).toMatchObject({ status: true })
  expect(await turnedAway(t, 'google', { query, cookie })).toEqual(AUTH_FAILED)
  const late = await leave(t, 'google')
  const lateQuery = await house.visit(late.url)
  t.clock.advance(10 * MINUTE)
  expect(await turnedAway(t, 'google', { query: lateQuery, cookie: late.cookie })).toEqual(AUTH_FAILED)
})

test('a code is good once, also under a fresh state of the same browser', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const first = await leave(t, 'google')
  const { cookie } = first
  const query = await house.visit(first.url)
  expect(await comeBack(t, 'google', { query, cookie })).toMatchObject({ status: true })
  const second = await leave(t, 'google', { cookie })
  expect(second.cookie).toBe(cookie)
  const state = new URL(second.url).searchParams.get('state') ?? ''
  expect(await turnedAway(t, 'google', { query: { ...query, state }, cookie })).toEqual(AUTH_FAILED)
  expect(t.log.lines).toContainEqual({
    level: 'warn',
    fields: expect.objectContaining({ provider: 'google', answered: 'invalid_grant' }),
    sentence: 'a social sign-in failed',
  })
})

test.each(['nonce', 'code_challenge'])('a code that was asked for with another %s is refused', async (name) => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const { url, cookie } = await leave(t, 'google')
  const changed = new URL(url)
  changed.searchParams.set(name, 'B'.repeat(43))
  expect(await turnedAway(t, 'google', { query: await house.visit(changed.href), cookie })).toEqual(AUTH_FAILED)
  expect(await count(t.ctx, 'users')).toBe(0)
})

test('an answer that names another issuer, and one whose signature is not by the named keys, are refused', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const mixed = await leave(t, 'google')
  const query = { ...(await house.visit(mixed.url)), iss: 'https://evil.test' }
  expect(await turnedAway(t, 'google', { query, cookie: mixed.cookie })).toEqual(AUTH_FAILED)
  house.mood = 'forger'
  const forged = await leave(t, 'google')
  const forgedQuery = await house.visit(forged.url)
  expect(await turnedAway(t, 'google', { query: forgedQuery, cookie: forged.cookie })).toEqual(AUTH_FAILED)
  expect(house.asked).toContain('/jwks')
  expect(await count(t.ctx, 'users')).toBe(0)
})

test('who says no at the provider is turned away with plain words, and the state is used up', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const { url, cookie } = await leave(t, 'google')
  const query = await house.visit(url)
  const state = query.state ?? ''
  const denied = await turnedAway(t, 'google', { query: { error: 'access_denied', state }, cookie })
  expect(denied).toMatchObject({ status: 422, code: 'AUTH_FAILED' })
  expect(denied.body.message).toMatch(/^Войти через этот сервис не получилось/)
  expect(await turnedAway(t, 'google', { query, cookie })).toEqual(AUTH_FAILED)
})

test('a provider that is away costs the sign-in, not the service, and is asked again by the next', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  house.mood = 'away'
  expect(await refused(t, REDIRECT, { provider: 'google' })).toMatchObject({
    status: 422,
    body: { code: 'AUTH_FAILED' },
  })
  house.mood = 'well'
  const { url, cookie } = await leave(t, 'google')
  const query = await house.visit(url)
  house.mood = 'away'
  expect(await turnedAway(t, 'google', { query, cookie })).toEqual(AUTH_FAILED)
  house.mood = 'well'
  const again = await leave(t, 'google')
  const { token } = await comeBack(t, 'google', { query: await house.visit(again.url), cookie: again.cookie })
  expect(token).toMatch(/^[\w-]{43}$/)
  const log = JSON.stringify(t.log.lines)
  for (const secret of [query.code, query.state, house.clientSecret, token]) expect(log).not.toContain(secret)
})

test('endpoints are discovered once an hour', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  await Promise.all([leave(t, 'google'), leave(t, 'google'), leave(t, 'google')])
  const discovered = () => house.asked.filter((path) => path === '/.well-known/openid-configuration').length
  expect(discovered()).toBe(1)
  t.clock.advance(HOUR)
  await leave(t, 'google')
  expect(discovered()).toBe(2)
})

// Security finding S-9: each address of an IPv6 network had a rate limit of its own.
test('one network leaves twenty times a minute at most, and what it left behind is cleaned up', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  await using _house = await addOidcHouse(t, 'google')
  const from = (time: number) => ({ headers: { 'x-forwarded-for': `2001:db8:7:7::${time}` } })
  for (let time = 0; time < 20; time += 1) await call(t, REDIRECT, { provider: 'google' }, from(time))
  const stopped = await refused(t, REDIRECT, { provider: 'google' }, from(20))
  expect(stopped).toMatchObject({ status: 429, retryAfter: '3', body: { code: 'TOO_MANY_REQUESTS' } })
  t.clock.advance(9 * MINUTE)
  await leave(t, 'google')
  t.clock.advance(1 * MINUTE)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'auth_requests')).toBe(1)
})
