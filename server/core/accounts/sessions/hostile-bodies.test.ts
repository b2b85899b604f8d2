import { expect, test } from 'vitest'
import { HOUR, SECOND } from '#contract/time.ts'
import { count } from '#test/builders/activation-rows.ts'
import { hammer } from '#test/builders/hostile-bodies.ts'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'

const RUNS = randomRuns({ suite: 200, soak: 10_000 })

async function lastingUser(t: TestApp): Promise<TestUser> {
  await t.ctx.db.query({ text: "SELECT setval('sessions_id_seq', 98765432101234)" })
  const user = await t.makeUser()
  await t.ctx.db.query({
    text: "UPDATE sessions SET access_expires_at = access_expires_at + interval '90 years', confirmed_at = '2100-01-01'",
  })
  return user
}

test(`${RUNS} hostile sign-ins are no fault of ours, and sign nobody in`, async () => {
  await using t = await startTestApp()
  await t.makeUser()
  const before = () => t.clock.advance(SECOND)
  const statuses = await hammer(t, 'POST /api/login', { runs: RUNS, before })
  expect([...statuses.keys()].sort()).toEqual([400, 422, 429])
  expect(await count(t.ctx, 'sessions')).toBe(1)
})

test.each(['confirm', 'disable', 'recovery-codes'])(
  `${RUNS} hostile bodies for two-factor/%s are no fault of ours, and leave the session alone`,
  async (verb) => {
    await using t = await startTestApp()
    const user = await lastingUser(t)
    if (verb === 'confirm') await call(t, 'POST /api/v1/user/two-factor', {}, user)
    else await turnOnTwoFactor(t, user)
    const before = () => t.clock.advance(verb === 'confirm' ? 0 : HOUR)
    const statuses = await hammer(t, `POST /api/v1/user/two-factor/${verb}`, { runs: RUNS, token: user.token, before })
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([400, 422, 429]))
    await call(t, 'GET /api/user', {}, user)
  },
)

test(`${RUNS} hostile ids of sessions are no fault of ours, and end none`, async () => {
  await using t = await startTestApp()
  const user = await lastingUser(t)
  const statuses = await hammer(t, 'DELETE /api/v1/user/sessions/{id}', { runs: RUNS, token: user.token })
  expect([...statuses.keys()].filter((status) => ![400, 422].includes(status))).toEqual([404])
  await call(t, 'GET /api/user', {}, user)
})

test.each([
  'POST /api/v1/user/two-factor',
  'GET /api/v1/user/security',
  'GET /api/v1/user/sessions',
  'DELETE /api/v1/user/sessions',
  'POST /api/refresh',
])(`${RUNS} hostile bodies for %s are no fault of ours, and leave the session alone`, async (key) => {
  await using t = await startTestApp()
  const user = await lastingUser(t)
  await turnOnTwoFactor(t, user)
  const headers = { cookie: 'refresh_token=nobodys', origin: t.url, host: new URL(t.url).host }
  await hammer(t, key, { runs: RUNS, token: user.token, headers })
  await call(t, 'GET /api/user', {}, user)
})

test.each(['POST /api/logout', 'GET /api/v1/captcha'])(
  `${RUNS} hostile bodies of nobody for %s are no fault of ours`,
  async (key) => {
    await using t = await startTestApp()
    const statuses = await hammer(t, key, { runs: RUNS })
    expect(statuses.get(200) ?? 0).toBeGreaterThan(RUNS / 2)
  },
)
