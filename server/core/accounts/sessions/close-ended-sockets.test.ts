import { expect, test } from 'vitest'
import { refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'
import { closeEndedSockets } from './close-ended-sockets.ts'

async function openSocket(t: TestApp, { id, token }: Pick<TestUser, 'id' | 'token'>) {
  const socket = new TestSocket(`${t.url.replace('http', 'ws')}/app/ringpost?protocol=7`)
  const channel = `private-user.${id}`
  const body = new URLSearchParams({ socket_id: await welcomed(socket), channel_name: channel })
  const signed = await t.fetch('/broadcasting/auth', { method: 'POST', token, body })
  const data = { ...((await signed.json()) as { auth: string }), channel }
  expect(await socket.ask({ event: 'pusher:subscribe', data })).toContain('subscription_succeeded')
  return socket
}

test('a session whose end was committed while its answer was lost loses its sockets at the next look', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const other = await t.makeUser()
  const left = { id: user.id, ...(await beginTestSession(t.ctx, user.id)) }
  using ended = await openSocket(t, left)
  using kept = await openSocket(t, user)
  using strange = await openSocket(t, other)
  const query = t.ctx.db.query.bind(t.ctx.db)
  t.ctx.db.query = async (given) => {
    const answer = await query(given)
    // The pg driver throws this error if PostgreSQL commits but the reply is lost.
    if (given.text.includes('UPDATE sessions SET revoked_at')) throw new Error('Query read timeout')
    return answer as never
  }
  const end = { id: left.sessionId.toString() }
  expect((await refused(t, 'DELETE /api/v1/user/sessions/{id}', end, user)).status).toBe(503)
  t.ctx.db.query = query
  expect(t.ctx.realtime.stats().sockets).toBe(3)
  await closeEndedSockets(t.ctx)
  expect((await ended.closed).code).toBe(4009)
  for (const socket of [kept, strange]) {
    expect(await socket.ask({ event: 'pusher:ping', data: {} })).toContain('pusher:pong')
  }
})
