import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { answerClientError, takeTime } from '../door/client-errors.ts'
import { serverWithFront } from './front.ts'

const LIMIT_MS = 20 * SECOND

test('a request that arrives too slowly is answered and its connection closed, in its head or in its body', {
  timeout: LIMIT_MS,
}, async () => {
  const app = Fastify(serverWithFront({ requestTimeoutMs: SECOND, keepAliveMs: SECOND }))
  app.post('/', async () => 'arrived')
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const { port } = app.server.address() as AddressInfo
    const head = 'POST / HTTP/1.1\r\nHost: a\r\n'
    const body = 'Content-Type: text/plain\r\nContent-Length: 100\r\n\r\nx'
    const answers = [head, head + body].map(async (sent) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(sent)
      return text(socket)
    })
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  } finally {
    await app.close()
  }
})

test('a request that may take its time is not answered for it, and the next one of the connection is', {
  timeout: LIMIT_MS,
}, async () => {
  const app = Fastify({
    ...serverWithFront({ requestTimeoutMs: SECOND, keepAliveMs: 20 * SECOND }),
    clientErrorHandler: answerClientError,
  })
  let looked = 0
  app.server.on('clientError', () => {
    looked += 1
  })
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-slow'] !== undefined) request.raw.once('end', takeTime(request.raw.socket))
  })
  app.post('/', async () => 'arrived')
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const answer = text(socket)
    const body = 'Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nx'
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nX-Slow: 1\r\n${body}`)
    await vi.waitFor(() => expect(looked).toBe(1), { timeout: 5 * SECOND })
    socket.write(`xPOST / HTTP/1.1\r\nHost: a\r\n${body}`)
    expect((await answer).match(/HTTP\/1\.1 \d+|arrived/g)).toEqual(['HTTP/1.1 200', 'arrived', 'HTTP/1.1 408'])
  } finally {
    await app.close()
  }
})

test('of the service both limits are thirty seconds', async () => {
  await using t = await startTestApp()
  const { requestTimeout, headersTimeout } = t.app.server
  expect({ requestTimeout, headersTimeout }).toEqual({ requestTimeout: 30 * SECOND, headersTimeout: 30 * SECOND })
})
