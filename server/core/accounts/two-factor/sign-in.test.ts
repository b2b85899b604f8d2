import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { codeNow, turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused, send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { demandSecondFactor } from './pending-login.ts'

const LOGIN = 'POST /api/login'
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const withCode = ({ email, password }: TestUser, one_time_password: string) => ({ email, password, one_time_password })

async function atOnce(t: TestApp, inputs: object[]): Promise<number[]> {
  const replies = await Promise.all(inputs.map((input) => send(t, LOGIN, input)))
  return replies.map(({ response }) => response.status).sort()
}

async function pendingToken(t: TestApp, user: TestUser): Promise<string> {
  const error = await demandSecondFactor(t.ctx, user.id).catch((thrown: unknown) => thrown)
  if (!(error instanceof AppError)) throw new Error('no second factor was demanded')
  expect(error).toMatchObject({ code: 'NEED_2FA_CODE', data: { action: 'need-2fa-code' } })
  return String(error.data?.pending_token)
}

test('the code is asked for after the right password only', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  const { email, password } = user
  expect((await refused(t, LOGIN, { email, password: 'wrong' })).body.code).toBe('WRONG_CREDENTIALS')
  const wrong = withCode({ ...user, password: 'wrong' }, await codeNow(t, secret))
  expect((await refused(t, LOGIN, wrong)).body.code).toBe('WRONG_CREDENTIALS')
  expect(await refused(t, LOGIN, { email, password }, { locale: 'en' })).toEqual({
    status: 422,
    retryAfter: null,
    body: {
      status: false,
      code: 'NEED_2FA_CODE',
      message: 'Enter the code from your authenticator app',
      data: { action: 'need-2fa-code' },
    },
  })
  expect(await refused(t, LOGIN, withCode(user, '000000'), { locale: 'en' })).toMatchObject({
    status: 422,
    body: { code: 'WRONG_CODE', errors: { one_time_password: ['The code is wrong'] } },
  })
  const reply = await call(t, LOGIN, withCode(user, await codeNow(t, secret)))
  expect(reply.user.id).toBe(user.id)
})

test('a code is good one step early and one late, once, and no older one after it', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  t.clock.advance(5 * MINUTE)
  const outcome = async (code: string) => (await send(t, LOGIN, withCode(user, code))).response.status
  expect(await outcome(await codeNow(t, secret, -2))).toBe(422)
  expect(await outcome(await codeNow(t, secret, 2))).toBe(422)
  const early = await codeNow(t, secret, -1)
  expect([await outcome(early), await outcome(early)]).toEqual([200, 422])
  const late = await codeNow(t, secret, 1)
  expect(await outcome(` ${late.slice(0, 3)} ${late.slice(3)} `)).toBe(200)
  expect(await outcome(await codeNow(t, secret))).toBe(422)
})

test('of two sign-ins at once with one code, one is let in', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  const login = withCode(user, await codeNow(t, secret))
  expect(await atOnce(t, [login, login, login, login])).toEqual([200, 422, 422, 422])
})

test('a recovery code is good once, also at once; its spelling does not matter', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { recoveryCodes } = await turnOnTwoFactor(t, user)
  const [first = '', second = '', third = ''] = recoveryCodes
  const login = withCode(user, first)
  expect(await atOnce(t, [login, login, login, login])).toEqual([200, 422, 422, 422])
  await call(t, LOGIN, withCode(user, ` ${second.toUpperCase()} `))
  await call(t, LOGIN, withCode(user, third.replace('-', ' ')))
  expect(await count(t.ctx, 'recovery_codes')).toBe(7)
  const other = await t.makeUser()
  await turnOnTwoFactor(t, other)
  expect((await refused(t, LOGIN, withCode(other, recoveryCodes[3] ?? ''))).body.code).toBe('WRONG_CODE')
})

