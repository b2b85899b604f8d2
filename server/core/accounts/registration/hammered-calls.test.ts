import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { emailCalls } from '#server/core/accounts/emails/routes.ts'
import { passwordCalls } from '#server/core/accounts/passwords/routes.ts'
import { socialCalls } from '#server/core/accounts/social/routes.ts'
import { userCalls } from '#server/core/accounts/users/routes.ts'
import { marketingCalls } from '#server/surfaces/site/marketing/routes.ts'
import { hammer } from '#test/builders/hostile-bodies.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { registrationCalls } from './routes.ts'

const RUNS = randomRuns({ suite: 200, soak: 10_000 })
const CALLS = [...registrationCalls, ...passwordCalls, ...emailCalls, ...userCalls, ...socialCalls, ...marketingCalls]

test.each(CALLS.map(({ key }) => key))(`${RUNS} random bodies for %s are no fault of ours`, async (key) => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  await t.ctx.db.query({ text: "UPDATE sessions SET access_expires_at = access_expires_at + interval '90 years'" })
  const before = () => t.clock.advance(HOUR)
  await hammer(t, key, { runs: RUNS, token: user.token, before })
  await call(t, 'GET /api/user', {}, user)
  expect((await call(t, 'GET /api/v1/user/sessions', {}, user)).sessions).toHaveLength(1)
})
