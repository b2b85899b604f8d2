import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { sentMails } from '#test/builders/mails.ts'
import { codeNow } from '#test/builders/second-factor.ts'
import { addOidcHouse, comeBack, LINK_CALLBACK, leave, REDIRECT } from '#test/builders/social-visit.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const CONFIRM = 'POST /api/v1/user/confirm-password'
const SET_UP = 'POST /api/v1/user/two-factor'
const DISABLE = 'POST /api/v1/user/two-factor/disable'
const RENEW = 'POST /api/v1/user/two-factor/recovery-codes'
const UNLINK = 'DELETE /api/v1/user/identities/{provider}'
const PASSWORD = 'POST /api/v1/user/password'
const EMAIL = 'POST /api/v1/user/email'

async function stolen(t: TestApp, user: TestUser) {
  const session = await beginTestSession(t.ctx, user.id)
  t.clock.advance(5 * MINUTE)
  return session
}

const mailKinds = async (t: TestApp) => (await sentMails(t)).map(({ mail }) => mail.kind)

// Security finding S-4: a thief with a bearer token could link a profile or a second factor, which gives lasting
// access.
test('a session that is older than five minutes changes no way to sign in before the password is shown', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const user = await t.makeUser()
  const thief = await stolen(t, user)
  const tried: [CallKey, object][] = [
    [REDIRECT, { provider: 'google', purpose: 'link' }],
    [UNLINK, { provider: 'google' }],
    [SET_UP, {}],
    [DISABLE, { code: '000000' }],
    [RENEW, { code: '000000' }],
  ]
  for (const [key, input] of tried) {
    expect([key, await refused(t, key, input, thief)]).toMatchObject([
      key,
      { status: 403, body: { code: 'CONFIRM_PASSWORD', data: { action: 'confirm-password', by: 'password' } } },
    ])
  }
  const password = 'another fine password'
  const fresh = { password, password_confirmation: password }
  expect((await refused(t, PASSWORD, fresh, thief)).body.code).toBe('WRONG_PASSWORD')
  expect((await refused(t, EMAIL, { email: 'thief@example.test' }, thief)).body.code).toBe('WRONG_PASSWORD')
  expect(await refused(t, CONFIRM, { password: 'a guess' }, thief)).toMatchObject({
    status: 422,
    body: { code: 'WRONG_PASSWORD', errors: { password: [expect.any(String)] } },
  })
  expect((await refused(t, CONFIRM, { code: '123456' }, thief)).body.code).toBe('WRONG_PASSWORD')
  expect(await mailKinds(t)).toEqual([])

  const other = await beginTestSession(t.ctx, user.id)
  t.clock.advance(5 * MINUTE)
  await call(t, CONFIRM, { password: user.password }, thief)
  await call(t, SET_UP, {}, thief)
  expect((await refused(t, SET_UP, {}, other)).body.code).toBe('CONFIRM_PASSWORD')
  house.person = { sub: 'g-1', name: 'Anna' }
  const away = await leave(t, 'google', { purpose: 'link', token: thief.token })
  t.clock.advance(5 * MINUTE - 1)
  const back = { service: 'google' as const, ...(await house.visit(away.url)) }
  const again = await beginTestSession(t.ctx, user.id)
  await call(t, LINK_CALLBACK, back, { headers: { cookie: away.cookie }, token: again.token })
  await call(t, UNLINK, { provider: 'google' }, again)
  t.clock.advance(5 * MINUTE)
  expect((await refused(t, UNLINK, { provider: 'google' }, again)).body.code).toBe('CONFIRM_PASSWORD')
  expect(await mailKinds(t)).toEqual(['identity-linked', 'identity-unlinked'])
})

test('guessing the password at an open session has the limit of every such form', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await refused(t, CONFIRM, { password: `guess ${turn}` }, user)).status).toBe(422)
  }
  expect((await refused(t, CONFIRM, { password: user.password }, user)).status).toBe(429)
  const apiKey = await t.makeApiKey(user)
  expect((await refused(t, CONFIRM, { password: user.password }, { token: apiKey })).body.code).toBe('FORBIDDEN')
})

