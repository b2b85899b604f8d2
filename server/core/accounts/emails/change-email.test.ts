import { expect, test } from 'vitest'
import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { codeFor, credentials, mailsTo, wrongCodeFor } from '#test/builders/registration.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const CHANGE = 'POST /api/v1/user/email'
const RESEND = 'POST /api/user/resend-verify-email'
const LINK = 'POST /api/user/verify-link-email'
const NEW = 'new@example.test'

const begin = (t: TestApp, user: TestUser, email = NEW) =>
  call(t, CHANGE, { email, password: user.password }, { token: user.token })

const emailOf = async (t: TestApp, user: TestUser) => (await call(t, 'GET /api/user', {}, { token: user.token })).email

const short = async (refusal: ReturnType<typeof refused>) => {
  const { status, body } = await refusal
  return `${status} ${body.code}`
}

async function makeSocialUser(t: TestApp): Promise<TestUser> {
  const user = await t.makeUser()
  await t.ctx.db.query({
    text: 'UPDATE users SET email = NULL, email_verified_at = NULL, password_hash = NULL WHERE id = $1',
    values: [user.id],
  })
  return user
}

test('a new address counts from its code on, and the old one is told', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  expect(await begin(t, user, ' New@Example.test')).toEqual({ status: true })
  expect(await emailOf(t, user)).toBe(user.email)
  const code = await codeFor(t, NEW)
  expect(await mailsTo(t, NEW)).toEqual([{ kind: 'link-email', code, locale: 'ru' }])
  expect(await call(t, LINK, { email: NEW, code }, { token: user.token })).toEqual({ status: true })
  expect(await emailOf(t, user)).toBe(NEW)
  expect((await mailsTo(t, user.email)).at(-1)).toEqual({ kind: 'email-changed', newEmail: NEW, locale: 'ru' })
  expect(await call(t, 'POST /api/login', { email: NEW, password: user.password })).toMatchObject({ status: true })
  expect(await short(refused(t, 'POST /api/login', credentials(user)))).toBe('422 WRONG_CREDENTIALS')
  expect(await short(refused(t, LINK, { email: NEW, code }, { token: user.token }))).toBe('422 CODE_EXPIRED')
})

test('a link to set the password anew dies with the address it was mailed to', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await call(t, 'POST /api/forgot-password', { email: user.email })
  const mail = (await mailsTo(t, user.email)).at(-1)
  const token = new URL(mail?.kind === 'reset-password' ? mail.url : 'none:').searchParams.get('token')
  await begin(t, user)
  await call(t, LINK, { email: NEW, code: await codeFor(t, NEW) }, { token: user.token })
  const password = 'a fresh new passphrase'
  for (const email of [user.email, NEW]) {
    const input = { email, token, password, password_confirmation: password }
    expect(await short(refused(t, 'POST /api/reset-password', input))).toBe('422 TOKEN_EXPIRED')
  }
})

test('the password must be shown, and guessing it makes one wait', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  const guess = (password?: string) => refused(t, CHANGE, { email: NEW, password }, { token, locale: 'en' })
  expect(await guess('not the password')).toMatchObject({
    status: 422,
    body: { code: 'WRONG_PASSWORD', errors: { password: ['The current password is wrong'] } },
  })
  for (let turn = 0; turn < 4; turn += 1) expect((await guess()).body.code).toBe('WRONG_PASSWORD')
  expect(await guess('not the password')).toMatchObject({ status: 429, retryAfter: '60' })
  expect(await mailsTo(t, NEW)).toEqual([])
})

test('an address of another account is answered like any other, and cannot be taken', async () => {
  await using t = await startTestApp()
  const [user, owner] = [await t.makeUser(), await t.makeUser({ email: 'Owner@example.test' })]
  expect(await begin(t, user, 'owner@example.test')).toEqual({ status: true })
  for (let turn = 0; turn < 5; turn += 1) {
    const guess = { email: owner.email, code: '000000' }
    expect(await short(refused(t, LINK, guess, { token: user.token }))).toBe('422 WRONG_CODE')
  }
  expect(await short(refused(t, LINK, { email: owner.email, code: '000000' }, { token: user.token }))).toBe(
    '422 CODE_EXPIRED',
  )
  t.clock.advance(MINUTE)
  expect(await call(t, RESEND, { email: owner.email }, { token: user.token })).toEqual({ status: true })
  expect([...(await mailsTo(t, owner.email)), ...(await mailsTo(t, 'owner@example.test'))]).toEqual([])
  expect(await emailOf(t, owner)).toBe(owner.email)
})

test('an address that became somebody’s after its code was sent is too late', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await begin(t, user)
  const input = { email: NEW, code: await codeFor(t, NEW) }
  await t.makeUser({ email: 'NEW@example.test' })
  expect(await short(refused(t, LINK, input, { token: user.token }))).toBe('422 CODE_EXPIRED')
  expect(await emailOf(t, user)).toBe(user.email)
  expect(await short(refused(t, LINK, input, { token: user.token }))).toBe('422 CODE_EXPIRED')
})

