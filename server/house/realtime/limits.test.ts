import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { networkOf } from '#server/house/http/door/network-of.ts'
import { enter, PROTOCOL_PATH, startRealtime, subscribed, welcomed } from '#test/services/realtime-service.ts'

const OWNER = { userId: 7, sessionId: 'session-a' }
const CHANNEL = 'private-user.7'
const RATE_LIMIT = '{"event":"pusher:error","data":{"code":4301,"message":"Too many frames: at most 3 in one second"}}'
const FLOODED = { code: 4004, reason: 'Too many refused frames' }

test('frames above the rate are refused, and welcome again a second later', async () => {
  await using live = await startRealtime({ config: { limits: { maxFramesPerSecond: 3 } } })
  using socket = live.connect()
  await welcomed(socket)
  for (let frame = 0; frame < 3; frame += 1) await socket.settled()
  expect(await socket.ask({ event: 'pusher:ping' })).toBe(RATE_LIMIT)
  live.moveClock(1_000)
  await socket.settled()
})

test('a flood closes the socket with 4004, and nothing of it is acted on any more', async () => {
  await using live = await startRealtime({ config: { limits: { maxFramesPerSecond: 3, maxBadFramesPerMinute: 5 } } })
  using socket = live.connect()
  await welcomed(socket)
  for (let frame = 0; frame < 1_000; frame += 1) socket.say({ event: 'pusher:ping' })
  expect(await socket.closed).toEqual(FLOODED)
  const answers: string[] = []
  for (let answer = 0; answer < 8; answer += 1) answers.push(await socket.next())
  expect(answers.slice(3)).toEqual(Array(5).fill(RATE_LIMIT))
  await expect(socket.next()).rejects.toThrow('closed already')
})

test('frames that are never right close the socket with 4004; those of another minute are not counted', async () => {
  await using live = await startRealtime({ config: { limits: { maxBadFramesPerMinute: 2 } } })
  using socket = await subscribed(live, OWNER)
  for (let minute = 0; minute < 5; minute += 1) {
    expect(await socket.ask('{')).toContain('pusher:error')
    expect(await socket.ask('{')).toContain('pusher:error')
    live.moveClock(60_000)
  }
  expect(await socket.ask('{')).toContain('pusher:error')
  expect(await socket.ask('{')).toContain('pusher:error')
  socket.say('{')
  expect(await socket.closed).toEqual(FLOODED)
})

test('a client that pings without end is closed, not answered without end', async () => {
  await using live = await startRealtime({ config: { limits: { maxFramesPerSecond: 3, maxBadFramesPerMinute: 5 } } })
  using socket = live.connect()
  await welcomed(socket)
  let pongs = 0
  socket.ws.on('pong', () => {
    pongs += 1
  })
  for (let ping = 0; ping < 100; ping += 1) socket.ws.ping('x'.repeat(125))
  expect(await socket.closed).toEqual(FLOODED)
  expect(pongs).toBe(3)
})

test('a frame of the full size is read, a larger one closes the socket with 1009', async () => {
  const ended = Promise.withResolvers<number>()
  await using live = await startRealtime({
    metrics: { closed: ended.resolve, refused: () => undefined, published: () => undefined },
  })
  using socket = live.connect()
  await welcomed(socket)
  const ping = (bytes: number) => `{"event":"pusher:ping","data":"${'x'.repeat(bytes - 33)}"}`
  expect(Buffer.byteLength(ping(10_240))).toBe(10_240)
  expect(await socket.ask(ping(10_240))).toContain('pusher:pong')
  socket.say(ping(10_241))
  expect((await socket.closed).code).toBe(1009)
  expect(await ended.promise).toBe(1009)
  expect(live.realtime.stats().sockets).toBe(0)
})

test('invalid UTF-8 closes the socket with 1007 and disturbs nobody', async () => {
  await using live = await startRealtime()
  using other = await subscribed(live, OWNER)
  using socket = live.connect()
  await welcomed(socket)
  socket.ws.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false })
  expect((await socket.closed).code).toBe(1007)
  await other.settled()
})

