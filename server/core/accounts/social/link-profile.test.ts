import { expect, test } from 'vitest'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { count } from '#test/builders/activation-rows.ts'
import { holdUser } from '#test/builders/held-row.ts'
import { sentMails } from '#test/builders/mails.ts'
import {
  AUTH_FAILED,
  addOidcHouse,
  addVkHouse,
  comeBack,
  IDENTITIES,
  LINK_CALLBACK,
  leave,
  REDIRECT,
  turnedAway,
} from '#test/builders/social-visit.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const UNLINK = 'DELETE /api/v1/user/identities/{provider}'
type House = { visit(url: string): Promise<Record<string, string>> }
type Provider = 'google' | 'telegram' | 'vkontakte'

async function goLinking(t: TestApp, house: House, provider: Provider, user: TestUser) {
  const away = await leave(t, provider, { purpose: 'link', token: user.token })
  return { query: await house.visit(away.url), cookie: away.cookie }
}

async function link(t: TestApp, house: House, provider: Provider, user: TestUser) {
  const { query, cookie } = await goLinking(t, house, provider, user)
  return call(t, LINK_CALLBACK, { service: provider, ...query }, { headers: { cookie }, token: user.token })
}

test('a linked profile is listed, told by mail, and signs in the same account', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  await using _vk = await addVkHouse(t)
  const user = await t.makeUser()
  const mine = { token: user.token }
  const nothing = { name: null, linked_at: null }
  expect(await call(t, IDENTITIES, {}, mine)).toEqual({
    status: true,
    identities: [
      { provider: 'google', ...nothing },
      { provider: 'vkontakte', ...nothing },
    ],
  })
  house.person = { sub: 'g-1', name: 'Anna', email: user.email, email_verified: true }
  const away = await leave(t, 'google', { purpose: 'link', ...mine })
  expect(new URL(away.url).searchParams.get('redirect_uri')).toMatch(/\/auth\/google\/link-callback$/)
  expect(await link(t, house, 'google', user)).toEqual({ status: true })
  const linkedAt = t.clock.now().toISOString()
  const listed = { provider: 'google', name: 'Anna', linked_at: linkedAt }
  expect((await call(t, IDENTITIES, {}, mine)).identities).toEqual([listed, { provider: 'vkontakte', ...nothing }])
  expect(await sentMails(t)).toEqual([
    { to: user.email, locale: 'ru', mail: { kind: 'identity-linked', provider: 'google' } },
  ])
  const back = await leave(t, 'google')
  const reply = await comeBack(t, 'google', { query: await house.visit(back.url), cookie: back.cookie })
  expect(reply.user.id).toBe(user.id)
  t.clock.advance(1000)
  expect(await link(t, house, 'google', user)).toEqual({ status: true })
  expect((await call(t, IDENTITIES, {}, mine)).identities[0]).toEqual(listed)
  expect(await sentMails(t)).toHaveLength(1)
})

test('another profile of the same provider takes the place of the first, and the owner hears of it', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const user = await t.makeUser()
  for (const name of ['First', 'Second']) {
    house.person = { sub: name, name }
    await link(t, house, 'google', user)
  }
  const { identities } = await call(t, IDENTITIES, {}, { token: user.token })
  expect(identities).toMatchObject([{ provider: 'google', name: 'Second' }])
  expect(await sentMails(t)).toHaveLength(2)
  house.person = { sub: 'First', name: 'First' }
  const back = await leave(t, 'google')
  const reply = await comeBack(t, 'google', { query: await house.visit(back.url), cookie: back.cookie })
  expect(reply.user.id).not.toBe(user.id)
})

test("a profile of another account stays that account's", async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const [owner, other] = [await t.makeUser(), await t.makeUser()]
  await link(t, house, 'google', owner)
  const taken = async () => {
    const back = await goLinking(t, house, 'google', other)
    return turnedAway(t, 'google', { ...back, key: LINK_CALLBACK, token: other.token })
  }
  expect(await taken()).toMatchObject({ status: 409, code: 'IDENTITY_TAKEN' })
  const { person } = house
  house.person = { sub: 'of the other'.replaceAll(' ', '-') }
  await link(t, house, 'google', other)
  house.person = person
  expect(await taken()).toMatchObject({ status: 409, code: 'IDENTITY_TAKEN' })
  expect(await count(t.ctx, 'identities WHERE user_id = $1', [owner.id])).toBe(1)
  expect((await sentMails(t)).map(({ to }) => to)).toEqual([owner.email, other.email])
})

test('only the person who set out may finish, signed in, in the same browser', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const { query, cookie } = await goLinking(t, house, 'google', user)
  const key = LINK_CALLBACK
  expect(await turnedAway(t, 'google', { query, cookie, key })).toMatchObject({ status: 401 })
  expect(await turnedAway(t, 'google', { query, cookie, key, token: other.token })).toEqual(AUTH_FAILED)
  expect(await turnedAway(t, 'google', { query, key, token: user.token })).toEqual(AUTH_FAILED)
  expect(await turnedAway(t, 'google', { query, cookie })).toEqual(AUTH_FAILED)
  const foreign = (await leave(t, 'google')).cookie
  expect(await turnedAway(t, 'google', { query, cookie: foreign, key, token: user.token })).toEqual(AUTH_FAILED)
  expect(await count(t.ctx, 'identities')).toBe(0)
  const done = await call(t, key, { service: 'google', ...query }, { headers: { cookie }, token: user.token })
  expect(done).toEqual({ status: true })
  expect(await turnedAway(t, 'google', { query, cookie, key, token: user.token })).toEqual(AUTH_FAILED)
})

