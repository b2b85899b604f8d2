import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { cleanUp } from '#server/house/jobs/clean-up.ts'
import { count } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { codeNow, turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { resealTwoFactor } from './secret.ts'

const SET_UP = 'POST /api/v1/user/two-factor'
const CONFIRM = 'POST /api/v1/user/two-factor/confirm'
const DISABLE = 'POST /api/v1/user/two-factor/disable'
const RENEW = 'POST /api/v1/user/two-factor/recovery-codes'
const LOGIN = 'POST /api/login'

const loginOf = ({ email, password }: TestUser, code?: string) => ({
  email,
  password,
  ...(code !== undefined && { one_time_password: code }),
})
const mailKinds = async (t: TestApp) => (await sentMails(t)).map(({ mail }) => mail.kind)

test('setting up shows a secret and its picture; nothing is on before a code confirms it', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: 'anna+b@example.test' })
  const shown = await call(t, SET_UP, {}, user)
  expect(shown.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(shown.otpauth_url).toBe(
    `otpauth://totp/Ringpost:anna%2Bb%40example.test?secret=${shown.secret}&issuer=Ringpost`,
  )
  const [type, picture = ''] = shown.qr.split(',')
  expect(type).toBe('data:image/svg+xml;base64')
  expect(Buffer.from(picture, 'base64').toString()).toMatch(/^<svg [^>]+>.+<\/svg>\s*$/s)
  await call(t, LOGIN, loginOf(user))
  expect(await refused(t, CONFIRM, { code: '000000' }, user)).toMatchObject({
    status: 422,
    body: { code: 'WRONG_CODE', errors: { code: ['Код неверный'] } },
  })
  await call(t, LOGIN, loginOf(user))
  expect(await mailKinds(t)).toEqual([])
  const { recovery_codes } = await call(t, CONFIRM, { code: await codeNow(t, shown.secret) }, user)
  expect(new Set(recovery_codes).size).toBe(10)
  for (const code of recovery_codes) expect(code).toMatch(/^[2-9a-kmnp-z]{5}-[2-9a-kmnp-z]{5}$/)
  expect(await mailKinds(t)).toEqual(['two-factor-on'])
  expect((await refused(t, LOGIN, loginOf(user))).body.code).toBe('NEED_2FA_CODE')
})

test('the database holds neither the secret nor a recovery code', async () => {
  await using t = await startTestApp()
  const { secret, recoveryCodes } = await turnOnTwoFactor(t, await t.makeUser())
  const { rows } = await t.ctx.db.query<{ row: string }>({
    text: 'SELECT two_factor::text AS row FROM two_factor UNION ALL SELECT recovery_codes::text FROM recovery_codes',
  })
  expect(rows).toHaveLength(11)
  for (const { row } of rows) {
    for (const hidden of [secret, ...recoveryCodes]) expect(row).not.toContain(hidden)
  }
})

test('a second set-up replaces the first; while it is on there is none', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const first = await call(t, SET_UP, {}, user)
  const second = await call(t, SET_UP, {}, user)
  expect((await refused(t, CONFIRM, { code: await codeNow(t, first.secret) }, user)).body.code).toBe('WRONG_CODE')
  await call(t, CONFIRM, { code: await codeNow(t, second.secret) }, user)
  expect(await refused(t, SET_UP, {}, user)).toMatchObject({ status: 409, body: { code: 'TWO_FACTOR_ON' } })
  expect((await refused(t, CONFIRM, { code: await codeNow(t, second.secret, 1) }, user)).body.code).toBe('CODE_EXPIRED')
})

test('a set-up is good for an hour', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const confirm = async (secret: string) => (await refused(t, CONFIRM, { code: await codeNow(t, secret) }, user)).body
  expect((await refused(t, CONFIRM, { code: '123456' }, user)).body.code).toBe('CODE_EXPIRED')
  const { secret } = await call(t, SET_UP, {}, user)
  await t.ctx.db.query({ text: "UPDATE sessions SET access_expires_at = access_expires_at + interval '3 days'" })
  t.clock.advance(HOUR)
  expect((await confirm(secret)).code).toBe('CODE_EXPIRED')
  t.clock.advance(23 * HOUR)
  await cleanUp(t.ctx)
  expect(await count(t.ctx, 'two_factor')).toBe(0)
})

test('confirming twice at once gives one set of recovery codes, and one mail', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await call(t, SET_UP, {}, user)
  const code = await codeNow(t, secret)
  const replies = await Promise.all(
    Array.from({ length: 4 }, () =>
      t.fetch('/api/v1/user/two-factor/confirm', {
        method: 'POST',
        token: user.token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      }),
    ),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  expect(await count(t.ctx, 'recovery_codes')).toBe(10)
  expect(await mailKinds(t)).toEqual(['two-factor-on'])
})

