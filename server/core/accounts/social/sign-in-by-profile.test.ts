import { expect, test } from 'vitest'
import { beginSetUp, confirmSetUp } from '#server/core/accounts/two-factor/queries.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { count } from '#test/builders/activation-rows.ts'
import { addOidcHouse, addVkHouse, comeBack, leave, turnedAway } from '#test/builders/social-visit.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const userRow = async (t: TestApp, id: number) => {
  const { rows } = await t.ctx.db.query<Record<string, unknown>>({
    text: `SELECT email, name, password_hash, zone, locale, email_verified_at IS NOT NULL AS verified, referrer_id, utm
      FROM users WHERE id = $1`,
    values: [id],
  })
  return rows[0]
}

test('a newcomer gets an account with the proved e-mail, and is the same person the next time', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const referrer = await t.makeUser()
  house.person = { sub: '1084', name: 'Anna K', email: 'Anna@Gmail.test', email_verified: true }
  const away = await leave(t, 'google')
  const utm = { utm_source: 'tg', utm_campaign: '\u0432\u0435\u0441\u043d\u0430', other: 'x' }
  const headers = {
    locale: 'en',
    'referral-id': String(referrer.id),
    'utm-data': JSON.stringify(utm).replaceAll(/[^\0-\x7f]/g, (c) => `\\u0${c.charCodeAt(0).toString(16)}`),
  }
  const first = await comeBack(t, 'google', { query: await house.visit(away.url), cookie: away.cookie, headers })
  expect(first.user).toMatchObject({ email: 'anna@gmail.test', name: 'Anna K', currency: 'rub', balance: '0.00' })
  expect(await userRow(t, first.user.id)).toEqual({
    email: 'anna@gmail.test',
    name: 'Anna K',
    password_hash: null,
    zone: 'ru',
    locale: 'en',
    verified: true,
    referrer_id: referrer.id,
    utm: { utm_source: 'tg', utm_campaign: 'весна' },
  })
  expect(await call(t, 'GET /api/user', {}, { token: first.token })).toMatchObject({ id: first.user.id })
  house.person = { sub: '1084', name: 'Other', email: 'other@gmail.test', email_verified: true }
  const again = await leave(t, 'google')
  const second = await comeBack(t, 'google', {
    query: await house.visit(again.url),
    cookie: again.cookie,
    headers: { 'referral-id': '77', 'utm-data': '{"utm_source":"later"}' },
  })
  expect(second.user).toMatchObject({ id: first.user.id, email: 'anna@gmail.test', name: 'Anna K' })
  expect(await userRow(t, first.user.id)).toMatchObject({ referrer_id: referrer.id, utm: { utm_source: 'tg' } })
})

test('the same id at another provider is another person, and tokens come as cookies too', async () => {
  await using t = await startTestApp()
  await using google = await addOidcHouse(t, 'google')
  await using telegram = await addOidcHouse(t, 'telegram')
  google.person = { sub: '42', name: 'Google' }
  telegram.person = { sub: '42', preferred_username: 'anna_tg' }
  const toGoogle = await leave(t, 'google')
  const one = await comeBack(t, 'google', { query: await google.visit(toGoogle.url), cookie: toGoogle.cookie })
  const toTelegram = await leave(t, 'telegram')
  expect(new URL(toTelegram.url).searchParams.get('scope')).toBe('openid profile')
  const query = await telegram.visit(toTelegram.url)
  const response = await t.fetch(`/api/auth/telegram/callback?${new URLSearchParams(query)}`, {
    headers: { cookie: toTelegram.cookie },
  })
  expect(response.headers.getSetCookie().map((line) => line.split('=')[0])).toEqual(
    expect.arrayContaining(['auth_token', 'refresh_token']),
  )
  const two = (await response.json()) as typeof one
  expect(two.user).toMatchObject({ name: 'anna_tg', email: '' })
  expect(two.user.id).not.toBe(one.user.id)
})

