import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { APP_SECRET, PONG, startRealtime, subscribed, welcomed } from '#test/services/realtime-service.ts'

const OWNER = { userId: 7, sessionId: 'session-a' }
const CHANNEL = 'private-user.7'

const error = (code: number | null, message: string) =>
  `{"event":"pusher:error","data":{"code":${code},"message":"${message}"}}`
const NOT_VALID = error(4009, 'The signature for channel private-user.7 is not valid')

test('a signed subscription is confirmed and receives events; after unsubscribing it does not', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const { auth } = live.realtime.authorise({ socketId, channel: CHANNEL, ...OWNER })
  const signature = createHmac('sha256', APP_SECRET).update('1.1:private-user.7').digest('hex')
  expect(auth).toBe(`ringpost:${signature}`)
  expect(await socket.ask({ event: 'pusher:subscribe', data: { auth, channel: CHANNEL } })).toBe(
    '{"event":"pusher_internal:subscription_succeeded","data":"{}","channel":"private-user.7"}',
  )
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', { balance: '12.5', currency: 'rub' })).toBe(1)
  expect(await socket.next()).toBe(
    '{"event":"BalanceTopup","data":"{\\"balance\\":\\"12.5\\",\\"currency\\":\\"rub\\"}","channel":"private-user.7"}',
  )
  socket.say({ event: 'pusher:unsubscribe', data: { channel: CHANNEL } })
  await socket.settled()
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', { balance: '12.5', currency: 'rub' })).toBe(0)
  expect(live.realtime.stats()).toMatchObject({ sockets: 1, channels: 0, subscriptions: 0 })
})

test('another user’s channel is not signed for', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  for (const channel of ['private-user.8', 'private-user.07', 'private-user.7 ', 'private-user.', 'news']) {
    expect(() => live.realtime.authorise({ socketId, channel, ...OWNER })).toThrow(
      expect.objectContaining({ reason: 'foreign-channel' }),
    )
  }
})

test('a socket that is not open is not signed for', async () => {
  await using live = await startRealtime()
  expect(() => live.realtime.authorise({ socketId: '9.9', channel: CHANNEL, ...OWNER })).toThrow(
    expect.objectContaining({ reason: 'unknown-socket' }),
  )
  expect(() => live.realtime.authoriseUser({ socketId: '9.9', ...OWNER })).toThrow(
    expect.objectContaining({ reason: 'unknown-socket' }),
  )
})

test('a right signature that we did not give is refused', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const signature = createHmac('sha256', APP_SECRET).update(`${socketId}:${CHANNEL}`).digest('hex')
  const frame = { event: 'pusher:subscribe', data: { auth: `ringpost:${signature}`, channel: CHANNEL } }
  expect(await socket.ask(frame)).toBe(NOT_VALID)
})

test('a wrong signature is refused, and so is the right one under another key', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const { auth } = live.realtime.authorise({ socketId, channel: CHANNEL, ...OWNER })
  const subscribe = (forged: string | undefined) =>
    socket.ask({ event: 'pusher:subscribe', data: { auth: forged, channel: CHANNEL } })
  expect(await subscribe(undefined)).toBe(NOT_VALID)
  expect(await subscribe(auth.replace('ringpost:', 'ringpast:'))).toBe(NOT_VALID)
  expect(await subscribe(auth.slice(0, -1))).toBe(NOT_VALID)
  expect(await subscribe(auth)).toContain('subscription_succeeded')
})

test('a signature opens its own socket only, once only, and for half a minute', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  using thief = live.connect()
  await welcomed(thief)
  const { auth } = live.realtime.authorise({ socketId, channel: CHANNEL, ...OWNER })
  const frame = { event: 'pusher:subscribe', data: { auth, channel: CHANNEL } }
  expect(await thief.ask(frame)).toBe(NOT_VALID)
  expect(await socket.ask(frame)).toContain('subscription_succeeded')
  socket.say({ event: 'pusher:unsubscribe', data: { channel: CHANNEL } })
  expect(await socket.ask(frame)).toBe(NOT_VALID)
  live.realtime.authorise({ socketId, channel: CHANNEL, ...OWNER })
  live.moveClockQuietly(30_000)
  expect(await socket.ask(frame)).toBe(NOT_VALID)
  live.realtime.authorise({ socketId, channel: CHANNEL, ...OWNER })
  live.moveClockQuietly(29_999)
  expect(await socket.ask(frame)).toContain('subscription_succeeded')
})

