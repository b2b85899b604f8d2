import fc from 'fast-check'
import { expect, test } from 'vitest'
import { count } from '#test/builders/activation-rows.ts'
import { addOidcHouse, addVkHouse, leave } from '#test/builders/social-visit.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    'null',
    '__proto__',
    `'; DROP TABLE identities; --`,
    'x'.repeat(5_000),
    '%00',
    '%',
  ),
)
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('state', 'code', 'error', 'iss', 'device_id', 'purpose', 'response') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('service', 'provider', '__proto__', 'constructor', 'id_token', 'session_state'),
  },
  { weight: 1, arbitrary: text },
)
const pairs = fc.array(fc.tuple(name, text), { maxLength: 6 })
const call = fc.constantFrom(
  '/api/auth/google/callback',
  '/api/auth/vkontakte/callback',
  '/api/auth/google/link-callback',
  '/api/auth/telegram/redirect',
  '/api/auth/vkontakte/redirect',
  '/api/connect',
  '/api/marketing-action',
)
const header = fc.string({ maxLength: 300 }).map((value) => value.replaceAll(/[^\x20-\x7e]/g, '?'))

test('whatever a browser comes back with, no call has a fault of ours, and nobody is signed in', async () => {
  await using t = await startTestApp()
  await using _google = await addOidcHouse(t, 'google')
  await using _telegram = await addOidcHouse(t, 'telegram')
  await using _vk = await addVkHouse(t)
  const user = await t.makeUser()
  const tried = new Set<number>()
  const { cookie } = await leave(t, 'vkontakte')
  await fc.assert(
    fc.asyncProperty(call, pairs, header, header, fc.boolean(), async (path, values, referral, utm, signedIn) => {
      t.clock.advance(3_000)
      const query = values.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')
      const { statusCode, body } = await t.app.inject({
        url: `${path}?${query}`,
        headers: {
          cookie,
          'referral-id': referral,
          'utm-data': utm,
          ...(signedIn && { authorization: `Bearer ${user.token}` }),
        },
      })
      tried.add(statusCode)
      expect(statusCode, `${path}?${query} ${body}`).toBeLessThan(500)
    }),
    { numRuns: randomRuns({ suite: 500, soak: 10_000 }) },
  )
  expect([...tried].sort()).toEqual(expect.arrayContaining([200, 422]))
  expect(tried.has(429)).toBe(false)
  expect(await count(t.ctx, 'sessions')).toBe(1)
  expect(await count(t.ctx, 'identities')).toBe(0)
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a good state with any other values around it ends in a refusal', async () => {
  await using t = await startTestApp()
  await using _google = await addOidcHouse(t, 'google')
  await using vk = await addVkHouse(t)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('google', 'vkontakte'), pairs, async (provider, values) => {
      t.clock.advance(3_000)
      const away = await leave(t, provider)
      const state = new URL(away.url).searchParams.get('state') ?? ''
      const query = values
        .filter(([key]) => key !== 'state')
        .map(([key, value]) => `&${encode(key)}=${encode(value)}`)
        .join('')
      const url = `/api/auth/${provider}/callback?state=${state}${query}`
      const { statusCode, body } = await t.app.inject({ url, headers: { cookie: away.cookie } })
      expect({ url, statusCode, body }).toMatchObject({ statusCode: expect.toBeOneOf([400, 422]) })
    }),
    { numRuns: randomRuns({ suite: 60, soak: 3_000 }) },
  )
  expect(await count(t.ctx, 'sessions')).toBe(0)
  expect(vk.complaints).toEqual([])
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

/** Encodes a value for a URL, also a lone surrogate, which attackers send as invalid UTF-8. */
function encode(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : '%ed%a0%80'
}