test('five wrong codes from anywhere cost a quarter of an hour; the owner at home signs in meanwhile', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  for (let place = 1; place <= 5; place += 1) {
    const { body } = await refused(t, LOGIN, withCode(user, '000000'), from(`203.0.113.${place}`))
    expect(body.code).toBe('WRONG_CODE')
  }
  const right = () => codeNow(t, secret).then((code) => withCode(user, code))
  const limited = await refused(t, LOGIN, await right(), from('203.0.113.99'))
  expect(limited).toMatchObject({ status: 429, retryAfter: '900', body: { code: 'TOO_MANY_REQUESTS' } })
  await call(t, LOGIN, await right(), from('127.0.0.1'))
  t.clock.advance(900 * SECOND)
  expect((await refused(t, LOGIN, withCode(user, '000000'), from('203.0.113.6'))).body.code).toBe('WRONG_CODE')
  expect((await refused(t, LOGIN, await right(), from('203.0.113.7'))).retryAfter).toBe('1800')
  t.clock.advance(1800 * SECOND)
  await call(t, LOGIN, await right(), from('203.0.113.7'))
})

test('fifty codes guessed at once: five are looked at', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  const user = await t.makeUser()
  await turnOnTwoFactor(t, user)
  const guesses = Array.from({ length: 50 }, (_, place) =>
    refused(t, LOGIN, withCode(user, String(place).padStart(6, '0')), from(`203.0.113.${place}`)),
  )
  const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
  expect(codes.filter((code) => code === 'WRONG_CODE')).toHaveLength(5)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(45)
})

test('a social sign-in waits for its code with a token that is good once', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await expect(demandSecondFactor(t.ctx, user.id)).resolves.toBeUndefined()
  const { secret, recoveryCodes } = await turnOnTwoFactor(t, user)
  const pending_token = await pendingToken(t, user)
  expect(pending_token).toMatch(/^[\w-]{43}$/)
  expect((await refused(t, LOGIN, { pending_token })).body).toMatchObject({
    code: 'NEED_2FA_CODE',
    data: { action: 'need-2fa-code', pending_token },
  })
  const wrong = await refused(t, LOGIN, { pending_token, one_time_password: '000000' })
  expect(wrong.body).toMatchObject({ code: 'WRONG_CODE', errors: { one_time_password: ['Код неверный'] } })
  const reply = await call(t, LOGIN, { pending_token, one_time_password: await codeNow(t, secret) })
  expect(reply.user.id).toBe(user.id)
  const again = { pending_token, one_time_password: recoveryCodes[0] ?? '' }
  expect((await refused(t, LOGIN, again)).body.code).toBe('AUTH_FAILED')
  expect(await count(t.ctx, 'recovery_codes')).toBe(10)
})

test('of two codes at once for one token, one is let in and the other is not spent', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { recoveryCodes } = await turnOnTwoFactor(t, user)
  const pending_token = await pendingToken(t, user)
  const inputs = recoveryCodes.slice(0, 4).map((one_time_password) => ({ pending_token, one_time_password }))
  expect(await atOnce(t, inputs)).toEqual([200, 422, 422, 422])
  expect(await count(t.ctx, 'recovery_codes')).toBe(9)
})

test('a token lives for ten minutes, is stored as a hash, and is nobody else’s', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  const pending_token = await pendingToken(t, user)
  const { rows } = await t.ctx.db.query<{ row: string }>({
    text: 'SELECT pending_logins::text AS row FROM pending_logins',
  })
  expect(rows).toHaveLength(1)
  expect(rows[0]?.row).not.toContain(pending_token)
  for (const forged of ['x', pending_token.toLowerCase(), `${pending_token}x`, '\u2028']) {
    const { body } = await refused(t, LOGIN, { pending_token: forged, one_time_password: '123456' })
    expect(body.code).toBe('AUTH_FAILED')
  }
  t.clock.advance(10 * MINUTE)
  const late = { pending_token, one_time_password: await codeNow(t, secret) }
  expect((await refused(t, LOGIN, late)).body.code).toBe('AUTH_FAILED')
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'pending_logins')).toBe(0)
})

test('a person who was blocked meanwhile is let into support alone by a token', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  const pending_token = await pendingToken(t, user)
  await setBlocked(t.ctx.db, { userId: user.id, blockedAt: t.clock.now() })
  const login = { pending_token, one_time_password: await codeNow(t, secret) }
  const { token } = await call(t, LOGIN, login)
  expect((await refused(t, 'GET /api/payments', {}, { token })).body.code).toBe('BLOCKED')
  expect(await call(t, 'GET /api/user', {}, { token })).toMatchObject({ blocked: true })
})
