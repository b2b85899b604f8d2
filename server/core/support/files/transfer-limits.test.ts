import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import type { FileReply } from '#contract/support/support.ts'
import { KIBIBYTE, MEBIBYTE, MINUTE, SECOND } from '#contract/time.ts'
import { askerOf } from '#server/house/limits/fair-queue.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { pictureDecodingQueue } from './picture-decoding-queue.ts'
import { Places } from './places.ts'

const PDF = Buffer.from('%PDF-1.7\n%%EOF\n')
const LARGE = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4.9 * MEBIBYTE), Buffer.from('%%EOF\n')])

async function uploadLarge(t: TestApp, { token }: TestUser): Promise<string> {
  const response = await t.fetch('/api/v1/support/files', {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/pdf' },
    body: new Uint8Array(LARGE),
  })
  expect(response.status).toBe(201)
  return `/api/v1/support/files/${((await response.json()) as FileReply).data.id}`
}

async function hold(t: TestApp, { token }: TestUser, head: string): Promise<Socket> {
  const socket = connect({ port: (t.app.server.address() as AddressInfo).port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`)
  return socket
}

async function holdDownload(t: TestApp, user: TestUser, path: string): Promise<Socket> {
  const socket = await hold(t, user, `GET ${path}`)
  socket.write('\r\n')
  await once(socket, 'readable')
  return socket
}

test('three downloads of a person are open at once; who does not read is cut off, and an end frees the place', async () => {
  await using t = await startTestApp()
  const ends: Socket[] = []
  t.app.server.on('connection', (socket) => ends.push(socket))
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const [path, theirs] = [await uploadLarge(t, user), await uploadLarge(t, other)]
  const status = async (file: string, { token }: TestUser) => {
    const response = await t.fetch(file, { token })
    await response.arrayBuffer()
    return response.status
  }
  for (let n = 0; n < 4; n += 1) expect(await status(path, user)).toBe(200)
  ends.length = 0
  const held = [await holdDownload(t, user, path), await holdDownload(t, user, path), await holdDownload(t, user, path)]
  expect(await status(path, user)).toBe(429)
  expect(await status(theirs, other)).toBe(200)
  held[0]?.destroy()
  await expect.poll(() => status(path, user)).toBe(200)
  const stalled = ends.filter(({ timeout, destroyed }) => timeout === MINUTE && !destroyed)
  expect(stalled).toHaveLength(2)
  const gone = held.slice(1).map((socket) => once(socket.resume(), 'close'))
  for (const socket of stalled) socket.emit('timeout')
  await Promise.all(gone)
  await expect.poll(() => status(path, user)).toBe(200)
})

test('a download that trickles ends after three minutes', async () => {
  await using t = await startTestApp()
  const user = await t.makeUser()
  const path = await uploadLarge(t, user)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const held = await holdDownload(t, user, path)
    const gone = once(held, 'close')
    vi.advanceTimersByTime(3 * MINUTE)
    held.resume()
    await gone
    expect(held.bytesRead).toBeLessThan(LARGE.length)
  } finally {
    vi.useRealTimers()
  }
})

async function holdUpload(t: TestApp, user: TestUser): Promise<Socket> {
  const socket = await hold(t, user, 'POST /api/v1/support/files')
  socket.write('Content-Type: application/pdf\r\nFile-Name: slow.pdf\r\nContent-Length: 1000\r\n\r\n%PDF')
  return socket
}

test('a crowd of slow senders leaves places to other networks, and each that sends next to nothing loses its own', async () => {
  await using t = await startTestApp()
  const crowd = await Promise.all(Array.from({ length: 9 }, () => t.makeUser()))
  const honest = await t.makeUser()
  const tries = async () => {
    t.clock.advance(6 * SECOND)
    const response = await t.fetch('/api/v1/support/files', {
      method: 'POST',
      token: honest.token,
      headers: { 'content-type': 'application/pdf' },
      body: new Uint8Array(),
    })
    return response.status
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const slow = await Promise.all(crowd.map((user) => holdUpload(t, user)))
    await expect.poll(tries).toBe(503)
    const answers = slow.map((socket) => text(socket))
    vi.advanceTimersByTime(15 * SECOND)
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /)
      expect(answer).toContain('slow.pdf')
    }
    await expect.poll(tries).toBe(422)
  } finally {
    vi.useRealTimers()
  }
  expect(t.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('who sends slowly is let finish for four minutes, and gives way when others need the place', async () => {
  await using t = await startTestApp()
  const ends: Socket[] = []
  t.app.server.on('connection', (socket) => ends.push(socket))
  const crowd = await Promise.all(Array.from({ length: 9 }, () => t.makeUser()))
  const honest = await t.makeUser()
  const length = 4 * MEBIBYTE
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const slow = await Promise.all(
      crowd.map(async (user) => {
        const socket = await hold(t, user, 'POST /api/v1/support/files')
        socket.write(
          `Content-Type: application/pdf\r\nFile-Name: slow.pdf\r\nContent-Length: ${length}\r\n\r\n%PDF-1.7\n`,
        )
        return socket
      }),
    )
    const answers = slow.map((socket) => text(socket))
    const goOn = async (bytes: number) => {
      const theirs = ends.slice(0, crowd.length)
      const before = theirs.map(({ bytesRead }) => bytesRead)
      for (const socket of slow) if (socket.writable) socket.write(Buffer.alloc(bytes))
      const came = () => theirs.every((end, n) => end.destroyed || end.bytesRead >= (before[n] ?? 0) + bytes)
      await vi.waitFor(() => expect(came()).toBe(true), { timeout: 5_000 })
      vi.advanceTimersByTime(15 * SECOND)
    }
    await expect.poll(async () => (await t.ctx.metrics.uploads.get()).values[0]?.value).toBe(crowd.length)
    await goOn(64 * KIBIBYTE)
    await goOn(64 * KIBIBYTE)
    expect(ends.filter(({ destroyed }) => destroyed)).toEqual([])
    const small = await t.fetch('/api/v1/support/files', {
      method: 'POST',
      token: honest.token,
      headers: { 'content-type': 'application/pdf' },
      body: new Uint8Array(PDF),
    })
    expect(small.status).toBe(201)
    expect(await Promise.race(answers)).toContain('408')
    for (let stretch = 3; stretch < 16; stretch += 1) await goOn(32 * KIBIBYTE)
    vi.advanceTimersByTime(15 * SECOND)
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  } finally {
    vi.useRealTimers()
  }
})

test('a network that has its share makes room among its own: who sends slowly elsewhere goes on', async () => {
  await using t = await startTestApp({ config: { trustedProxies: ['loopback'] } })
  const ends: Socket[] = []
  t.app.server.on('connection', (socket) => ends.push(socket))
  const held: Socket[] = []
  const users = await Promise.all(Array.from({ length: 10 }, () => t.makeUser()))
  const begin = async (from: number, addresses: string[]) => {
    for (const [n, address] of addresses.entries()) {
      const socket = await hold(t, users[from + n] ?? expect.fail(), 'POST /api/v1/support/files')
      held.push(socket)
      const head = 'Content-Type: application/pdf\r\nFile-Name: slow.pdf\r\nContent-Length: 4000000\r\n\r\n'
      socket.write(`X-Forwarded-For: ${address}\r\n${head}`)
    }
    await expect.poll(async () => (await t.ctx.metrics.uploads.get()).values[0]?.value).toBe(held.length)
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const elsewhere = Array.from({ length: 7 }, (_, n) => `203.0.${n}.1`)
    await begin(0, elsewhere)
    for (const socket of held) socket.write(Buffer.alloc(64 * KIBIBYTE))
    await expect.poll(() => ends.every(({ bytesRead }) => bytesRead > 64 * KIBIBYTE)).toBe(true)
    vi.advanceTimersByTime(15 * SECOND)
    await begin(7, ['198.51.100.7', '198.51.100.7'])
    const third = await t.fetch('/api/v1/support/files', {
      method: 'POST',
      token: users[9]?.token ?? '',
      body: new Uint8Array(PDF),
      headers: { 'content-type': 'application/pdf', 'x-forwarded-for': '198.51.100.7' },
    })
    expect(third.status).toBe(503)
    expect(ends.slice(0, elsewhere.length).filter(({ destroyed }) => destroyed)).toEqual([])
  } finally {
    for (const socket of held) socket.destroy()
    vi.useRealTimers()
  }
})

// Finding A-1: a slow decoding counted like a quick one, and was forgotten before the next one ended.
test('A-1: four accounts whose pictures take long keep a fifth waiting for one of them at most', async () => {
  await using t = await startTestApp()
  const order: string[] = []
  const ends: (() => void)[] = []
  const send = (name: string, userId: number) =>
    pictureDecodingQueue.run(t.ctx, askerOf(userId, ''), async () => {
      order.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      await promise
    })
  const sent: Promise<void>[] = []
  const endAfter = async (ms: number) => {
    const begun = order.length
    t.clock.advance(ms)
    ends.shift()?.()
    await expect.poll(() => order.length).toBe(begun + 1)
  }
  for (let n = 1; n <= 4; n += 1) sent.push(send('slow', n))
  for (let n = 1; n <= 4; n += 1) {
    await endAfter(2 * SECOND)
    sent.push(send('slow', n))
  }
  for (let round = 0; round < 3; round += 1) {
    sent.push(send('honest', 5))
    await endAfter(2 * SECOND)
    expect(order.at(-1)).toBe('honest')
    await endAfter(10)
  }
  while (ends.length > 0) {
    ends.shift()?.()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
  await Promise.all(sent)
})

test('once more than half of the places are taken, a network has two', () => {
  const places = new Places({ all: 16, ofPerson: 1, ofNetwork: 2 })
  const take = (userId: number, network: string) => places.take({ userId, network })
  for (let userId = 1; userId <= 9; userId += 1) take(userId, 'crowd')
  expect(() => take(10, 'crowd')).toThrow('TOO_MANY_REQUESTS')
  const end = take(11, 'home')
  take(12, 'home')
  expect(() => take(13, 'home')).toThrow('TOO_MANY_REQUESTS')
  end()
  end()
  expect(() => take(12, 'elsewhere')).toThrow('TOO_MANY_REQUESTS')
  take(13, 'home')
  for (let userId = 20; userId < 25; userId += 1) take(userId, `network ${userId}`)
  expect(() => take(30, 'one more')).toThrow('TOO_MANY_REQUESTS')
})
