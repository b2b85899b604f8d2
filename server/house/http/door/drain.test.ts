import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { randomRuns } from '#test/harness/random-runs.ts'
import { startCallers } from '#test/harness/sent-requests.ts'
import { followConnections } from './drain.ts'

const LIMIT_MS = 20_000
const STOPS_AT_ONCE = 20

async function serve(answer: RequestListener) {
  const server = createServer(answer)
  const drain = followConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, drain, port, url: `http://127.0.0.1:${port}/` }
}

// Regression test for R-E: connections that looked idle were reset while a request was on the wire.
test('no request that was sent before the end began is broken, however many come', async () => {
  const stops = randomRuns({ suite: 20, soak: 100 })
  for (let stopped = 0; stopped < stops; stopped += STOPS_AT_ONCE) {
    await Promise.all(Array.from({ length: STOPS_AT_ONCE }, stopUnderLoad))
  }
})

async function stopUnderLoad(): Promise<void> {
  const { drain, url } = await serve((_request, reply) => {
    setTimeout(() => reply.end('answered'), Math.random() * 20)
  })
  const callers = startCallers(url, { callers: 6 })
  const enough = 50 + Math.random() * 50
  await vi.waitUntil(() => callers.answered() > enough, { timeout: LIMIT_MS })
  const endedAt = performance.now()
  expect(await drain.finish(LIMIT_MS)).toBe(0)
  await callers.ended
  expect(callers.brokenBefore(endedAt)).toEqual([])
}

test('once it is announced, replies close their connections, and others are still taken', async () => {
  const { drain, url } = await serve((_request, reply) => reply.end('answered'))
  expect((await fetch(url)).headers.get('connection')).toBe('keep-alive')
  drain.begin()
  for (let n = 0; n < 3; n += 1) expect((await fetch(url)).headers.get('connection')).toBe('close')
  await drain.finish(LIMIT_MS)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('a request under way is answered, one that takes too long is cut off, and an unused connection holds up nothing', async () => {
  const asked: (() => void)[] = []
  const { drain, port } = await serve((_request, reply) => {
    asked.push(() => reply.end('the answer'))
  })
  const ask = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const before = asked.length
    socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
    await vi.waitUntil(() => asked.length > before, { timeout: LIMIT_MS })
    return { reply: text(socket).catch(() => 'broken') }
  }
  const unused = connect(port, '127.0.0.1').resume()
  const hungUp = once(unused, 'close')
  const [first, second] = [await ask(), await ask()]
  const cutOff = drain.finish(2_000)
  await hungUp
  asked[0]?.()
  expect(await first.reply).toMatch(/connection: close.*the answer/is)
  expect(await second.reply).not.toContain('the answer')
  expect(await cutOff).toBe(1)
})

test('a peer that was told of the end and does not close holds up nothing', async () => {
  const { drain, port } = await serve((_request, reply) => reply.end('answered'))
  const peer = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume()
  peer.on('error', () => undefined)
  peer.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  await once(peer, 'data')
  expect(await drain.finish(60_000)).toBe(0)
  peer.destroy()
}, 20_000)
