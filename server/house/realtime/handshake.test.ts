import fastify from 'fastify'
import { expect, test } from 'vitest'
import { PROTOCOL_PATH, startRealtime, TestSocket, welcomed } from '#test/services/realtime-service.ts'

test('a socket is welcomed with its id and the activity time-out', async () => {
  await using live = await startRealtime()
  using socket = live.connect()
  expect(await socket.next()).toBe(
    '{"event":"pusher:connection_established","data":"{\\"socket_id\\":\\"1.1\\",\\"activity_timeout\\":120}"}',
  )
})

test.each([
  ['/app/unknown?protocol=7', 4001, 'Application does not exist'],
  ['/', 4005, 'Path not found'],
  ['//', 4005, 'Path not found'],
  ['/app/', 4005, 'Path not found'],
  ['/app/ringpost/more?protocol=7', 4005, 'Path not found'],
  ['/application/ringpost?protocol=7', 4005, 'Path not found'],
  ['/app/ringpost?protocol=seven', 4006, 'Invalid version string format'],
  ['/app/ringpost?protocol=7&version=%00', 4006, 'Invalid version string format'],
  ['/app/ringpost?protocol=4', 4007, 'Unsupported protocol version'],
  ['/app/ringpost?protocol=8', 4007, 'Unsupported protocol version'],
  ['/app/ringpost', 4008, 'No protocol version supplied'],
  ['/app/ringpost?protocol=', 4008, 'No protocol version supplied'],
])('%s is refused with %i', async (path, code, message) => {
  await using live = await startRealtime()
  using socket = live.connect(path)
  expect(await socket.next()).toBe(`{"event":"pusher:error","data":{"code":${code},"message":"${message}"}}`)
  expect(await socket.closed).toEqual({ code, reason: message })
  expect(live.realtime.stats()).toMatchObject({ sockets: 0 })
})

test.each(['5', '6', '7'])('protocol %s is spoken', async (protocol) => {
  await using live = await startRealtime()
  using socket = live.connect(`/app/ringpost?protocol=${protocol}`)
  expect(await welcomed(socket)).toBe('1.1')
})

test('socket ids are two unguessable numbers', async () => {
  const { systemRandom } = await import('#server/house/clock.ts')
  await using live = await startRealtime({ random: systemRandom })
  const ids = new Set<string>()
  for (let count = 0; count < 20; count += 1) {
    using socket = live.connect()
    const id = await welcomed(socket)
    expect(id).toMatch(/^\d+\.\d+$/)
    ids.add(id)
  }
  expect(ids.size).toBe(20)
  expect([...ids].some((id) => id.split('.').some((half) => half.length > 12))).toBe(true)
})

test('pages of other origins are refused, programs without an origin are not', async () => {
  await using live = await startRealtime({ config: { allowedOrigins: ['https://Ringpost.example'] } })
  using foreign = live.connect(PROTOCOL_PATH, { origin: 'https://evil.example' })
  expect(await foreign.next()).toBe('{"event":"pusher:error","data":{"code":4009,"message":"Origin not allowed"}}')
  expect(await foreign.closed).toEqual({ code: 4009, reason: 'Origin not allowed' })
  using sandboxed = live.connect(PROTOCOL_PATH, { origin: 'null' })
  expect(await sandboxed.closed).toEqual({ code: 4009, reason: 'Origin not allowed' })
  using own = live.connect(PROTOCOL_PATH, { origin: 'https://ringpost.example' })
  await welcomed(own)
  using program = live.connect()
  await welcomed(program)
})

test('a plain request to the live port is told what the port is for', async () => {
  await using live = await startRealtime()
  const reply = await fetch(`http://127.0.0.1:${live.port}/`)
  expect(reply.status).toBe(426)
  expect(await reply.text()).toBe('This port speaks the Pusher protocol over WebSocket: /app/{key}?protocol=7\n')
})

test('compression is not negotiated', async () => {
  await using live = await startRealtime()
  using socket = live.connect(PROTOCOL_PATH, { perMessageDeflate: true })
  await welcomed(socket)
  expect(socket.ws.extensions).toBe('')
})

test('the main server serves the same sockets beside its pages', async () => {
  await using live = await startRealtime()
  await using app = fastify()
  app.get('/', async () => 'the page')
  live.realtime.attach(app.server)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  using here = new TestSocket(`${address.replace('http', 'ws')}${PROTOCOL_PATH}`)
  using there = live.connect()
  expect(new Set([await welcomed(here), await welcomed(there)])).toEqual(new Set(['1.1', '2.2']))
  using unknown = new TestSocket(`${address.replace('http', 'ws')}/app/unknown?protocol=7`)
  expect(await unknown.closed).toEqual({ code: 4001, reason: 'Application does not exist' })
  expect(await (await fetch(address)).text()).toBe('the page')
  await live.realtime.stop()
  expect(await here.closed).toEqual({ code: 4200, reason: 'Server is stopping, reconnect' })
})

test('a port that is taken is an error, not a silence', async () => {
  await using live = await startRealtime()
  await expect(startRealtime({ config: { port: live.port } })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
