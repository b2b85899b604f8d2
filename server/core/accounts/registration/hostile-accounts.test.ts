import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { SECOND } from '#contract/time.ts'
import { emailCalls } from '#server/core/accounts/emails/routes.ts'
import { passwordCalls } from '#server/core/accounts/passwords/routes.ts'
import { isPassword, makeHash } from '#server/core/accounts/users/password.ts'
import { userCalls } from '#server/core/accounts/users/routes.ts'
import type { Call } from '#server/house/http/call.ts'
import { splitKey } from '#server/house/http/call.ts'
import { form, GOOD_PASSWORD, mailsTo } from '#test/builders/registration.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { registrationCalls } from './routes.ts'

const BODIES_PER_CALL = randomRuns({ suite: 150, soak: 3_000 })
const MAX_ROUNDS = 10
const CALLS: readonly Call[] = [...registrationCalls, ...passwordCalls, ...emailCalls, ...userCalls].filter(
  // A guest begins without any input, so no body could be hostile.
  ({ key }) => key !== 'POST /api/guest',
)

const NASTY = [
  `'; DROP TABLE users; --`,
  '\0',
  'a\0b@example.test',
  '\ud800@example.test',
  '\ud800',
  '\u202e\uffff',
  'İ@example.test',
  'a@b.c\r\nBcc: x@y.z',
  '"a"<b@c.d>',
  '%00',
  ' ',
  '',
  '-1',
  '1e9',
  '000000000000000000001',
  '99999999999999999999',
  '１２３４５６',
  '__proto__',
  'x'.repeat(300),
  'я'.repeat(11_000),
] as const

const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...NASTY) },
  fc.string({ unit: 'binary', maxLength: 260 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('__proto__', 'toString', 'constructor', 'x'), fc.constantFrom(...NASTY), {
    maxKeys: 2,
  }),
)

const KNOWN = 'known@example.test'
const PENDING = 'pending@example.test'
const WAITING = 'waiting@example.test'

/**
 * The answers that each call must reach at least once. If the schema refused all bodies, the test would prove nothing.
 */
const REACHED: Record<string, string[]> = {
  'POST /api/register': ['done'],
  'POST /api/verify-email': ['NEED_PASSWORD', 'WRONG_PASSWORD'],
  'POST /api/resend-verify-email': ['done'],
  'POST /api/forgot-password': ['done'],
  'POST /api/reset-password': ['done', 'TOKEN_EXPIRED'],
  'POST /api/v1/user/password': ['done', 'WRONG_PASSWORD'],
  'POST /api/v1/user/email': ['done', 'WRONG_PASSWORD'],
  'POST /api/user/resend-verify-email': ['done'],
  'POST /api/user/verify-link-email': ['WRONG_CODE', 'CODE_EXPIRED'],
  'PATCH /api/v1/user/settings': ['done'],
}

function plausible(right: { password: string; token: string }): Record<string, fc.Arbitrary<unknown>> {
  const passwords = fc.oneof(
    fc.constantFrom(GOOD_PASSWORD, right.password),
    fc.string({ unit: 'binary', minLength: 8, maxLength: 60 }),
  )
  return {
    email: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(KNOWN, PENDING, WAITING, ` ${KNOWN.toUpperCase()} `, 'İ@x.y', 'ß@ß.ß') },
      fc.emailAddress(),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map((name) => `${name}@example.test`),
    ),
    code: fc.integer({ min: 0, max: 999_999 }).map((code) => String(code).padStart(6, '0')),
    token: fc.oneof(fc.constant(right.token), fc.base64String({ minLength: 4, maxLength: 60 })),
    referral_id: fc.oneof(fc.nat(), fc.integer({ min: 2 ** 31, max: 2 ** 53 - 1 }), fc.constantFrom('1', '2147483648')),
    password: passwords,
    password_confirmation: passwords,
    current_password: passwords,
    captcha: fc.base64String({ maxLength: 60 }),
  }
}

