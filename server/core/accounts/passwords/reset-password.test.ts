import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count, pushSms } from '#test/builders/activation-rows.ts'
import { holdUser } from '#test/builders/held-row.ts'
import { credentials, mailsTo } from '#test/builders/registration.ts'
import { codeNow, turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { bring, linkChat, workOff } from '#test/builders/telegram.ts'
import { openTelegramHouse } from '#test/fakes/telegram/telegram-house.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const FORGOT = 'POST /api/forgot-password'
const RESET = 'POST /api/reset-password'
const LOGIN = 'POST /api/login'
const NEW_PASSWORD = 'a fresh new passphrase'

type Link = { email: string; token: string }

async function linkFor(t: TestApp, address: string): Promise<Link> {
  const mail = (await mailsTo(t, address)).at(-1)
  if (mail?.kind !== 'reset-password') throw new Error(`no link was mailed to ${address}`)
  const url = new URL(mail.url)
  expect(`${url.origin}${url.pathname}`).toBe(`${t.ctx.config.publicUrl.origin}/check/reset-password`)
  return { email: url.searchParams.get('email') ?? '', token: url.searchParams.get('token') ?? '' }
}

const filled = (link: Link, password = NEW_PASSWORD) => ({ ...link, password, password_confirmation: password })

async function forget(t: TestApp, user: TestUser): Promise<Link> {
  expect(await call(t, FORGOT, { email: user.email })).toEqual({ status: true })
  return linkFor(t, user.email)
}

async function expectExpired(t: TestApp, input: object): Promise<void> {
  expect(await refused(t, RESET, input, { locale: 'en' })).toMatchObject({
    status: 422,
    body: { code: 'TOKEN_EXPIRED', message: 'This link no longer works. Request a new one.' },
  })
}

test('a mailed link sets the password once, ends every session and tells the person', async () => {
  await using t = await startTestApp({ config: { demo: false } })
  const user = await t.makeUser({ email: 'Anna+Shop@Example.test' })
  using tab = await listen(t, user)
  const host = { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } }
  await call(t, FORGOT, { email: ' anna+SHOP@example.test' }, host)
  const link = await linkFor(t, user.email)
  expect(link).toEqual({ email: 'anna+shop@example.test', token: expect.stringMatching(/^[\w-]{43}$/) })

  expect(await call(t, RESET, filled(link))).toEqual({
    status: true,
    linked_profiles: [],
    api_keys: 0,
    telegram_chat: null,
  })
  expect((await tab.closed).code).toBe(4009)
  expect((await refused(t, 'GET /api/user', {}, { token: user.token })).status).toBe(401)
  expect((await refused(t, LOGIN, credentials(user))).body.code).toBe('WRONG_CREDENTIALS')
  expect(await call(t, LOGIN, { email: user.email, password: NEW_PASSWORD })).toMatchObject({ status: true })
  expect((await mailsTo(t, user.email)).map(({ kind }) => kind).slice(0, 2)).toEqual([
    'reset-password',
    'password-changed',
  ])
  await expectExpired(t, filled(link))
})

test('a new password names keys and the chat; a reset stops codes there, and every password ends links to chats', async () => {
  await using house = await openTelegramHouse()
  await using t = await startTestApp({ environment: house.environment })
  const supplier = await t.addFake()
  const user = await t.makeUser()
  const key = await t.makeApiKey(user)
  await linkChat(t, house, { user, person: 666 })
  const beginLink = async () => {
    const { url } = await call(t, 'POST /api/v1/telegram/link', { codes: true }, user)
    return new URL(url).searchParams.get('start')
  }
  const changed = { password: 'the first of passwords', password_confirmation: 'the first of passwords' }
  const named = { status: true, linked_profiles: [], api_keys: 1, telegram_chat: 'Anna' }
  const before = await beginLink()
  expect(await call(t, 'POST /api/v1/user/password', { ...changed, current_password: user.password }, user)).toEqual(
    named,
  )
  expect((await call(t, 'GET /api/v1/telegram', {}, user)).chat).toMatchObject({ codes: true })
  const again = await beginLink()
  const link = await forget(t, user)
  expect(await call(t, RESET, filled(link))).toEqual(named)
  const told = (await mailsTo(t, user.email)).filter(({ kind }) => kind === 'password-changed')
  expect(told).toEqual(Array(2).fill(expect.objectContaining({ linked: [], keys: 1, chat: 'Anna' })))

  for (const token of [before, again]) house.write(667, `/start ${token}`)
  await bring(t)
  expect(await count(t.ctx, 'telegram_chats WHERE telegram_id = 667')).toBe(0)
  house.sent.length = 0
  const { data } = await call(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: key })
  await pushSms(t, supplier, { phone: data.phone ?? '', text: 'Telegram code: 48213' })
  await workOff(t)
  expect(house.sent).toEqual([])
})

