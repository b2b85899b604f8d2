import fc from 'fast-check'
import { expect, test } from 'vitest'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const CONNECT = 'GET /api/connect'
const ACTION = 'GET /api/marketing-action'
const RULES = [
  { utm_source: 'tg', utm_campaign: 'spring', action: 'show-login-modal' },
  { utm_source: 'tg', action: 'show-register-modal' },
]

const withRules = () => startTestApp({ environment: { MARKETING_ACTIONS: JSON.stringify(RULES) } })
const actionFor = async (t: TestApp, utm: unknown, token?: string) =>
  (await call(t, ACTION, { 'utm-data': utm as string }, token === undefined ? {} : { token })).action

// Checklist 4.8: the utm values of a link decide what the visit opens.
test('the first rule whose utm values all fit says what a visit opens', async () => {
  await using t = await withRules()
  const spring = { utm_campaign: 'spring', utm_source: 'tg', utm_medium: 'post' }
  expect(await actionFor(t, JSON.stringify(spring))).toBe('show-login-modal')
  expect(await actionFor(t, JSON.stringify({ utm_source: 'tg', utm_campaign: 'summer' }))).toBe('show-register-modal')
  expect(await actionFor(t, JSON.stringify({ utm_source: 'vk' }))).toBeNull()
  expect(await actionFor(t, JSON.stringify({ utm_campaign: 'spring' }))).toBeNull()
  expect((await call(t, ACTION, {})).action).toBeNull()
})

test('who is signed in is asked nothing, and without rules nobody is', async () => {
  await using t = await withRules()
  const user = await t.makeUser()
  const utm = JSON.stringify({ utm_source: 'tg' })
  expect(await actionFor(t, utm, user.token)).toBeNull()
  expect(await actionFor(t, utm, await t.makeApiKey(user))).toBeNull()
  t.ctx.config.marketingActions = []
  expect(await actionFor(t, utm)).toBeNull()
})

test('a rule without conditions is for every visit of a campaign, and for no other', async () => {
  await using t = await startTestApp({ environment: { MARKETING_ACTIONS: '[{"action":"show-register-modal"}]' } })
  expect(await actionFor(t, '{"utm_term":"x"}')).toBe('show-register-modal')
  for (const none of ['{}', '{"ref":"1"}', '']) expect(await actionFor(t, none)).toBeNull()
})

test('whatever stands for utm data, the answer is plain', async () => {
  await using t = await withRules()
  const nasty = [
    '{',
    'null',
    '[]',
    '"utm_source"',
    '{"utm_source":["tg"]}',
    '{"utm_source":"tg\\u0000"}',
    '{"__proto__":{"utm_source":"tg"}}',
    JSON.stringify({ utm_source: 'tg', utm_term: 'x'.repeat(2_000) }),
  ]
  for (const text of nasty) expect(await actionFor(t, text)).toBeNull()
  const repeated = await t.fetch(`/api/marketing-action?utm-data=%7B%7D&utm-data=%7B%7D`)
  expect(await repeated.json()).toEqual({ status: true, action: null })
  const anything = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  )
  await fc.assert(
    fc.asyncProperty(anything, async (text) => {
      expect(await actionFor(t, text)).toBeNull()
    }),
    { numRuns: 200 },
  )
})

// Checklist 7.7, 3.12: the anonymous key in a visitor's cookie grants no rights.
test('a visitor gets a key without rights, and keeps it', async () => {
  await using t = await startTestApp()
  const ask = async (cookie?: string) => {
    const response = await t.fetch('/api/connect', { headers: cookie === undefined ? {} : { cookie } })
    const { key } = (await response.json()) as { key: string }
    return { key, line: response.headers.getSetCookie()[0] ?? '' }
  }
  const { key } = await call(t, CONNECT, {})
  expect(key).toMatch(/^[\w-]{43}$/)
  const first = await ask()
  expect(first.key).not.toBe(key)
  expect(first.line).toBe(`secretKey=${first.key}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`)
  expect(await ask(`secretKey=${first.key}`)).toEqual(first)
  for (const bad of ['x', '', `${first.key}x`, '%00', '"><script>']) {
    const fresh = await ask(`secretKey=${bad}`)
    expect(fresh.key).toMatch(/^[\w-]{43}$/)
    expect(fresh.key).not.toBe(first.key)
  }
  expect((await t.fetch('/api/user', { token: first.key })).status).toBe(401)
  const secure = await startTestApp({ environment: { PUBLIC_URL: 'https://ringpost.test' } })
  await using _ended = secure
  const response = await secure.fetch('/api/connect')
  expect(response.headers.getSetCookie()[0]).toMatch(/; Secure/)
})