function bodiesFor(one: Call, known: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<string> {
  const { properties = {} } = z.toJSONSchema(one.input, { io: 'input', unrepresentable: 'any' })
  const fields = Object.keys(properties).map((name): [string, fc.Arbitrary<unknown>] => {
    const good = known[name] ?? fc.boolean()
    const bad = { weight: 1, arbitrary: hostile }
    const absent = { weight: 1, arbitrary: fc.constant(undefined) }
    return [name, fc.oneof({ weight: 8, arbitrary: good }, bad, absent)]
  })
  const record = fc.record(Object.fromEntries(fields))
  const filled = fc
    .tuple(record, fc.boolean())
    .map(([body, isRepeated]) =>
      isRepeated && body.password !== undefined ? { ...body, password_confirmation: body.password } : body,
    )
  return fc.oneof(
    { weight: 20, arbitrary: filled.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: hostile.map((body) => JSON.stringify(body) ?? 'undefined') },
    { weight: 1, arbitrary: fc.constantFrom('', '{', '[]', '{"email":', '"', '\ufeff{}', '{"__proto__":{"email":1}}') },
  )
}

const headerValue = fc.oneof(
  fc.constantFrom('1', '-1', '99999999999', 'x', '{"utm_source":"a\\u0000"}', '{"utm_a":"\\ud800"}', '[]', 'null', '{'),
  fc.record({ utm_source: hostile, utm_medium: hostile, x: hostile }).map((utm) => asciiJson(utm)),
)

function asciiJson(value: unknown): string {
  const escaped = (each: string) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replaceAll(/[^ -~]/g, escaped)
}

async function keepForEver(t: TestApp): Promise<void> {
  for (const change of [
    'sessions SET access_expires_at = $1',
    'registrations SET code_expires_at = $1, expires_at = $1',
    'email_codes SET code_expires_at = $1, expires_at = $1',
    'password_resets SET expires_at = $1',
  ]) {
    await t.ctx.db.query({ text: `UPDATE ${change}`, values: [new Date('2100-01-01')] })
  }
}

test.each(CALLS.map((one) => [one.key, one] as const))(
  'no body makes %s fail with a fault of ours',
  async (_key, one) => {
    await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
    const user = await t.makeUser({ email: KNOWN })
    await call(t, 'POST /api/register', form(PENDING))
    await call(t, 'POST /api/v1/user/email', { email: WAITING, password: user.password }, { token: user.token })
    await call(t, 'POST /api/forgot-password', { email: KNOWN })
    const right = { password: user.password, token: await tokenFor(t) }
    await keepForEver(t)
    const { method, url } = splitKey(one.key)
    const answers = new Set<string>()
    let turn = 0
    const property = fc.asyncProperty(
      bodiesFor(one, plausible(right)),
      headerValue,
      headerValue,
      async (payload, referral, utm) => {
        turn += 1
        t.clock.advance(10 * SECOND)
        const headers = {
          'content-type': 'application/json',
          authorization: `Bearer ${user.token}`,
          'x-forwarded-for': `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}`,
          'referral-id': referral,
          'utm-data': utm,
        }
        // The cast holds because the method comes from a declared call, so `inject` supports it.
        const response = await t.app.inject({ method: method as 'POST', url, headers, payload })
        const failures = t.log.lines.filter(({ level }) => level === 'error')
        expect(response.statusCode, JSON.stringify({ payload, headers, body: response.body, failures })).toBeLessThan(
          500,
        )
        answers.add(response.json<{ code?: string }>().code ?? 'done')
      },
    )
    const reached = REACHED[one.key] ?? ['a list of answers']
    for (let round = 0; round === 0 || (round < MAX_ROUNDS && reached.some((each) => !answers.has(each))); round += 1) {
      await fc.assert(property, { numRuns: BODIES_PER_CALL })
    }
    expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect([...answers]).toEqual(expect.arrayContaining(reached))
    expect([...answers]).not.toContain('TOO_MANY_REQUESTS')
  },
)

async function tokenFor(t: TestApp): Promise<string> {
  const mail = (await mailsTo(t, KNOWN)).find(({ kind }) => kind === 'reset-password')
  return new URL(mail?.kind === 'reset-password' ? mail.url : 'none:').searchParams.get('token') ?? ''
}

test('argon2 takes every string a form can hold', async () => {
  await using t = await startTestApp()
  const isRight = (password: string, stored: string) => isPassword(t.ctx, { key: 'form' }, password, stored)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), async (password) => {
      const stored = await makeHash(t.ctx, password)
      expect(await isRight(password, stored)).toBe(true)
      expect(await isRight(`${password}x`, stored)).toBe(false)
    }),
    { numRuns: 20 },
  )
  expect(await isRight('и\u0306', await makeHash(t.ctx, 'й'))).toBe(true)
})