test('channels of one socket are limited', async () => {
  await using live = await startRealtime({
    config: { publicChannels: ['a', 'b', 'c'], limits: { maxChannelsPerSocket: 2 } },
  })
  using socket = live.connect()
  await welcomed(socket)
  const enter = (channel: string) => socket.ask({ event: 'pusher:subscribe', data: { channel } })
  expect(await enter('a')).toContain('subscription_succeeded')
  expect(await enter('b')).toContain('subscription_succeeded')
  expect(await enter('c')).toBe(
    '{"event":"pusher:error","data":{"code":null,"message":"Too many channels: at most 2 on one socket"}}',
  )
})

test('sessions and unused signatures of one socket are limited', async () => {
  await using live = await startRealtime({ config: { limits: { maxSessionsPerSocket: 2, maxChannelsPerSocket: 2 } } })
  using socket = live.connect()
  const socketId = await welcomed(socket)
  const tooMany = expect.objectContaining({ reason: 'too-many' })
  const sign = (userId: number, sessionId: string) =>
    live.realtime.authorise({ socketId, channel: `private-user.${userId}`, userId, sessionId })
  sign(1, 'a')
  sign(2, 'b')
  expect(() => sign(3, 'c')).toThrow(tooMany)
  sign(4, 'b')
  expect(() => sign(5, 'b')).toThrow(tooMany)
  live.moveClock(30_000)
  sign(5, 'b')
})

test('P-5: sockets of one account are limited, of its programs apart, and one that leaves makes room', async () => {
  await using live = await startRealtime({ config: { limits: { maxSocketsPerPerson: 2 } } })
  using first = live.connect()
  using second = live.connect()
  using third = live.connect()
  using program = live.connect()
  using stranger = live.connect()
  await enter(live, first)
  await enter(live, second, { userId: 7, sessionId: 'session-b' })
  const socketId = await welcomed(third)
  const own = { socketId, userId: 7, sessionId: 'session-a' }
  const tooMany = expect.objectContaining({ reason: 'too-many' })
  expect(() => live.realtime.authorise({ ...own, channel: 'private-user.7' })).toThrow(tooMany)
  expect(() => live.realtime.authoriseUser(own)).toThrow(tooMany)
  await enter(live, program, { userId: 7, sessionId: 'key-1-a', byKey: true })
  await enter(live, stranger, { userId: 8, sessionId: 'session-c' })
  first[Symbol.dispose]()
  await expect.poll(() => live.realtime.stats().sockets).toBe(4)
  live.realtime.authorise({ ...own, channel: 'private-user.7' })
})

test('sockets of one address are limited with 4004, and one that leaves makes room', async () => {
  await using live = await startRealtime({
    config: { limits: { maxSocketsPerAddress: 2 } },
    networkOf: (request) => networkOf(String(request.headers['x-test-address'])),
  })
  const connect = (address: string) => live.connect(PROTOCOL_PATH, { headers: { 'x-test-address': address } })
  using first = connect('2001:db8::1')
  using second = connect('2001:db8::2')
  await enter(live, first)
  await enter(live, second)
  using third = connect('2001:db8::3')
  expect(await third.next()).toBe(
    '{"event":"pusher:error","data":{"code":4004,"message":"Too many connections from this address"}}',
  )
  expect(await third.closed).toEqual({ code: 4004, reason: 'Too many connections from this address' })
  using elsewhere = connect('192.0.2.1')
  await welcomed(elsewhere)
  second.ws.close()
  await second.closed
  using fourth = connect('2001:db8::4')
  await welcomed(fourth)
})

// Regression test for S-3: idle sockets used up the maximum number of sockets for 59 seconds each.
test('sockets without authorisation give way: to newcomers of their network, and the largest crowd to those of others', async () => {
  await using live = await startRealtime({
    config: { limits: { maxSockets: 4, maxUnauthorised: 3, maxUnauthorisedPerAddress: 2 } },
    networkOf: (request) => String(request.headers['x-test-address']),
  })
  const connect = (address: string) => live.connect(PROTOCOL_PATH, { headers: { 'x-test-address': address } })
  const gaveWay = { code: 4100, reason: 'Not authorised yet, gave way' }
  using person = connect('home')
  await enter(live, person)
  using idle = connect('idle')
  await welcomed(idle)
  using second = connect('idle')
  await welcomed(second)
  using third = connect('idle')
  await welcomed(third)
  expect(await idle.closed).toEqual(gaveWay)
  using other = connect('office')
  await welcomed(other)
  using newcomer = connect('elsewhere')
  await enter(live, newcomer)
  expect(await second.closed).toEqual(gaveWay)
  using another = connect('elsewhere')
  await welcomed(another)
  expect(await third.closed).toEqual(gaveWay)
  await person.settled()
  await newcomer.settled()
  expect(live.realtime.stats().sockets).toBe(4)
})