test('an account without a password shows its second factor, or signs in once more', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  house.person = { sub: 'g-1', name: 'Anna' }
  const visit = async () => {
    const away = await leave(t, 'google')
    return comeBack(t, 'google', { query: await house.visit(away.url), cookie: away.cookie })
  }
  const { token, user } = await visit()
  t.clock.advance(5 * MINUTE)
  const password = 'another fine password'
  for (const [key, input] of [
    [EMAIL, { email: 'anna@example.test' }],
    ['POST /api/user/resend-verify-email', { email: 'anna@example.test' }],
    [PASSWORD, { password, password_confirmation: password }],
    [SET_UP, {}],
    [CONFIRM, { password: 'whatever' }],
  ] as const) {
    expect([key, (await refused(t, key, input, { token })).body]).toMatchObject([
      key,
      { code: 'CONFIRM_PASSWORD', data: { by: 'sign-in' } },
    ])
  }
  const fresh = await visit()
  expect(fresh.user.id).toBe(user.id)
  const { secret } = await call(t, SET_UP, {}, fresh)
  await call(t, 'POST /api/v1/user/two-factor/confirm', { code: await codeNow(t, secret) }, fresh)
  t.clock.advance(5 * MINUTE)
  const refusal = await refused(t, EMAIL, { email: 'anna@example.test' }, fresh)
  expect(refusal.body.data).toEqual({ action: 'confirm-password', by: 'two-factor' })
  expect((await refused(t, CONFIRM, { code: '000000' }, fresh)).body.code).toBe('WRONG_CODE')
  await call(t, CONFIRM, { code: await codeNow(t, secret) }, fresh)
  await call(t, EMAIL, { email: 'anna@example.test' }, fresh)
  t.clock.advance(5 * MINUTE)
  await call(t, DISABLE, { code: await codeNow(t, secret) }, fresh)
})

test('a new password names the profiles that still open the account, on the page and by mail', async () => {
  await using t = await startTestApp()
  await using house = await addOidcHouse(t, 'google')
  const user = await t.makeUser()
  house.person = { sub: 'g-1', name: 'Anna' }
  const away = await leave(t, 'google', { purpose: 'link', token: user.token })
  const back = { service: 'google' as const, ...(await house.visit(away.url)) }
  await call(t, LINK_CALLBACK, back, { headers: { cookie: away.cookie }, token: user.token })
  const password = 'another fine password'
  const input = { current_password: user.password, password, password_confirmation: password }
  expect(await call(t, PASSWORD, input, user)).toMatchObject({ status: true, linked_profiles: ['google'] })
  await call(t, 'POST /api/forgot-password', { email: user.email })
  const link = (await sentMails(t)).map(({ mail }) => mail).find((mail) => mail.kind === 'reset-password')
  const token = new URL(link?.url ?? 'none:').searchParams.get('token') ?? ''
  const reset = {
    email: user.email,
    token,
    password: 'one more passphrase',
    password_confirmation: 'one more passphrase',
  }
  expect(await call(t, 'POST /api/reset-password', reset)).toMatchObject({ status: true, linked_profiles: ['google'] })
  const told = (await sentMails(t)).map(({ mail }) => mail).filter((mail) => mail.kind === 'password-changed')
  expect(told).toEqual(Array(2).fill({ kind: 'password-changed', linked: ['google'] }))
})

// ASVS V16: each sign-in and each account change is one line of the log, with only the user id and the network.
test('what happens to an account is logged with its id and network', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const user = await t.makeUser()
  const headers = { 'x-forwarded-for': '2001:db8:1:2:3::4' }
  const login = { email: user.email, password: user.password }
  const { token } = await call(t, 'POST /api/login', login, { headers })
  const mine = { token, headers }
  const { secret } = await call(t, SET_UP, {}, mine)
  const set = await call(t, 'POST /api/v1/user/two-factor/confirm', { code: await codeNow(t, secret) }, mine)
  t.clock.advance(30_000)
  await call(t, 'POST /api/login', { ...login, one_time_password: set.recovery_codes[0] ?? '' }, { headers })
  await call(t, CONFIRM, { password: user.password }, mine)
  await call(t, DISABLE, { code: await codeNow(t, secret) }, mine)
  const password = 'another fine password'
  await call(t, PASSWORD, { current_password: user.password, password, password_confirmation: password }, mine)
  await call(t, 'POST /api/logout', {}, mine)
  const events = t.log.lines.filter(({ sentence }) => sentence === 'account').map(({ fields }) => fields)
  expect(events).toEqual(
    [
      'signed-in',
      'two-factor-on',
      'recovery-code-used',
      'signed-in',
      'identity-confirmed',
      'two-factor-off',
      'password-changed',
      'signed-out',
    ].map((event) => ({ event, userId: user.id, network: '2001:db8:1:2::/64' })),
  )
})