test('a code or a recovery code turns it off, and the owner is told', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  expect((await refused(t, DISABLE, { code: '000000' }, user)).body).toMatchObject({
    code: 'WRONG_CODE',
    errors: { code: ['Код неверный'] },
  })
  await call(t, DISABLE, { code: await codeNow(t, secret) }, user)
  await call(t, LOGIN, loginOf(user))
  expect(await mailKinds(t)).toEqual(['two-factor-on', 'two-factor-off'])
  expect([await count(t.ctx, 'two_factor'), await count(t.ctx, 'recovery_codes')]).toEqual([0, 0])
  expect((await refused(t, DISABLE, { code: await codeNow(t, secret, 1) }, user)).body.code).toBe('WRONG_CODE')
  const { recoveryCodes } = await turnOnTwoFactor(t, user)
  await call(t, DISABLE, { code: recoveryCodes[3] ?? '' }, user)
  await call(t, LOGIN, loginOf(user))
})

test('a code that turned it on, or signed in, turns nothing off', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await call(t, SET_UP, {}, user)
  const code = await codeNow(t, secret)
  await call(t, CONFIRM, { code }, user)
  expect((await refused(t, DISABLE, { code }, user)).body.code).toBe('WRONG_CODE')
  t.clock.advance(30 * SECOND)
  const next = await codeNow(t, secret)
  await call(t, LOGIN, loginOf(user, next))
  expect((await refused(t, DISABLE, { code: next }, user)).body.code).toBe('WRONG_CODE')
})

test('fresh recovery codes end the former ones', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret, recoveryCodes } = await turnOnTwoFactor(t, user)
  expect((await refused(t, RENEW, { code: '000000' }, user)).body.code).toBe('WRONG_CODE')
  const { recovery_codes } = await call(t, RENEW, { code: await codeNow(t, secret) }, user)
  expect(recovery_codes).toHaveLength(10)
  expect((await refused(t, LOGIN, loginOf(user, recoveryCodes[0]))).body.code).toBe('WRONG_CODE')
  await call(t, LOGIN, loginOf(user, recovery_codes[0]))
  expect(await count(t.ctx, 'recovery_codes')).toBe(9)
})

test('with a session, five wrong codes cost a quarter of an hour, and the next ones more', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  await t.ctx.db.query({
    text: "UPDATE sessions SET access_expires_at = access_expires_at + interval '3 days', confirmed_at = '2100-01-01'",
  })
  for (let tries = 0; tries < 5; tries += 1) await refused(t, DISABLE, { code: '000000' }, user)
  const waits: (string | null)[] = []
  for (let tries = 0; tries < 4; tries += 1) {
    const limited = await refused(t, RENEW, { code: await codeNow(t, secret) }, user)
    expect(limited.body.code).toBe('TOO_MANY_REQUESTS')
    waits.push(limited.retryAfter)
    t.clock.advance(Number(limited.retryAfter) * SECOND)
    expect((await refused(t, DISABLE, { code: '000000' }, user)).body.code).toBe('WRONG_CODE')
  }
  expect(waits).toEqual(['900', '1800', '3600', '3600'])
  await call(t, LOGIN, loginOf(user, await codeNow(t, secret)))
})

test('a clock that was hours ahead and is set right keeps nobody out for hours, and lets nobody in by a code that was used', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret } = await turnOnTwoFactor(t, user)
  const used = await codeNow(t, secret)
  await call(t, LOGIN, loginOf(user, used))
  t.clock.advance(2 * HOUR)
  await call(t, LOGIN, loginOf(user, await codeNow(t, secret)))
  t.clock.advance(-2 * HOUR)
  const isRefused = async (code: string) =>
    expect((await refused(t, LOGIN, loginOf(user, code))).body.code).toBe('WRONG_CODE')
  for (const code of [used, await codeNow(t, secret, 1)]) await isRefused(code)
  t.clock.advance(30 * SECOND)
  for (const code of [used, await codeNow(t, secret)]) await isRefused(code)
  t.clock.advance(30 * SECOND)
  const fresh = await codeNow(t, secret)
  await call(t, LOGIN, loginOf(user, fresh))
  await isRefused(fresh)
})

test('after SECRET_KEY was replaced codes go on, and the secret is sealed anew so that the old key can be forgotten', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const { secret, recoveryCodes } = await turnOnTwoFactor(t, user)
  expect(await resealTwoFactor(t.ctx)).toBe(0)
  const former = t.ctx.secrets.secretKey
  t.ctx.secrets.secretKey = 'another secret of tests, long enough too'
  t.ctx.secrets.previousSecretKeys = [former]
  await call(t, LOGIN, loginOf(user, await codeNow(t, secret)))
  expect([await resealTwoFactor(t.ctx), await resealTwoFactor(t.ctx)]).toEqual([1, 0])
  t.ctx.secrets.previousSecretKeys = []
  t.clock.advance(MINUTE)
  await call(t, LOGIN, loginOf(user, await codeNow(t, secret)))
  await call(t, LOGIN, loginOf(user, recoveryCodes[0]))
})