test('channel_data is part of what was signed', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const { auth } = live.realtime.authorise({ socketId, channel: CHANNEL, ...OWNER })
  const data = { auth, channel: CHANNEL, channel_data: '{"user_id":"8"}' }
  expect(await socket.ask({ event: 'pusher:subscribe', data })).toBe(NOT_VALID)
})

test.each([
  ['news', 4009, 'Channel news is refused: only private- channels are offered'],
  ['presence-room', 4009, 'Channel presence-room is refused: presence channels are not offered'],
  ['private-encrypted-x', 4009, 'Channel private-encrypted-x is refused: encrypted channels are not offered'],
  ['#server-to-user-7', 4009, 'The signature for channel #server-to-user-7 is not valid'],
])('the channel %s is refused', async (channel, code, message) => {
  await using live = await startRealtime()
  using socket = live.connect()
  await welcomed(socket)
  expect(await socket.ask({ event: 'pusher:subscribe', data: { auth: '', channel } })).toBe(error(code, message))
  await socket.settled()
})

test('a public channel is open where it is configured', async () => {
  await using live = await startRealtime({ config: { publicChannels: ['news'] } })
  using socket = live.connect()
  await welcomed(socket)
  expect(await socket.ask({ event: 'pusher:subscribe', data: { channel: 'news' } })).toBe(
    '{"event":"pusher_internal:subscription_succeeded","data":"{}","channel":"news"}',
  )
})

test('a channel is entered once', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, OWNER)
  const { auth } = live.realtime.authorise({ socketId: '1.1', channel: CHANNEL, ...OWNER })
  expect(await socket.ask({ event: 'pusher:subscribe', data: { auth, channel: CHANNEL } })).toBe(
    error(null, 'Existing subscription to channel private-user.7'),
  )
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', { balance: '1', currency: 'rub' })).toBe(1)
})

test('signing in is confirmed and opens the channel that stock clients enter then', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const { auth, user_data } = live.realtime.authoriseUser({ socketId, ...OWNER })
  expect(user_data).toBe('{"id":"7"}')
  expect(await socket.ask({ event: 'pusher:signin', data: { auth, user_data } })).toBe(
    '{"event":"pusher:signin_success","data":"{\\"user_data\\":\\"{\\\\\\"id\\\\\\":\\\\\\"7\\\\\\"}\\"}"}',
  )
  const enter = (channel: string) => socket.ask({ event: 'pusher:subscribe', data: { auth: '', channel } })
  expect(await enter('#server-to-user-7')).toBe(
    '{"event":"pusher_internal:subscription_succeeded","data":"{}","channel":"#server-to-user-7"}',
  )
  expect(await enter('#server-to-user-8')).toBe(error(4009, 'The signature for channel #server-to-user-8 is not valid'))
  expect(await enter(CHANNEL)).toBe(NOT_VALID)
})

test('signing in as somebody else is refused', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const { auth } = live.realtime.authoriseUser({ socketId, ...OWNER })
  expect(await socket.ask({ event: 'pusher:signin', data: { auth, user_data: '{"id":"8"}' } })).toBe(
    error(4009, 'The signature of pusher:signin is not valid'),
  )
})

test('what is not understood is answered, and the connection goes on', async () => {
  await using live = await startRealtime()
  using socket = await subscribed(live, OWNER)
  expect(await socket.ask('{')).toBe(error(null, 'The frame is not a JSON object'))
  expect(await socket.ask({ event: 'pusher:surprise', data: {} })).toBe(error(null, 'Unknown event'))
  socket.ws.send(Buffer.from('{"event":"pusher:ping"}'))
  expect(await socket.next()).toBe(error(null, 'Binary frames are not understood'))
  expect(await socket.ask({ event: 'client-typing', channel: CHANNEL, data: {} })).toBe(
    error(4301, 'Client events are not offered'),
  )
  expect(await socket.ask({ event: 'pusher:ping', data: {} })).toBe(PONG)
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', { balance: '1', currency: 'rub' })).toBe(1)
})