test('a link signs nobody in, and leaves the second factor as it is', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  const link = await forget(t, user)
  const { response, body } = await send(t, RESET, filled(link))
  expect([response.status, body, response.headers.getSetCookie()]).toEqual([
    200,
    { status: true, linked_profiles: [], api_keys: 0, telegram_chat: null },
    [],
  ])
  const login = { email: user.email, password: NEW_PASSWORD }
  expect((await refused(t, LOGIN, login)).body.code).toBe('NEED_2FA_CODE')
  await call(t, LOGIN, { ...login, one_time_password: await codeNow(t, secret) })
})

test('a sign-in whose old password was right just before a reset begins no session after it', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const link = await forget(t, user)
  await using row = await holdUser(t.database.connectionString, user.id)
  const reset = call(t, RESET, filled(link))
  await row.waiters(1)
  const login = refused(t, LOGIN, credentials(user))
  await row.waiters(2)
  await row.release()
  await reset
  expect((await login).body.code).toBe('WRONG_CREDENTIALS')
})

test('a link is good for an hour, for its own address, and a newer one does not end it', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser(), await t.makeUser()]
  const first = await forget(t, anna)
  await expectExpired(t, filled({ ...first, token: first.token.slice(1) }))
  await expectExpired(t, filled({ ...first, email: boris.email }))
  await expectExpired(t, filled({ ...first, email: 'nobody@example.test' }))
  t.clock.advance(MINUTE)
  const second = await forget(t, anna)
  t.clock.advance(HOUR - MINUTE)
  await expectExpired(t, filled(first))
  const third = await forget(t, anna)
  await call(t, RESET, filled(second))
  await expectExpired(t, filled(third))
})

test('a second link within 60 s is not sent, and the first stays good', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const link = await forget(t, user)
  t.clock.advance(60 * SECOND - 1)
  await call(t, FORGOT, { email: user.email })
  expect(await mailsTo(t, user.email)).toHaveLength(1)
  await call(t, RESET, filled(link))
})

test('the link twice at once sets one password', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const link = await forget(t, user)
  const words = ['the first of passwords', 'the second passphrase']
  const outcomes = await Promise.allSettled(words.map((password) => call(t, RESET, filled(link, password))))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const winner = words[outcomes.findIndex(({ status }) => status === 'fulfilled')]
  expect(await call(t, LOGIN, { email: user.email, password: winner })).toMatchObject({ status: true })
})

test('a weak or mistyped new password is refused, and the link stays good', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: 'annuschka@example.test' })
  const link = await forget(t, user)
  const errorsOf = async (input: object) => (await refused(t, RESET, input, { locale: 'en' })).body.errors
  expect(await errorsOf({})).toEqual({
    email: ['This field is required'],
    token: ['This field is required'],
    password: ['This field is required'],
    password_confirmation: ['This field is required'],
  })
  expect(await errorsOf(filled(link, 'annuschka-1'))).toHaveProperty('password')
  expect(await errorsOf({ ...filled(link), password_confirmation: 'something else' })).toEqual({
    password_confirmation: ['The passwords don’t match'],
  })
  await call(t, RESET, filled(link))
})

test('who is blocked gets no link, and one that was sent before is dead', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const link = await forget(t, user)
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  await expectExpired(t, filled(link))
  t.clock.advance(MINUTE)
  await call(t, FORGOT, { email: user.email })
  expect(await mailsTo(t, user.email)).toHaveLength(1)
})

test('guessing links has a limit', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const user = await t.makeUser()
  const link = await forget(t, user)
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const wrong = filled({ ...link, token: 'guess' })
  for (let turn = 0; turn < 10; turn += 1)
    expect((await refused(t, RESET, wrong, from('198.51.100.1'))).status).toBe(422)
  const limited = await refused(t, RESET, wrong, from('198.51.100.1'))
  expect([limited.status, limited.retryAfter]).toEqual([429, '30'])
  await call(t, RESET, filled(link), from('198.51.100.2'))
})

test('the database holds no token, and nothing at all once it is over', async () => {
  await using t = await startTestApp()
  const link = await forget(t, await t.makeUser())
  await call(t, FORGOT, { email: 'nobody@example.test' })
  const stored = async () => {
    const { rows } = await t.ctx.db.query<{ row: string }>({
      text: 'SELECT password_resets::text AS row FROM password_resets',
    })
    return rows.map(({ row }) => row)
  }
  expect(await stored()).toHaveLength(2)
  expect((await stored()).join()).not.toContain(link.token)
  t.clock.advance(HOUR)
  await cleanUp(t.ctx)
  expect(await stored()).toEqual([])
})
