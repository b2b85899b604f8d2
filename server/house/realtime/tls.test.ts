import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { CERTIFICATE, KEY } from '#test/fakes/loopback-certificate.ts'
import { makeCertificates } from '#test/fakes/smpp/smpp-certificates.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { PROTOCOL_PATH, startRealtime, TestSocket, welcomed } from '#test/services/realtime-service.ts'

const openssl = requireProgram('openssl')

test('with a certificate the live port speaks TLS', async () => {
  await using live = await startRealtime({ tls: { cert: CERTIFICATE, key: KEY } })
  using socket = new TestSocket(`wss://127.0.0.1:${live.port}${PROTOCOL_PATH}`, { ca: CERTIFICATE })
  const socketId = await welcomed(socket)
  const channel = 'private-user.7'
  const { auth } = live.realtime.authorise({ socketId, channel, userId: 7, sessionId: 'session-a' })
  await socket.ask({ event: 'pusher:subscribe', data: { auth, channel } })
  live.realtime.publish(channel, 'BalanceTopup', { balance: '1', currency: 'usd' })
  expect(await socket.next()).toBe(
    '{"event":"BalanceTopup","data":"{\\"balance\\":\\"1\\",\\"currency\\":\\"usd\\"}","channel":"private-user.7"}',
  )
})

test('a client without TLS gets nothing from it', async () => {
  await using live = await startRealtime({ tls: { cert: CERTIFICATE, key: KEY } })
  const failed = Promise.withResolvers<Error>()
  const plain = new WebSocket(`ws://127.0.0.1:${live.port}${PROTOCOL_PATH}`)
  plain.on('error', failed.resolve)
  expect((await failed.promise).message).toMatch(/socket hang up|ECONNRESET/)
  expect(live.realtime.stats().open).toBe(0)
})

test('old versions of TLS are refused', async () => {
  await using live = await startRealtime({ tls: { cert: CERTIFICATE, key: KEY } })
  const failed = Promise.withResolvers<Error>()
  connect({ port: live.port, host: '127.0.0.1', ca: CERTIFICATE, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }).on(
    'error',
    failed.resolve,
  )
  expect((await failed.promise).message).toMatch(/protocol version|unsupported protocol|no protocols available/i)
})

test.skipIf(openssl === undefined)('a renewed certificate is shown to new clients, and old ones stay', async () => {
  if (openssl === undefined) throw new Error('openssl is missing')
  const renewed = makeCertificates(openssl)
  await using live = await startRealtime({ tls: { cert: CERTIFICATE, key: KEY } })
  const url = `wss://127.0.0.1:${live.port}${PROTOCOL_PATH}`
  using early = new TestSocket(url, { ca: CERTIFICATE })
  await welcomed(early)
  live.realtime.setCertificate(renewed.server)
  using late = new TestSocket(url, { ca: renewed.ca })
  await welcomed(late)
  using wrong = new TestSocket(url, { ca: CERTIFICATE })
  await expect(wrong.next()).rejects.toThrow(/certificate/)
  await early.settled()
})
