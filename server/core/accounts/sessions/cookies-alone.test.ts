import { expect, test } from 'vitest'
import { splitKey } from '#server/house/http/call.ts'
import { calls } from '#server/programs/app.ts'
import { count } from '#test/builders/activation-rows.ts'
import { toRefusal } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

async function cookiesOf(t: TestApp, user: TestUser): Promise<string> {
  const body = JSON.stringify({ email: user.email, password: user.password })
  const reply = await t.fetch('/api/login', { method: 'POST', body, headers: JSON_TYPE })
  return reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

const pathOf = (url: string) => url.replaceAll(/:\w+/g, '1')
/** Refreshing and signing out accept cookies alone, but check the origin of the page (sessions.test.ts). */
const BY_COOKIE = ['POST /api/refresh', 'POST /api/logout']
/** A guest of the demo begins a session with nothing but a press on this site. */
const BEGINS_ALONE = 'POST /api/guest'
const mutating = calls.filter(({ key }) => splitKey(key).method !== 'GET')

test('a cookie alone makes no call that needs a session: another site cannot act for a person', async () => {
  await using t = await startTestApp()
  const cookie = await cookiesOf(t, await t.makeUser())
  for (const { key, admit } of calls.filter(({ auth }) => auth === 'required')) {
    const expected = admit === undefined ? [401, 'UNAUTHENTICATED'] : [404, 'NOT_FOUND']
    const { method, url } = splitKey(key)
    for (const [type, body] of [
      [JSON_TYPE, '{}'],
      [FORM_TYPE, 'id=1'],
    ] as const) {
      const init = method === 'GET' || method === 'DELETE' ? {} : { body }
      const headers = { cookie, origin: t.url, ...(init.body !== undefined && type) }
      const reply = await t.fetch(pathOf(url), { method, headers, ...init })
      expect([key, reply.status, toRefusal(reply, await reply.json()).body.code]).toEqual([key, ...expected])
    }
  }
})

test('calls that need no session do nothing with the one in the cookies', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const cookie = await cookiesOf(t, user)
  const open = mutating.filter(({ auth, key }) => auth !== 'required' && ![...BY_COOKIE, BEGINS_ALONE].includes(key))
  expect(open.map(({ key }) => key)).toContain('POST /api/verify-email')
  const sessions = await count(t.ctx, 'sessions WHERE revoked_at IS NULL')
  for (const { key } of open) {
    const { method, url } = splitKey(key)
    const reply = await t.fetch(pathOf(url), { method, body: '{}', headers: { ...JSON_TYPE, cookie, origin: t.url } })
    expect([key, reply.headers.getSetCookie()]).toEqual([key, []])
  }
  expect(await count(t.ctx, 'sessions WHERE revoked_at IS NULL')).toBe(sessions)
  const refresh = await t.fetch('/api/refresh', { method: 'POST', headers: { cookie, origin: t.url } })
  expect(refresh.status).toBe(200)
})

test('the channel calls take no cookie either', async () => {
  await using t = await startTestApp()
  const cookie = await cookiesOf(t, await t.makeUser())
  for (const path of ['/broadcasting/auth', '/broadcasting/user-auth']) {
    const reply = await t.fetch(path, { method: 'POST', body: '{}', headers: { ...JSON_TYPE, cookie, origin: t.url } })
    expect([path, reply.status]).toEqual([path, 401])
  }
})

test('a form on another site signs nobody in to an account of its own', async () => {
  await using t = await startTestApp()
  const attacker = await t.makeUser()
  const body = new URLSearchParams({ email: attacker.email, password: attacker.password })
  const before = await count(t.ctx, 'sessions')
  for (const origin of ['https://evil.example', 'null', `${t.url}0`]) {
    const reply = await t.fetch('/api/login', { method: 'POST', body, headers: { origin } })
    expect(toRefusal(reply, await reply.json()).body.code).toBe('FORBIDDEN')
    expect(reply.headers.getSetCookie()).toEqual([])
  }
  expect(await count(t.ctx, 'sessions')).toBe(before)
  for (const origin of [t.url, t.ctx.config.publicUrl.origin]) {
    expect((await t.fetch('/api/login', { method: 'POST', body, headers: { origin } })).status).toBe(200)
  }
})

test('pages of every zone may sign in, with the port of PUBLIC_URL', async () => {
  const zone = {
    name: 'com',
    hosts: ['numbers.example'],
    currency: 'usd',
    locales: ['en'],
    indexing: false,
    systems: null,
    defaultSystem: null,
  } as const
  await using t = await startTestApp({
    config: {
      publicUrl: new URL('https://ringpost.example'),
      zones: [{ ...zone, hosts: [...zone.hosts], locales: [...zone.locales] }],
    },
  })
  const user = await t.makeUser()
  const body = new URLSearchParams({ email: user.email, password: user.password })
  const statusFrom = async (origin: string) =>
    (await t.fetch('/api/login', { method: 'POST', body, headers: { origin } })).status
  expect(await statusFrom('https://numbers.example')).toBe(200)
  expect(await statusFrom('https://numbers.example:8443')).toBe(403)
  expect(await statusFrom('https://numbers.example.evil.example')).toBe(403)
})
