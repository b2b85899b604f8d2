import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { credentials, mailsTo } from '#test/builders/registration.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const CHANGE = 'POST /api/v1/user/password'
const LOGIN = 'POST /api/login'
const NEW_PASSWORD = 'a fresh new passphrase'

const filled = (current: string | undefined, password = NEW_PASSWORD) => ({
  ...(current !== undefined && { current_password: current }),
  password,
  password_confirmation: password,
})

test('changing the password ends every other session, and kills links that were mailed', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const other = await call(t, LOGIN, credentials(user))
  await call(t, 'POST /api/forgot-password', { email: user.email })
  using tab = await listen(t, { ...user, token: other.token })
  expect(await call(t, CHANGE, filled(user.password), { token: user.token })).toEqual({
    status: true,
    linked_profiles: [],
    api_keys: 0,
    telegram_chat: null,
  })
  expect((await tab.closed).code).toBe(4009)
  expect((await refused(t, 'GET /api/user', {}, { token: other.token })).status).toBe(401)
  await call(t, 'GET /api/user', {}, { token: user.token })
  expect((await refused(t, LOGIN, credentials(user))).body.code).toBe('WRONG_CREDENTIALS')
  await call(t, LOGIN, { email: user.email, password: NEW_PASSWORD })
  const mails = await mailsTo(t, user.email)
  expect(mails.map(({ kind }) => kind)).toContain('password-changed')
  const link = mails.find((mail) => mail.kind === 'reset-password')
  const token = new URL(link?.kind === 'reset-password' ? link.url : 'none:').searchParams.get('token')
  const reset = { email: user.email, token, ...filled(undefined, 'one more passphrase') }
  expect((await refused(t, 'POST /api/reset-password', reset)).body.code).toBe('TOKEN_EXPIRED')
})

test('the current password must be shown, and guessing it makes one wait', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { token } = user
  const refusal = await refused(t, CHANGE, filled('not the password'), { token, locale: 'en' })
  expect(refusal).toMatchObject({
    status: 422,
    body: { code: 'WRONG_PASSWORD', errors: { current_password: ['The current password is wrong'] } },
  })
  for (let turn = 0; turn < 4; turn += 1) {
    expect((await refused(t, CHANGE, filled(undefined), { token })).body.code).toBe('WRONG_PASSWORD')
  }
  const limited = await refused(t, CHANGE, filled(user.password), { token })
  expect([limited.status, limited.retryAfter]).toEqual([429, '60'])
  t.clock.advance(MINUTE)
  await call(t, CHANGE, filled(user.password), { token })
  expect(await mailsTo(t, user.email)).toHaveLength(1)
})

// Finding P-10: faults of the current and of the new password used to arrive in two separate replies.
test('a weak or mistyped new password is refused together with a wrong current one', async () => {
  await using t = await startTestApp()
  const { token, password } = await t.makeUser({ email: 'annuschka@example.test' })
  const errorsOf = async (input: object) => (await refused(t, CHANGE, input, { token, locale: 'en' })).body.errors
  expect(await errorsOf(filled(password, 'annuschka-1'))).toHaveProperty('password')
  expect(await errorsOf({ ...filled('wrong'), password_confirmation: 'something else' })).toEqual({
    current_password: ['The current password is wrong'],
    password_confirmation: ['The passwords don’t match'],
  })
  expect(await errorsOf({})).toEqual({
    password: ['This field is required'],
    password_confirmation: ['This field is required'],
  })
})

test('an account without a password sets its first one with nothing to show', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await t.ctx.db.query({ text: 'UPDATE users SET password_hash = NULL WHERE id = $1', values: [user.id] })
  await call(t, CHANGE, filled(undefined), { token: user.token })
  await call(t, LOGIN, { email: user.email, password: NEW_PASSWORD })
})

test('of two changes at once one counts, and the other is told', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const words = ['the first of passwords', 'the second passphrase']
  const answers = await Promise.all(
    words.map((password) => send(t, CHANGE, filled(user.password, password), { token: user.token })),
  )
  expect(answers.map(({ response }) => response.status).sort()).toEqual([200, 422])
  const winner = words[answers.findIndex(({ response }) => response.status === 200)]
  await call(t, LOGIN, { email: user.email, password: winner })
})

test('a password is changed by a person who is signed in, never by an API key', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  expect((await refused(t, CHANGE, filled(user.password))).status).toBe(401)
  const key = await t.makeApiKey(user)
  expect((await refused(t, CHANGE, filled(user.password), { token: key })).body.code).toBe('FORBIDDEN')
})
