import { expect, test } from 'vitest'
import { codeNow, turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const SECURITY = 'GET /api/v1/user/security'

test('the page of security shows the ways to sign in as they are', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const shown = {
    email: user.email,
    pending_email: null,
    has_password: true,
    two_factor: false,
    recovery_codes_left: 0,
  }
  expect(await call(t, SECURITY, {}, user)).toEqual(shown)
  const { secret } = await call(t, 'POST /api/v1/user/two-factor', {}, user)
  expect(await call(t, SECURITY, {}, user)).toEqual(shown)
  await call(t, 'POST /api/v1/user/two-factor/confirm', { code: await codeNow(t, secret) }, user)
  expect(await call(t, SECURITY, {}, user)).toEqual({ ...shown, two_factor: true, recovery_codes_left: 10 })
})

test('a used recovery code, a waiting address and a missing password are seen', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { recoveryCodes } = await turnOnTwoFactor(t, user)
  const { email, password } = user
  await call(t, 'POST /api/login', { email, password, one_time_password: recoveryCodes[0] ?? '' })
  await call(t, 'POST /api/v1/user/email', { email: 'next@example.test', password }, user)
  await t.ctx.db.query({ text: 'UPDATE users SET password_hash = NULL WHERE id = $1', values: [user.id] })
  expect(await call(t, SECURITY, {}, user)).toEqual({
    email,
    pending_email: 'next@example.test',
    has_password: false,
    two_factor: true,
    recovery_codes_left: 9,
  })
})

test('an API key is shown nothing of it', async () => {
  await using t = await startTestApp()
  const token = await t.makeApiKey(await t.makeUser())
  expect((await refused(t, SECURITY, {}, { token })).body.code).toBe('FORBIDDEN')
  expect((await refused(t, SECURITY, {})).body.code).toBe('UNAUTHENTICATED')
})
