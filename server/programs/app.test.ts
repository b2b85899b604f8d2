import { expect, test } from 'vitest'
import { startTestApp } from '#test/harness/harness.ts'
import { calls } from './app.ts'

/** The paths that specification 7 names for choosing, buying, history and sign-in. `{}` is any parameter. */
const SPECIFIED = [
  'GET /api/countries',
  'GET /api/services',
  'GET /api/price',
  'GET /api/rent-countries',
  'GET /api/rent-services',
  'GET /api/rent-price',
  'GET /api/user/active-numbers',
  'GET /api/user/active-rent-numbers',
  'GET /api/user/latest-purchases',
  'GET /api/user/latest-rent-purchases',
  'POST /api/activation/add-to-favorite',
  'POST /api/rent/add-to-favorite',
  'DELETE /api/activation/remove-from-favorite/{}/{}',
  'DELETE /api/rent/remove-from-favorite/{}/{}',
  'GET /api/user',
  'POST /api/login',
  'POST /api/register',
  'POST /api/verify-email',
  'POST /api/resend-verify-email',
  'POST /api/user/resend-verify-email',
  'POST /api/user/verify-link-email',
  'GET /api/auth/{}/redirect',
  'GET /api/auth/{}/callback',
  'GET /api/auth/{}/link-callback',
  'GET /api/content/settings',
  'GET /api/connect',
  'GET /api/marketing-action',
  'GET /api/util/counter',
]

test('the calls of the specification are those of the service', async () => {
  const keys = new Set(calls.map(({ key }) => key.replaceAll(/\{\w+\}/g, '{}')))
  expect(SPECIFIED.filter((key) => !keys.has(key))).toEqual([])
  await using t = await startTestApp()
  for (const url of ['/broadcasting/auth', '/broadcasting/user-auth']) {
    expect(t.app.hasRoute({ method: 'POST', url }), url).toBe(true)
  }
})