test('above the total new sockets are told to come back later', async () => {
  await using live = await startRealtime({ config: { limits: { maxSockets: 1 } } })
  using first = await subscribed(live, OWNER)
  using second = live.connect()
  expect(await second.next()).toBe('{"event":"pusher:error","data":{"code":4100,"message":"Over capacity"}}')
  expect(await second.closed).toEqual({ code: 4100, reason: 'Over capacity' })
  await first.settled()
})

test('refused sockets that do not leave are limited as well: beyond them the connection is dropped', async () => {
  await using live = await startRealtime({ config: { limits: { maxSocketsPerAddress: 1, closeMs: 60_000 } } })
  const stubborn: WebSocket[] = []
  const answers: Promise<string>[] = []
  for (let count = 0; count < 60; count += 1) {
    const socket = new WebSocket(`ws://127.0.0.1:${live.port}${PROTOCOL_PATH}`)
    stubborn.push(socket)
    answers.push(
      new Promise((resolve) => {
        socket.once('open', () => {
          socket.pause()
          resolve('open')
        })
        socket.once('error', (error) => resolve(error.message))
      }),
    )
  }
  const outcomes = await Promise.all(answers)
  expect(outcomes.filter((outcome) => outcome === 'open')).toHaveLength(51)
  expect(outcomes.filter((outcome) => outcome === 'Unexpected server response: 429')).toHaveLength(9)
  expect(live.realtime.stats()).toMatchObject({ sockets: 1, open: 51 })
  for (const socket of stubborn) socket.terminate()
})

test('a client that does not read is cut with 4100 when its buffer is full', async () => {
  await using live = await startRealtime({ config: { limits: { maxBufferedBytes: 100_000 } } })
  using reader = await subscribed(live, OWNER)
  using sleeper = await subscribed(live, OWNER)
  sleeper.ws.pause()
  const balance = '1'.repeat(50_000)
  let published = 0
  while (live.realtime.stats().sockets === 2) {
    live.realtime.publish(CHANNEL, 'BalanceTopup', { balance, currency: 'rub' })
    published += 1
    expect(published).toBeLessThan(2_000)
    await reader.next()
  }
  expect(live.realtime.publish(CHANNEL, 'BalanceTopup', { balance, currency: 'rub' })).toBe(1)
  sleeper.ws.resume()
  expect(await sleeper.closed).toEqual({ code: 4100, reason: 'The client reads too slowly' })
})

test('a client that does not even take its close frame is destroyed', async () => {
  await using live = await startRealtime({ config: { limits: { closeMs: 20 } } })
  using sleeper = await subscribed(live, OWNER)
  sleeper.ws.pause()
  live.realtime.closeSession('session-a')
  await live.realtime.stop()
  expect(live.realtime.stats().open).toBe(0)
  sleeper.ws.resume()
  await once(sleeper.ws, 'close')
})

test('a fault while a frame is handled closes that socket only, and is logged', async () => {
  let isBroken = false
  await using live = await startRealtime({
    clock: {
      now() {
        if (isBroken) throw new Error('the clock is broken')
        return new Date(0)
      },
    },
  })
  using socket = live.connect()
  await welcomed(socket)
  using other = live.connect()
  await welcomed(other)
  isBroken = true
  socket.say({ event: 'pusher:ping' })
  expect(await socket.closed).toEqual({ code: 4100, reason: 'Internal error' })
  isBroken = false
  await other.settled()
  expect(live.logged).toEqual([
    { level: 'error', fields: { error: new Error('the clock is broken') }, sentence: 'a live frame failed' },
  ])
})
