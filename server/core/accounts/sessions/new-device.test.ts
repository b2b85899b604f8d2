import { expect, test } from 'vitest'
import type { Zone } from '#server/house/config/zones.ts'
import { count } from '#test/builders/activation-rows.ts'
import { sentMails } from '#test/builders/mails.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { beginSession } from './begin-session.ts'

const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36'
const NEWER_CHROME = CHROME.replace('153', '154')
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const [HOME, CAFE] = ['198.51.100.1', '198.51.100.2']

type Visit = { userAgent: string; address: string; device?: string }

async function signIn(t: TestApp, user: TestUser, { userAgent, address, device }: Visit): Promise<string> {
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': userAgent })
  headers.set('x-forwarded-for', address)
  if (device !== undefined) headers.set('cookie', `device=${device}`)
  const body = JSON.stringify({ email: user.email, password: user.password })
  const reply = await t.fetch('/api/login', { method: 'POST', body, headers })
  expect(reply.status).toBe(200)
  return (
    reply.headers
      .getSetCookie()
      .find((line) => line.startsWith('device='))
      ?.split(/[=;]/)[1] ?? ''
  )
}

const start = () => startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
const notices = async (t: TestApp) => (await sentMails(t)).map(({ to, mail }) => ({ to, ...mail }))

test('the first sign-in of all tells nobody; one from another device does', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await signIn(t, user, { userAgent: CHROME, address: HOME })
  expect(await notices(t)).toEqual([])
  t.clock.advance(1_000)
  await call(t, 'PATCH /api/v1/user/settings', { time_zone: 'Asia/Almaty' }, user)
  await signIn(t, user, { userAgent: FIREFOX, address: CAFE })
  expect(await notices(t)).toEqual([
    {
      to: user.email,
      kind: 'new-device',
      device: 'Firefox, Linux',
      address: CAFE,
      at: '2026-03-01T12:00:01.000Z',
      timeZone: 'Asia/Almaty',
    },
  ])
})

test('a browser is known by its cookie, wherever it is and after an update', async () => {
  await using t = await start()
  const user = await t.makeUser()
  const device = await signIn(t, user, { userAgent: CHROME, address: HOME })
  expect(await signIn(t, user, { userAgent: NEWER_CHROME, address: CAFE, device })).toBe(device)
  expect(await notices(t)).toEqual([])
})

test('the same kind of browser elsewhere, without the cookie, is a new device', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await signIn(t, user, { userAgent: CHROME, address: HOME })
  await signIn(t, user, { userAgent: CHROME, address: CAFE })
  expect(await notices(t)).toMatchObject([{ kind: 'new-device', device: 'Chrome, Windows', address: CAFE }])
})

test('the same kind of browser at the same address is not told of: a private window, a program', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await signIn(t, user, { userAgent: CHROME, address: HOME })
  await signIn(t, user, { userAgent: NEWER_CHROME, address: HOME })
  expect(await notices(t)).toEqual([])
  await signIn(t, user, { userAgent: FIREFOX, address: HOME })
  expect(await notices(t)).toMatchObject([{ device: 'Firefox, Linux', address: HOME }])
})

test('the cookie of one person’s browser says nothing of another person', async () => {
  await using t = await start()
  const [one, two] = [await t.makeUser(), await t.makeUser()]
  const device = await signIn(t, one, { userAgent: CHROME, address: HOME })
  await signIn(t, two, { userAgent: FIREFOX, address: CAFE })
  await signIn(t, two, { userAgent: CHROME, address: HOME, device })
  expect(await notices(t)).toMatchObject([{ to: two.email, kind: 'new-device' }])
})

test('a cookie of the wrong shape is replaced', async () => {
  await using t = await start()
  const user = await t.makeUser()
  for (const device of ['x', 'a'.repeat(23), `${'a'.repeat(21)}%00`, `${'a'.repeat(5_000)}`]) {
    expect(await signIn(t, user, { userAgent: CHROME, address: HOME, device })).toMatch(/^[\w-]{22}$/)
  }
})

test('two sign-ins at once from a new device are told once', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await signIn(t, user, { userAgent: CHROME, address: HOME })
  const visit = { userAgent: FIREFOX, address: CAFE }
  await Promise.all([signIn(t, user, visit), signIn(t, user, visit)])
  expect(await notices(t)).toHaveLength(1)
})

test('a person without an e-mail is told nothing, and signs in all the same', async () => {
  await using t = await start()
  const user = await t.makeUser()
  await t.ctx.db.query({ text: 'UPDATE users SET email = NULL WHERE id = $1', values: [user.id] })
  for (const [userAgent, address] of [
    [CHROME, HOME],
    [FIREFOX, CAFE],
  ] as const) {
    const caller = { member: null, locale: 'ru', zone: firstZone(t), address, network: address, userAgent } as const
    const reply = await beginSession(t.ctx, caller, { userId: user.id }, undefined)
    expect(reply.user).toMatchObject({ id: user.id, email: '' })
  }
  expect(await notices(t)).toEqual([])
})

test('nobody signs in who does not exist', async () => {
  await using t = await start()
  const caller = {
    member: null,
    locale: 'ru',
    zone: firstZone(t),
    address: HOME,
    network: HOME,
    userAgent: CHROME,
  } as const
  await expect(beginSession(t.ctx, caller, { userId: 999 }, undefined)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  expect(await count(t.ctx, 'sessions')).toBe(0)
})

function firstZone(t: TestApp): Zone {
  const [zone] = t.ctx.config.zones
  if (zone === undefined) throw new Error('there is no zone')
  return zone
}