test('one address proved by two people at once is one person’s', async () => {
  await using t = await startTestApp()
  const pair = [await t.makeUser(), await t.makeUser()]
  const inputs: { token: string; code: string }[] = []
  for (const user of pair) {
    await begin(t, user)
    inputs.push({ token: user.token, code: await codeFor(t, NEW) })
  }
  const answers = await Promise.all(inputs.map(({ token, code }) => send(t, LINK, { email: NEW, code }, { token })))
  expect(answers.map(({ response }) => response.status).sort()).toEqual([200, 422])
})

test('a code dies after five tries and after 10 minutes, and is nobody else’s', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  await begin(t, user)
  const code = await codeFor(t, NEW)
  const link = (given: string, token = user.token, email = NEW) =>
    short(refused(t, LINK, { email, code: given }, { token }))
  expect(await link(code, other.token)).toBe('422 CODE_EXPIRED')
  expect(await link(code, user.token, 'another@example.test')).toBe('422 CODE_EXPIRED')
  const guesses = await Promise.all(Array.from({ length: 8 }, () => link(wrongCodeFor(code))))
  expect(guesses.sort()).toEqual([
    ...Array.from({ length: 3 }, () => '422 CODE_EXPIRED'),
    ...Array.from({ length: 5 }, () => '422 WRONG_CODE'),
  ])
  expect(await link(code)).toBe('422 CODE_EXPIRED')
  t.clock.advance(MINUTE)
  await begin(t, user)
  const fresh = await codeFor(t, NEW)
  t.clock.advance(10 * MINUTE)
  const { token } = await call(t, 'POST /api/login', credentials(user))
  expect(await link(fresh, token)).toBe('422 CODE_EXPIRED')
})

test('guessing codes has a limit of its own', async () => {
  await using t = await startTestApp()
  const { token } = await t.makeUser()
  for (let turn = 0; turn < 10; turn += 1) {
    expect((await refused(t, LINK, { email: NEW, code: '123456' }, { token })).status).toBe(422)
  }
  const limited = await refused(t, LINK, { email: NEW, code: '123456' }, { token })
  expect([limited.status, limited.retryAfter]).toEqual([429, '30'])
})

test('a code is resent to the waiting address alone, at most once in 60 s', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const resend = (email: string) => call(t, RESEND, { email }, { token: user.token })
  expect(await resend(NEW)).toEqual({ status: true })
  expect(await mailsTo(t, NEW)).toEqual([])
  await begin(t, user)
  t.clock.advance(60 * SECOND - 1)
  await resend(NEW)
  expect(await mailsTo(t, NEW)).toHaveLength(1)
  t.clock.advance(1)
  await resend('another@example.test')
  expect(await mailsTo(t, 'another@example.test')).toEqual([])
  await resend(NEW)
  expect(await mailsTo(t, NEW)).toHaveLength(2)
  await call(t, LINK, { email: NEW, code: await codeFor(t, NEW) }, { token: user.token })
})

test('who came by a social sign-in without an address begins with its code', async () => {
  await using t = await startTestApp()
  const user = await makeSocialUser(t)
  await call(t, RESEND, { email: NEW }, { token: user.token })
  await call(t, LINK, { email: NEW, code: await codeFor(t, NEW) }, { token: user.token })
  expect(await emailOf(t, user)).toBe(NEW)
  const next = 'next@example.test'
  await call(t, CHANGE, { email: next }, { token: user.token })
  await call(t, LINK, { email: next, code: await codeFor(t, next) }, { token: user.token })
  expect(await emailOf(t, user)).toBe(next)
})

test('an address is changed by a person who is signed in, never by an API key', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const token = await t.makeApiKey(user)
  for (const [key, input] of [
    [CHANGE, { email: NEW, password: user.password }],
    [RESEND, { email: NEW }],
    [LINK, { email: NEW, code: '123456' }],
  ] as const) {
    expect(await short(refused(t, key, input))).toBe('401 UNAUTHENTICATED')
    expect(await short(refused(t, key, input, { token }))).toBe('403 FORBIDDEN')
    const errors = (await refused(t, key, {}, { token: user.token })).body.errors
    expect(errors).toHaveProperty('email', ['Заполните это поле'])
  }
})

test('a waiting address is forgotten after a day', async () => {
  await using t = await startTestApp()
  await begin(t, await t.makeUser())
  const waiting = async () => (await t.ctx.db.query({ text: 'SELECT FROM email_codes' })).rows.length
  t.clock.advance(DAY - 1)
  await cleanUp(t.ctx)
  expect(await waiting()).toBe(1)
  t.clock.advance(1)
  await cleanUp(t.ctx)
  expect(await waiting()).toBe(0)
})
