import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { rawRequest } from '#test/harness/raw-request.ts'

const PROXIED = { config: { trustedProxies: ['127.0.0.1'] } }
const GUESSER = '203.0.113.66'
const MINE = '/api/user'

const ask = (t: TestApp, path: string, { from = GUESSER, bearer }: { from?: string; bearer?: string } = {}) => {
  const headers: Record<string, string> = { 'x-forwarded-for': from }
  if (bearer !== undefined) headers.authorization = `Bearer ${bearer}`
  return rawRequest(t.app, { path, headers })
}

function countQueries(t: TestApp): () => number {
  const query = t.ctx.db.query.bind(t.ctx.db)
  let asked = 0
  t.ctx.db.query = ((...given: Parameters<typeof query>) => {
    asked += 1
    return query(...given)
  }) as typeof query
  return () => asked
}

const refusalsIn = (t: TestApp) =>
  t.log.lines.filter(({ sentence }) => sentence === 'refused').map(({ fields }) => fields as Record<string, unknown>)

// Security finding S-8: 600 random tokens caused 600 look-ups, without a 429 or a line in the log.
test('refused bearers and keys of a network are few look-ups; who is good there goes on', async () => {
  await using t = await startTestApp(PROXIED)
  const { token } = await t.makeUser()
  const key = await t.makeApiKey(await t.makeUser())
  expect((await ask(t, MINE, { bearer: token })).statusCode).toBe(200)
  expect((await ask(t, MINE, { bearer: key })).statusCode).toBe(200)
  t.clock.advance(2 * MINUTE)
  const asked = countQueries(t)
  const statuses = new Set<number>()
  for (let guess = 0; guess < 300; guess += 1) {
    const bearer = `${String(guess).padStart(5, '0')}${'x'.repeat(guess % 2 === 0 ? 38 : 27)}`
    statuses.add((await ask(t, MINE, { bearer })).statusCode)
    await ask(t, `/stubs/handler_api.php?action=getBalance&api_key=${String(guess).padStart(32, 'k')}`)
  }
  expect(statuses).toEqual(new Set([401, 429]))
  expect(asked()).toBe(60)
  expect((await ask(t, MINE, { bearer: token })).statusCode).toBe(200)
  expect((await ask(t, `/stubs/handler_api.php?action=getBalance&api_key=${key}`)).body).toMatch(/^ACCESS_BALANCE/)
  const other = await t.makeApiKey(await t.makeUser())
  expect((await ask(t, MINE, { bearer: other, from: '203.0.113.67' })).statusCode).toBe(200)
  const metrics = await t.ctx.metrics.registry.metrics()
  expect(metrics).toMatch(/ringpost_refusals_total\{kind="bearer"\} \d+/)
  expect(metrics).toMatch(/ringpost_refusals_total\{kind="limit"\} 5\d\d/)
  expect(
    refusalsIn(t)
      .map(({ kind, network }) => `${kind} ${network}`)
      .sort(),
  ).toEqual(['api-key', 'bearer', 'limit'].map((kind) => `${kind} ${GUESSER}`))
  expect(JSON.stringify(t.log.lines)).not.toMatch(/xxxx|kkkk/)
})

test('a token that was just given out is good before it was shown, also where guesses are refused', async () => {
  await using t = await startTestApp(PROXIED)
  const user = await t.makeUser()
  const headers = { 'x-forwarded-for': GUESSER }
  const login = { email: user.email, password: user.password }
  for (let guess = 0; guess < 70; guess += 1) await ask(t, MINE, { bearer: `${guess}`.padStart(43, 'x') })
  const { token } = await call(t, 'POST /api/login', login, { headers })
  expect((await ask(t, MINE, { bearer: token })).statusCode).toBe(200)
})

test('failed sign-ins, second factors and refused rights are logged with account and network, a line a minute', async () => {
  await using t = await startTestApp(PROXIED)
  const user = await t.makeUser()
  await turnOnTwoFactor(t, user)
  const headers = { 'x-forwarded-for': GUESSER }
  const { email, password } = user
  for (let time = 0; time < 3; time += 1) {
    await refused(t, 'POST /api/login', { email, password: 'a wrong guess' }, { headers })
  }
  await refused(t, 'POST /api/login', { email, password, one_time_password: '000000' }, { headers })
  const key = await t.makeApiKey(user)
  await refused(t, 'GET /api/v1/user/sessions', {}, { token: key, headers })
  expect(refusalsIn(t)).toEqual([
    expect.objectContaining({ kind: 'sign-in', network: GUESSER, userId: user.id, unlogged: 0 }),
    expect.objectContaining({ kind: 'code', network: GUESSER, userId: user.id }),
    expect.objectContaining({ kind: 'right', network: GUESSER, userId: user.id, route: '/api/v1/user/sessions' }),
  ])
  t.clock.advance(MINUTE)
  await refused(t, 'POST /api/login', { email: 'nobody@example.test', password }, { headers })
  expect(refusalsIn(t).at(-1)).toEqual({ kind: 'sign-in', network: GUESSER, route: '/api/login', unlogged: 2 })
})
