import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listenOnLoopback } from '#test/fakes/loopback-server.ts'
import { boundedFetch } from './bounded-fetch.ts'

const LIMITS = { timeoutMs: 60_000, maxBytes: 1_000 }

test('an answer within the limits comes whole, a packed one unpacked', async () => {
  await using server = await listenOnLoopback((_request, response) => {
    response.writeHead(418, { 'content-encoding': 'gzip', 'content-type': 'text/plain', 'x-other': 'kept' })
    response.end(gzipSync('words'))
  })
  const answer = await boundedFetch(server.url, {}, LIMITS)
  expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 418, text: 'words' })
  expect(Object.fromEntries(answer.headers)).toMatchObject({ 'content-type': 'text/plain', 'x-other': 'kept' })
  expect(answer.headers.has('content-encoding')).toBe(false)
})

test('an answer that is larger, also once unpacked, is cut off', async () => {
  await using server = await listenOnLoopback((request, response) => {
    if (request.url === '/packed') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000)))
      return
    }
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(500)));
    }
    response.on('drain', more)
    more()
  })
  for (const path of ['/packed', '/endless']) {
    await expect(boundedFetch(`${server.url}${path}`, {}, LIMITS)).rejects.toThrow('more than 1000 bytes')
  }
})

test('one that does not come, or stops half-way, is not waited for', async () => {
  await using server = await listenOnLoopback((request, response) => {
    if (request.url === '/half') response.writeHead(200).write('half')
  })
  for (const path of ['/never', '/half']) {
    const asking = boundedFetch(`${server.url}${path}`, {}, { ...LIMITS, timeoutMs: 50 })
    await expect(asking).rejects.toMatchObject({ name: 'TimeoutError' })
  }
})

test('a redirect is not followed', async () => {
  const asked: (string | undefined)[] = []
  await using server = await listenOnLoopback((request, response) => {
    asked.push(request.url)
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect((await boundedFetch(`${server.url}/here`, { method: 'POST' }, LIMITS)).status).toBe(302)
  expect(asked).toEqual(['/here'])
})
