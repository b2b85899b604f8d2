import { expect, test } from 'vitest'
import { notify } from '#server/core/notifications/notify.ts'
import { toRefusal } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'

const open = (t: TestApp) => new TestSocket(`${t.url.replace('http', 'ws')}/app/ringpost?protocol=7`)

const ask = async (t: TestApp, path: string, init: RequestInit & { token?: string }) => {
  const response = await t.fetch(path, { method: 'POST', ...init })
  const body: unknown = await response.json()
  if (!response.ok) return `${response.status} ${toRefusal(response, body).body.code}`
  expect(response.headers.get('cache-control')).toBe('no-store')
  return body
}

// Checklist 7.3: POST /broadcasting/auth and user-auth accept the bearer token, as stock Pusher clients send it.
test('a form and JSON are signed alike, and the signature lets the socket in', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  using socket = open(t)
  const input = { socket_id: await welcomed(socket), channel_name: `private-user.${user.id}` }
  const { token } = user
  const form = await ask(t, '/broadcasting/auth', { token, body: new URLSearchParams(input) })
  const json = await ask(t, '/broadcasting/auth', {
    token,
    body: JSON.stringify(input),
    headers: { 'content-type': 'application/json' },
  })
  expect(form).toEqual({ auth: expect.stringMatching(/^ringpost:[0-9a-f]{64}$/) })
  expect(json).toEqual(form)
  const subscribe = { ...(form as { auth: string }), channel: input.channel_name }
  expect(await socket.ask({ event: 'pusher:subscribe', data: subscribe })).toContain('subscription_succeeded')
  const signedUser = await ask(t, '/broadcasting/user-auth', { token, body: new URLSearchParams(input) })
  expect(signedUser).toEqual({ auth: expect.any(String), user_data: expect.any(String) })
  expect(await socket.ask({ event: 'pusher:signin', data: signedUser })).toContain('pusher:signin_success')
  t.ctx.realtime.closeSession(user.sessionId.toString())
  expect((await socket.closed).code).toBe(4009)
})

test('a program is let in with its API key, and hears what its calls may ask for alone', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  using tab = await listen(t, user)
  using program = await listen(t, { ...user, token: await t.makeApiKey(user) })
  const channel = `private-user.${user.id}`
  const { realtime } = t.ctx
  expect(realtime.publish(channel, 'StaffTicketChanged', { ticketId: 1 })).toBe(1)
  const message = { id: 1, ticketId: 1, author: 'support' as const, text: 'x', created_at: '2026-01-01T00:00:00.000Z' }
  expect(realtime.publish(channel, 'NewMessage', message)).toBe(1)
  const device = { kind: 'new-device' as const, details: { device: 'Chrome', address: '203.0.113.9' } }
  await notify(t.ctx.db, { userId: user.id, ...device, link: null, dedupeKey: 'a' }, t.clock.now())
  await t.runJobs()
  expect(realtime.publish(channel, 'BalanceTopup', { balance: '1', currency: 'rub' })).toBe(2)
  expect(await program.heard('BalanceTopup')).toEqual(['BalanceTopup'])
  expect(await tab.heard('BalanceTopup')).toEqual([
    'StaffTicketChanged',
    'NewMessage',
    'NewUserNotification',
    'BalanceTopup',
  ])
})

test('somebody else’s channel, socket or token is not signed for', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  using socket = open(t)
  const socketId = await welcomed(socket)
  const auth = (input: Record<string, string>, token?: string) =>
    ask(t, '/broadcasting/auth', { ...(token !== undefined && { token }), body: new URLSearchParams(input) })
  const channel = `private-user.${user.id}`
  expect(await auth({ socket_id: socketId, channel_name: `private-user.${other.id}` }, user.token)).toBe(
    '403 FORBIDDEN',
  )
  expect(await auth({ socket_id: '1.2', channel_name: channel }, user.token)).toBe('403 FORBIDDEN')
  expect(await auth({ socket_id: socketId, channel_name: channel })).toBe('401 UNAUTHENTICATED')
  expect(await auth({ socket_id: socketId, channel_name: channel }, 'x'.repeat(43))).toBe('401 UNAUTHENTICATED')
  expect(await auth({ socket_id: socketId }, user.token)).toBe('422 INVALID_INPUT')
  expect(await auth({ socket_id: socketId, channel_name: 'x'.repeat(201) }, user.token)).toBe('422 INVALID_INPUT')
  for (const path of ['/broadcasting/auth', '/broadcasting/user-auth']) {
    expect(await ask(t, path, { token: user.token })).toBe('422 INVALID_INPUT')
    expect(await ask(t, path, { token: user.token, body: '[', headers: { 'content-type': 'application/json' } })).toBe(
      '400 MALFORMED_BODY',
    )
  }
})