test('visitors, API keys and blocked people change no ways in', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const user = await t.makeUser()
  await link(t, house, 'google', user)
  const token = await t.makeApiKey(user)
  const google = { provider: 'google' }
  const asLink = { ...google, purpose: 'link' }
  expect(await refused(t, REDIRECT, asLink)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  expect(await refused(t, REDIRECT, { ...google, purpose: 'own' })).toMatchObject({ status: 422 })
  expect(await refused(t, IDENTITIES, {})).toMatchObject({ status: 401 })
  expect(await refused(t, UNLINK, google)).toMatchObject({ status: 401 })
  const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } }
  expect(await refused(t, REDIRECT, asLink, { token })).toMatchObject(FORBIDDEN)
  expect(await refused(t, LINK_CALLBACK, { service: 'google' }, { token })).toMatchObject(FORBIDDEN)
  expect(await refused(t, IDENTITIES, {}, { token })).toMatchObject(FORBIDDEN)
  expect(await refused(t, UNLINK, google, { token })).toMatchObject(FORBIDDEN)
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  expect((await refused(t, UNLINK, google, { token: user.token })).body.code).toBe('BLOCKED')
  expect(await count(t.ctx, 'identities')).toBe(1)
})

test('a profile is unlinked when a password stays, and is then a stranger', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  await link(t, house, 'google', user)
  expect(await refused(t, UNLINK, { provider: 'google' }, { token: other.token })).toMatchObject({ status: 404 })
  expect(await refused(t, UNLINK, { provider: 'telegram' }, { token: user.token })).toMatchObject({ status: 404 })
  expect(await refused(t, UNLINK, { provider: 'myspace' }, { token: user.token })).toMatchObject({ status: 422 })
  expect(await call(t, UNLINK, { provider: 'google' }, { token: user.token })).toEqual({ status: true })
  expect(await refused(t, UNLINK, { provider: 'google' }, { token: user.token })).toMatchObject({ status: 404 })
  const back = await leave(t, 'google')
  const reply = await comeBack(t, 'google', { query: await house.visit(back.url), cookie: back.cookie })
  expect(reply.user.id).not.toBe(user.id)
})

test('the last way in stays, also when the last two are taken at once, or one is at a provider that is gone', async () => {
  await using t = await startTestApp()
  await using google = await addOidcHouse(t, 'google')
  await using vk = await addVkHouse(t)
  const away = await leave(t, 'google')
  const { token, user } = await comeBack(t, 'google', { query: await google.visit(away.url), cookie: away.cookie })
  const LAST = { status: 409, body: { code: 'LAST_WAY_IN' } }
  expect(await refused(t, UNLINK, { provider: 'google' }, { token })).toMatchObject(LAST)
  await t.ctx.db.query({ text: `UPDATE users SET password_hash = 'x' WHERE id = $1`, values: [user.id] })
  expect(await refused(t, UNLINK, { provider: 'google' }, { token })).toMatchObject(LAST)
  const linking = await leave(t, 'vkontakte', { purpose: 'link', token })
  const query = await vk.visit(linking.url)
  await call(t, LINK_CALLBACK, { service: 'vkontakte', ...query }, { headers: { cookie: linking.cookie }, token })
  expect(await sentMails(t)).toEqual([])
  const { vkontakte } = t.ctx.secrets.providers
  delete t.ctx.secrets.providers.vkontakte
  expect(await refused(t, UNLINK, { provider: 'google' }, { token })).toMatchObject(LAST)
  expect((await call(t, IDENTITIES, {}, { token })).identities.map(({ provider }) => provider)).toContain('vkontakte')
  if (vkontakte !== undefined) t.ctx.secrets.providers.vkontakte = vkontakte
  await using row = await holdUser(t.database.connectionString, user.id)
  const taking = ['google', 'vkontakte'].map((provider) =>
    t.fetch(`/api/v1/user/identities/${provider}`, { method: 'DELETE', token }).then(({ status }) => status),
  )
  await row.waiters(2)
  await row.release()
  expect((await Promise.all(taking)).sort()).toEqual([200, 409])
  expect(await count(t.ctx, 'identities WHERE user_id = $1', [user.id])).toBe(1)
})

test('two links at once of one profile to two accounts: one has it', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const users = [await t.makeUser(), await t.makeUser()]
  const backs = await Promise.all(users.map((user) => goLinking(t, house, 'google', user)))
  const answers = await Promise.all(
    users.map((user, place) => {
      const { query = {}, cookie = '' } = backs[place] ?? {}
      const url = `/api/auth/google/link-callback?${new URLSearchParams(query)}`
      return t.fetch(url, { token: user.token, headers: { cookie } }).then(({ status }) => status)
    }),
  )
  expect(answers.sort()).toEqual([200, 409])
  expect(await count(t.ctx, 'identities')).toBe(1)
  expect(await sentMails(t)).toHaveLength(1)
})
