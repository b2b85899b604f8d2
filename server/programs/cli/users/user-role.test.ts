import { expect, test } from 'vitest'
import { turnOnTwoFactor } from '#test/builders/second-factor.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestUser } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

const QUEUE = 'GET /api/v1/staff/tickets'

test('who was signed in when the role changed is told so by the refresh, and nobody else', async () => {
  await using t = await startTestApp()
  const [anna, boris] = [await t.makeUser({ email: 'anna@example.test' }), await t.makeUser()]
  const signIn = async ({ email, password }: TestUser) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await t.fetch('/api/login', { method: 'POST', body: JSON.stringify({ email, password }), headers })
    return reply.headers.getSetCookie().find((line) => line.startsWith('refresh_token=')) ?? ''
  }
  const refreshed = async (cookie: string) => {
    const headers = { cookie: cookie.split(';')[0] ?? '', origin: t.url, locale: 'en' }
    const reply = await t.fetch('/api/refresh', { method: 'POST', headers })
    const { message, data } = (await reply.json()) as { message: string; data?: unknown }
    return [reply.status, message, data]
  }
  const [ofAnna, ofBoris] = [await signIn(anna), await signIn(boris)]
  await turnOnTwoFactor(t, anna)
  await typed(t.database, 'user:role', anna.email, 'support', ...WHY)
  await typed(t.database, 'user:sign-out', boris.email, ...WHY)
  const why = 'Your role has changed, so we’ve ended your session. Log in again.'
  expect(await refreshed(ofAnna)).toEqual([401, why, { ended: 'role' }])
  expect(await refreshed(ofBoris)).toEqual([401, 'Log in to continue', undefined])
})

test('O-13: a role is given by command, needs a second factor, is audited, and ends with either', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser({ email: 'anna@example.test' })
  const role = (...argv: string[]) => typed(t.database, 'user:role', ...argv, ...WHY)

  expect(await role(user.email, 'support')).toMatchObject({ code: 1, err: expect.stringContaining('no two-factor') })
  expect((await role(user.email, 'admin')).code).toBe(2)
  expect((await role('nobody@example.test', 'support')).code).toBe(1)
  await turnOnTwoFactor(t, user)
  expect((await refused(t, QUEUE, {}, user)).status).toBe(404)
  expect((await role('ANNA@example.test', 'support')).out).toBe(
    'ANNA@example.test has the role support now and signs in anew: 1 session ended.\n',
  )
  expect((await refused(t, QUEUE, {}, user)).status).toBe(401)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  expect((await call(t, 'GET /api/user', {}, user)).role).toBe('support')
  expect((await call(t, QUEUE, {}, user)).waiting).toBe(0)

  const apiKey = await t.makeApiKey(user)
  expect((await refused(t, QUEUE, {}, { token: apiKey })).status).toBe(404)
  expect(await (await t.fetch('/api/openapi.json')).text()).not.toContain('staff')

  await typed(t.database, 'user:two-factor-off', user.email, ...WHY)
  expect((await refused(t, QUEUE, {}, user)).status).toBe(404)
  await turnOnTwoFactor(t, user)
  await call(t, QUEUE, {}, user)
  expect((await role(user.email, 'support')).out).toContain('already')
  await role(user.email, 'user')
  expect((await refused(t, QUEUE, {}, user)).status).toBe(401)
  Object.assign(user, await beginTestSession(t.ctx, user.id))
  expect((await refused(t, QUEUE, {}, user)).status).toBe(404)
  expect((await auditOf(t.ctx.db)).map(({ command, detail }) => [command, detail])).toEqual([
    ['user:role', { email: user.email, role: 'support', before: 'user', ended: 1 }],
    ['user:two-factor-off', expect.anything()],
    ['user:role', { email: user.email, role: 'user', before: 'support', ended: 1 }],
  ])
})