test('a proved e-mail that has an account is refused with words, an unproved one is left out', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const owner = await t.makeUser({ email: 'Owner@example.test' })
  house.person = { sub: '1', email: 'owner@EXAMPLE.test', email_verified: true }
  const away = await leave(t, 'google')
  const taken = await turnedAway(t, 'google', { query: await house.visit(away.url), cookie: away.cookie })
  expect(taken).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' })
  expect(taken.body.message).toMatch(/привяжите профиль в настройках/)
  expect(await count(t.ctx, 'users')).toBe(1)
  expect(await count(t.ctx, 'identities')).toBe(0)
  for (const email_verified of [false, 'true' as unknown as boolean]) {
    house.person = { sub: `of ${email_verified}`.replace(' ', '-'), email: 'owner@example.test', email_verified }
    const next = await leave(t, 'google')
    const { user } = await comeBack(t, 'google', { query: await house.visit(next.url), cookie: next.cookie })
    expect(user).toMatchObject({ email: '' })
    expect(user.id).not.toBe(owner.id)
    expect(await userRow(t, user.id)).toMatchObject({ email: null, verified: false })
  }
})

test('two callbacks at once for a new profile make one account', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  for (const person of [
    { sub: 'with-mail', email: 'twin@example.test', email_verified: true },
    { sub: 'without-mail', name: 'Twin' },
  ]) {
    house.person = person
    const before = await count(t.ctx, 'users')
    const aways = await Promise.all([1, 2, 3, 4].map(() => leave(t, 'google')))
    const queries = await Promise.all(aways.map(({ url }) => house.visit(url)))
    const replies = await Promise.all(
      aways.map(({ cookie }, place) => comeBack(t, 'google', { query: queries[place] ?? {}, cookie })),
    )
    expect(new Set(replies.map(({ user }) => user.id)).size).toBe(1)
    expect((await count(t.ctx, 'users')) - before).toBe(1)
  }
})

test('a blocked person is let in to support alone', async () => {
  await using t = await startTestApp()
  await using house = await addVkHouse(t)
  const first = await leave(t, 'vkontakte')
  const { user } = await comeBack(t, 'vkontakte', { query: await house.visit(first.url), cookie: first.cookie })
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  const again = await leave(t, 'vkontakte')
  const back = await comeBack(t, 'vkontakte', { query: await house.visit(again.url), cookie: again.cookie })
  expect(back.user).toMatchObject({ id: user.id, blocked: true })
  expect(await refused(t, 'GET /api/v1/user/sessions', {}, { token: back.token })).toMatchObject({
    body: { code: 'BLOCKED' },
  })
})

test('with two-factor on, the way in goes on with a token that is used once', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const first = await leave(t, 'google')
  const { user } = await comeBack(t, 'google', { query: await house.visit(first.url), cookie: first.cookie })
  const now = t.clock.now()
  await beginSetUp(t.ctx.db, { userId: user.id, secret: {}, now })
  await confirmSetUp(t.ctx.db, { userId: user.id, secret: {}, step: 1n, now })
  const sessions = await count(t.ctx, 'sessions')
  const again = await leave(t, 'google')
  const refusal = await turnedAway(t, 'google', { query: await house.visit(again.url), cookie: again.cookie })
  expect(refusal).toMatchObject({ status: 422, code: 'NEED_2FA_CODE' })
  expect(refusal.body.data).toEqual({ action: 'need-2fa-code', pending_token: expect.stringMatching(/^[\w-]{43}$/) })
  expect(await count(t.ctx, 'sessions')).toBe(sessions)
})

test('an account opens in the currency of the zone the newcomer came through', async () => {
  const zones = [{ name: 'com', hosts: ['127.0.0.1'], currency: 'usd', locales: ['en'] }]
  await using t = await startTestApp({
    environment: { ZONES: JSON.stringify(zones) },
  })
  await using house = await addOidcHouse(t, 'google')
  const away = await leave(t, 'google')
  const { user } = await comeBack(t, 'google', { query: await house.visit(away.url), cookie: away.cookie })
  expect(user.currency).toBe('usd')
  expect(await userRow(t, user.id)).toMatchObject({ zone: 'com', locale: 'en' })
})
