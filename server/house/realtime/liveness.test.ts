import { expect, test } from 'vitest'
import { PING, startRealtime, subscribed, welcomed } from '#test/services/realtime-service.ts'

const OWNER = { userId: 7, sessionId: 'session-a' }

test('a silent socket is pinged, and one that answers lives on', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, OWNER)
  live.moveClock(119_999)
  await socket.settled()
  live.moveClock(119_999)
  live.moveClock(1)
  expect(await socket.next()).toBe(PING)
  live.moveClock(29_999)
  socket.say({ event: 'pusher:pong', data: {} })
  await socket.settled()
  live.moveClock(30_000)
  await socket.settled()
})

test('a socket that does not answer is closed with 4201', async () => {
  await using live = await startRealtime()
  using dead = await subscribed(live, OWNER)
  live.moveClock(120_000)
  expect(await dead.next()).toBe(PING)
  live.moveClock(29_999)
  expect(live.realtime.stats().sockets).toBe(1)
  live.moveClock(1)
  expect(await dead.closed).toEqual({ code: 4201, reason: 'Pong reply not received in time' })
  expect(live.realtime.stats()).toMatchObject({ sockets: 0, subscriptions: 0 })
})

test('control frames of WebSocket itself are signs of life too', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, OWNER)
  live.moveClock(120_000)
  expect(await socket.next()).toBe(PING)
  const answered = new Promise((resolve) => socket.ws.once('pong', resolve))
  socket.ws.ping('are you there')
  expect(String(await answered)).toBe('are you there')
  live.moveClock(30_000)
  await socket.settled()
})

test('a socket that is never let into a channel is closed with 4009, so that it stays away', async () => {
  await using live = await startRealtime()
  using idle = live.connect()
  await welcomed(idle)
  live.moveClock(59_999)
  await idle.settled()
  live.moveClock(1)
  expect(await idle.closed).toEqual({ code: 4009, reason: 'Connection not authorised in time' })
})

test('a socket that left its channels is closed with 4202 after ten minutes', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, OWNER)
  live.moveClock(60_000)
  socket.say({ event: 'pusher:unsubscribe', data: { channel: 'private-user.7' } })
  await socket.settled()
  for (let minute = 0; minute < 9; minute += 1) {
    live.moveClock(60_000)
    await socket.settled()
  }
  live.moveClock(60_000)
  expect(await socket.closed).toEqual({ code: 4202, reason: 'Closed after inactivity' })
})

test('a signed-in socket needs no channel', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  await socket.ask({ event: 'pusher:signin', data: live.realtime.authoriseUser({ socketId, ...OWNER }) })
  for (let minute = 0; minute < 30; minute += 1) {
    live.moveClock(60_000)
    await socket.settled()
  }
})
