import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readConfig } from '#server/house/config/config.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { rawRequest } from '#test/harness/raw-request.ts'

const SOCKET_PATH = '/app/ringpost?protocol=7&client=js&version=8.6.0'
const QUOTA = 50

async function openSocket(origin: string, forwarded: string) {
  const socket = new WebSocket(`${origin}${SOCKET_PATH}`, { headers: { 'x-forwarded-for': forwarded } })
  const closed = once(socket, 'close') as Promise<[number]>
  const [frame] = await once(socket, 'message')
  return { socket, closed, frame: String(frame) }
}

async function bothPorts(t: TestApp): Promise<string[]> {
  const { port } = await t.ctx.realtime.listen()
  return [t.url.replace('http', 'ws'), `ws://127.0.0.1:${port}`]
}

// Regression test for S-3 and S-9: people behind a proxy shared one quota, and each IPv6 address had its own.
test('live sockets on both ports count by the network that a trusted proxy names', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } })
  for (const origin of await bothPorts(t)) {
    const people = await Promise.all(
      Array.from({ length: QUOTA + 10 }, (_, number) => openSocket(origin, `203.0.113.${number + 1}`)),
    )
    expect(people.every(({ frame }) => frame.includes('connection_established'))).toBe(true)
    expect(t.ctx.realtime.stats().sockets).toBe(QUOTA + 10)
    const household = []
    for (let number = 0; number <= QUOTA; number += 1) {
      const claimed = number % 2 === 0 ? '' : `198.51.100.${number}, `
      household.push(await openSocket(origin, `${claimed}2001:db8:7:7::${number.toString(16)}`))
    }
    expect((await household[0]?.closed)?.[0]).toBe(4100)
    expect(t.ctx.realtime.stats().sockets).toBe(QUOTA + 10 + QUOTA)
    const gone = Promise.all([...people, ...household].map(({ closed }) => closed))
    for (const { socket } of [...people, ...household]) socket.close()
    await gone
    await expect.poll(() => t.ctx.realtime.stats().open).toBe(0)
  }
})

test('forwarded addresses of a peer that is not trusted count for nothing, on both ports', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['192.0.2.0/24'] } })
  for (const origin of await bothPorts(t)) {
    const sockets = []
    for (let number = 0; number <= QUOTA; number += 1) sockets.push(await openSocket(origin, `203.0.113.${number}`))
    expect((await sockets[0]?.closed)?.[0]).toBe(4100)
    const gone = Promise.all(sockets.map(({ closed }) => closed))
    for (const { socket } of sockets) socket.close()
    await gone
    await expect.poll(() => t.ctx.realtime.stats().open).toBe(0)
  }
})

test('calls count by the same network', async () => {
  await using t = await startTestApp({
    config: { apiRequestsPerSecond: 5, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] },
  })
  const ask = (forwarded: string) =>
    rawRequest(t.app, { path: '/api/content/settings', headers: { 'x-forwarded-for': forwarded } })
  const statuses: number[] = []
  for (let number = 0; number < 12; number += 1) {
    statuses.push((await ask(`2001:db8:7:7::${number}, 10.1.2.3`)).statusCode)
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
  expect((await ask('2001:db8:7:8::1')).statusCode).toBe(200)
  for (let number = 0; number < 10; number += 1) await ask(number % 2 === 0 ? '203.0.113.9' : '::ffff:203.0.113.9')
  expect((await ask('::ffff:203.0.113.9')).statusCode).toBe(429)
})

test('a proxy that is no address stops the start', () => {
  expect(() => readConfig({ DEMO: '1', TRUSTED_PROXIES: '10.0.0.0/8,proxy.example' })).toThrow(
    'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8: proxy.example',
  )
})
