import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { calls } from '#server/programs/app.ts'
import { form } from '#test/builders/registration.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { send } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

type Made = { email: string; password: string; fresh: () => string }
const password = 'another long passphrase'
const favorite = { type: 'service', id: 'tg' }
const proof = { email: 'nobody@example.test', code: '123456' }

const CALLS: Record<string, (made: Made) => object> = {
  'GET /api/countries': () => ({}),
  'GET /api/services': () => ({}),
  'GET /api/price': () => ({ service_id: 'tg', country_id: 2 }),
  'GET /api/rent-countries': () => ({}),
  'GET /api/rent-services': () => ({}),
  'GET /api/rent-price': () => ({ service_id: 'tg', country_id: 2 }),
  'GET /api/user/active-numbers': () => ({}),
  'GET /api/user/active-rent-numbers': () => ({}),
  'GET /api/user/latest-purchases': () => ({}),
  'GET /api/user/latest-rent-purchases': () => ({}),
  'POST /api/activation/add-to-favorite': () => favorite,
  'POST /api/rent/add-to-favorite': () => favorite,
  'DELETE /api/activation/remove-from-favorite/{type}/{id}': () => favorite,
  'DELETE /api/rent/remove-from-favorite/{type}/{id}': () => favorite,
  'GET /api/payments': () => ({}),
  'GET /api/payments-history': () => ({}),
  'GET /api/user': () => ({}),
  'GET /api/referral/history-withdrawals': () => ({}),
  'POST /api/login': ({ email, ...made }) => ({ email, password: made.password }),
  'POST /api/logout': () => ({}),
  'POST /api/refresh': () => ({}),
  'POST /api/register': ({ fresh }) => form(fresh()),
  'POST /api/verify-email': () => proof,
  'POST /api/resend-verify-email': ({ fresh }) => ({ email: fresh() }),
  'POST /api/user/resend-verify-email': () => ({ email: proof.email }),
  'POST /api/user/verify-link-email': () => proof,
  'POST /api/forgot-password': ({ fresh }) => ({ email: fresh() }),
  'POST /api/reset-password': () => ({
    email: proof.email,
    token: 'a'.repeat(43),
    password,
    password_confirmation: password,
  }),
  'GET /api/auth/{provider}/redirect': () => ({ provider: 'vkontakte' }),
  'GET /api/auth/{service}/callback': () => ({ service: 'vkontakte', code: 'x' }),
  'GET /api/auth/{service}/link-callback': () => ({ service: 'vkontakte', code: 'x' }),
  'GET /api/content/settings': () => ({}),
  'GET /api/connect': () => ({}),
  'GET /api/marketing-action': () => ({}),
  'GET /api/util/counter': () => ({}),
}

/** The specification knows no guests. */
const ofSpecification = calls.filter(({ key }) => !key.includes(' /api/v1/') && key !== 'POST /api/guest')

test('the table has every call that the specification names', () => {
  expect(ofSpecification.map(({ key }) => key).sort()).toEqual(Object.keys(CALLS).sort())
})

test('SP-2, SP-3: an optional field that is empty or null counts as absent, in every call', async () => {
  await using t = await startTestApp()
  t.ctx.secrets.providers.vkontakte = { clientId: '1', clientSecret: '', issuer: null }
  const user = await t.makeUser()
  await turnOnTwoFactor(t, user)
  const { token } = await t.makeUser()
  let made = 0
  const fresh = () => `fresh-${++made}@example.test`
  const tried: string[] = []
  for (const { key, input } of ofSpecification) {
    for (const field of optionalFields(input)) {
      const ask = (value: object) =>
        answerTo(t, key, { ...without(CALLS[key]?.({ ...user, fresh }), field), ...value }, token)
      const absent = await ask({})
      const isQuery = key.startsWith('GET ')
      for (const value of isQuery ? [''] : ['', null]) {
        expect(await ask({ [field]: value }), `${key} ${field} ${JSON.stringify(value)}`).toEqual(absent)
      }
      tried.push(`${key} ${field}`)
    }
  }
  expect(tried).toEqual(
    expect.arrayContaining([
      'POST /api/login one_time_password',
      'POST /api/register referral_id',
      'GET /api/price operator_id',
    ]),
  )
})

async function answerTo(t: TestApp, key: string, input: object, token: string) {
  t.clock.advance(30 * MINUTE)
  const { response, body } = await send(t, key, input, key === 'POST /api/logout' ? {} : { token })
  const { code = null, errors = null } = body as { code?: string; errors?: object }
  return { status: response.status, code, errors }
}

function optionalFields(input: object): string[] {
  const shape =
    'shape' in input ? (input.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>) : {}
  return Object.keys(shape).filter((field) => shape[field]?.safeParse(undefined).success)
}

function without(input: object | undefined, field: string): object {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([name]) => name !== field))
}
