import { expect, test } from 'vitest'
import { SessionRegister } from '#server/house/realtime/sessions.ts'
import { startRealtime, subscribed, welcomed } from '#test/services/realtime-service.ts'

const CHANNEL = 'private-user.7'
const ENDED = { code: 4009, reason: 'The session has ended' }
const topup = { balance: '1', currency: 'rub' } as const

test('ending a session closes its sockets, and no others', async () => {
  await using live = await startRealtime()
  using phone = await subscribed(live, { userId: 7, sessionId: 'phone' })
  using phoneToo = await subscribed(live, { userId: 7, sessionId: 'phone' })
  using desk = await subscribed(live, { userId: 7, sessionId: 'desk' })
  using stranger = await subscribed(live, { userId: 8, sessionId: 'other' })
  expect(live.realtime.closeSession('phone')).toBe(2)
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', topup)).toBe(1)
  expect(await phone.closed).toEqual(ENDED)
  expect(await phoneToo.closed).toEqual(ENDED)
  expect(await desk.next()).toContain('BalanceTopup')
  await desk.settled()
  await stranger.settled()
  expect(live.realtime.stats()).toMatchObject({ sockets: 2, sessions: 2, subscriptions: 2 })
})

test('ending a session that has no socket closes nothing', async () => {
  await using live = await startRealtime()
  expect(live.realtime.closeSession('unknown')).toBe(0)
})

test('a socket that was signed for and has not subscribed yet is closed too', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const { auth } = live.realtime.authorise({ socketId, channel: CHANNEL, userId: 7, sessionId: 'phone' })
  expect(live.realtime.closeSession('phone')).toBe(1)
  socket.say({ event: 'pusher:subscribe', data: { auth, channel: CHANNEL } })
  expect(await socket.closed).toEqual(ENDED)
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', topup)).toBe(0)
})

test('a signed-in socket without channels is closed too', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const data = live.realtime.authoriseUser({ socketId, userId: 7, sessionId: 'phone' })
  await socket.ask({ event: 'pusher:signin', data })
  live.realtime.closeSession('phone')
  expect(await socket.closed).toEqual(ENDED)
})

test('an authorisation that was under way when the session ended is refused', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  live.realtime.closeSession('phone')
  const ended = expect.objectContaining({ name: 'AuthorisationRefused', reason: 'session-ended' })
  const claimant = { socketId, userId: 7, sessionId: 'phone' }
  expect(() => live.realtime.authorise({ ...claimant, channel: CHANNEL })).toThrow(ended)
  expect(() => live.realtime.authoriseUser(claimant)).toThrow(ended)
  live.moveClock(59_000)
  expect(() => live.realtime.authorise({ ...claimant, channel: CHANNEL })).toThrow(ended)
})

test('ended sessions are forgotten after their time, oldest first', () => {
  const register = new SessionRegister<string>(1_000)
  register.end('a', 0)
  register.end('b', 500)
  register.sweep(999)
  expect([register.hasEnded('a'), register.hasEnded('b')]).toEqual([true, true])
  register.sweep(1_000)
  expect([register.hasEnded('a'), register.hasEnded('b')]).toEqual([false, true])
})

test('the memory of ended sessions is bounded', () => {
  const register = new SessionRegister<string>()
  for (let session = 0; session <= 100_000; session += 1) register.end(String(session), 0)
  expect(register.hasEnded('0')).toBe(false)
  expect(register.hasEnded('1')).toBe(true)
  expect(register.hasEnded('100000')).toBe(true)
})

test('closing a user closes the sockets of all his sessions', async () => {
  await using live = await startRealtime()
  using phone = await subscribed(live, { userId: 7, sessionId: 'phone' })
  using desk = await subscribed(live, { userId: 7, sessionId: 'desk' })
  using stranger = await subscribed(live, { userId: 8, sessionId: 'other' })
  expect(live.realtime.closeUser(7)).toBe(2)
  expect(await phone.closed).toEqual({ code: 4009, reason: 'The account was signed out' })
  expect(await desk.closed).toEqual({ code: 4009, reason: 'The account was signed out' })
  await stranger.settled()
})

test('one socket can watch several accounts, and the end of either session closes it', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, { userId: 7, sessionId: 'first' })
  const channel = 'private-user.8'
  const { auth } = live.realtime.authorise({ socketId: '1.1', channel, userId: 8, sessionId: 'second' })
  await socket.ask({ event: 'pusher:subscribe', data: { auth, channel } })
  expect(live.realtime.stats()).toMatchObject({ sockets: 1, sessions: 2, subscriptions: 2 })
  live.realtime.closeSession('second')
  expect(await socket.closed).toEqual(ENDED)
  expect(live.realtime.stats()).toMatchObject({ sockets: 0, sessions: 0, subscriptions: 0, channels: 0 })
})

test('nothing is left of sockets that went away by themselves', async () => {
  const closed = Promise.withResolvers<number>()
  await using live = await startRealtime({
    metrics: { closed: closed.resolve, refused: () => undefined, published: () => undefined },
  })
  using socket = await subscribed(live, { userId: 7, sessionId: 'phone' })
  socket.ws.close(1000)
  expect(await closed.promise).toBe(1000)
  expect(live.realtime.stats()).toMatchObject({ sockets: 0, sessions: 0, subscriptions: 0, channels: 0 })
})
