import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { TestSocket, welcomed } from '#test/services/realtime-service.ts'

const CLOSE = 'Connection: close\n'
const KEY = 'Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n'
const H2C = 'Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\n'

async function open(t: TestApp) {
  const { port } = t.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function ask(t: TestApp, request: string): Promise<string> {
  const socket = await open(t)
  let answer = ''
  socket.on('data', (part) => {
    answer += part
  })
  const closed = once(socket, 'close')
  socket.write(request.replaceAll('\n', '\r\n'))
  await closed
  return answer
}

async function statuses(t: TestApp, request: string): Promise<number[]> {
  return [...(await ask(t, request)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map((match) => Number(match[1]))
}

// Regression test for B2: a request with an upgrade header was never answered and delayed a shutdown.
const IGNORED: [path: string, headers: string][] = [
  ['/healthz', H2C],
  ['/stubs/handler_api.php?action=getBalance', H2C],
  ['/v1/guest/countries', H2C],
  ['/healthz', 'Connection: Upgrade\nUpgrade: TLS/1.0\n'],
  ['/healthz', 'Connection: upgrade\nUpgrade: websocket, h2c\n'],
  ['/healthz', `Connection: Upgrade\nUpgrade: websocket\n${KEY}`],
]

test('B2: elsewhere an Upgrade is ignored, and the connection ends with the answer', async () => {
  await using t = await startTestApp()
  for (const [path, headers] of IGNORED) {
    const answers = await statuses(t, `GET ${path} HTTP/1.1\nHost: localhost\n${headers}\n`)
    expect([path, headers, answers]).toEqual([path, headers, [200]])
    const body = 'Content-Type: application/x-www-form-urlencoded\nContent-Length: 17\n\naction=getBalance'
    const posted = await ask(t, `POST /stubs/handler_api.php HTTP/1.1\nHost: localhost\n${headers}${body}`)
    expect(posted).toMatch(/^HTTP\/1\.1 200 .*NO_KEY$/s)
  }
})

test('B2: on /app/ a WebSocket alone upgrades, whatever the form of its target', async () => {
  await using t = await startTestApp()
  const path = `/app/${t.ctx.config.realtime.appKey}?protocol=7`
  using socket = new TestSocket(`${t.url.replace('http', 'ws')}${path}`)
  await welcomed(socket)
  for (const target of [path, `http://localhost${path}`]) {
    const opened = await open(t)
    opened.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n`)
    opened.write(`${KEY.replaceAll('\n', '\r\n')}\r\n`)
    const [first] = await once(opened, 'data')
    expect([target, String(first).split('\r\n')[0]]).toEqual([target, 'HTTP/1.1 101 Switching Protocols'])
    opened.destroy()
  }
  const websocket = `Connection: Upgrade\nUpgrade: websocket\n`
  expect(await statuses(t, `GET ${path} HTTP/1.1\nHost: localhost\n${H2C}\n`)).toEqual([404])
  expect(await statuses(t, `GET ${path} HTTP/1.1\nHost: localhost\n${websocket}\n`)).toEqual([400])
  expect(await statuses(t, `POST ${path} HTTP/1.1\nHost: localhost\n${websocket}${KEY}Content-Length: 0\n\n`)).toEqual([
    405,
  ])
})

const HOP_BY_HOP: [headers: string, status: number][] = [
  ['Connection: close, x\n', 200],
  ['Connection: keep-alive, close\n', 200],
  ['Connection: Host, Authorization, Content-Length\n', 200],
  ['Connection: \n', 200],
  ['Connection: ,,\n', 200],
  ['Connection: Upgrade\n', 200],
  ['Upgrade: h2c\n', 200],
  ['Keep-Alive: timeout=99999999, max=0\n', 200],
  ['Proxy-Connection: keep-alive\n', 200],
  ['Proxy-Authorization: Basic YTpi\n', 200],
  ['Proxy-Authenticate: Basic\n', 200],
  ['TE: trailers, deflate;q=0.5\nConnection: TE\n', 200],
  ['Trailer: Expires\n', 200],
  ['Max-Forwards: 0\n', 200],
  ['HTTP2-Settings: AAMAAABkAAQAAP__\n', 200],
  ['Expect: 100-continue\n', 200],
  ['Expect: wonders\n', 417],
  ['Transfer-Encoding: identity\n', 400],
  ['Transfer-Encoding: gzip\n', 400],
  ['Transfer-Encoding: chunked, gzip\n', 400],
  ['Transfer-Encoding: chunked\nContent-Length: 3\n', 400],
  ['Content-Length: 3\nContent-Length: 4\n', 400],
  ['Content-Length: -1\n', 400],
]

test('B2: whatever headers of one hop say, a request is answered', async () => {
  await using t = await startTestApp()
  for (const [headers, status] of HOP_BY_HOP) {
    const answers = await statuses(t, `GET /healthz HTTP/1.1\nHost: localhost\n${headers}${CLOSE}\n`)
    expect([headers, answers.filter((each) => each !== 100)]).toEqual([headers, [status]])
  }
})

const VERSIONS: [version: string, status: number][] = [
  ['HTTP/1.0', 200],
  ['HTTP/0.9', 200],
  ['HTTP/1.2', 400],
  ['HTTP/2.0', 200],
  ['HTTP/3', 400],
  ['HTTP/1.1.1', 400],
  ['http/1.1', 400],
  ['ICY/1.1', 400],
]

test('B2: odd versions, other protocols and a tunnel are answered or refused at once', async () => {
  await using t = await startTestApp()
  for (const [version, status] of VERSIONS) {
    const answers = await statuses(t, `GET /healthz ${version}\nHost: localhost\n${CLOSE}\n`)
    expect([version, answers]).toEqual([version, [status]])
  }
  expect(await statuses(t, 'PRI * HTTP/2.0\n\nSM\n\n')).toEqual([400])
  expect(await statuses(t, '\u0016\u0003\u0001\u0000\u0005hello')).toEqual([400])
  expect(await ask(t, 'CONNECT localhost:443 HTTP/1.1\nHost: localhost\n\n')).toBe('')
})

test('B16: a whole address as a target is taken, and its host counts instead of the header', async () => {
  await using t = await startTestApp()
  const status = (target: string, host = 'localhost') =>
    statuses(t, `GET ${target} HTTP/1.1\nHost: ${host}\n${CLOSE}\n`)
  for (const target of ['http://localhost/healthz', 'HTTP://LOCALHOST:3000/healthz?x=/', 'https://localhost/healthz']) {
    expect([target, await status(target)]).toEqual([target, [200]])
    expect([target, await status(target, 'evil.test')]).toEqual([target, [200]])
  }
  expect(await status('http://evil.test/healthz')).toEqual([421])
  for (const target of ['http://user@localhost/healthz', 'ftp://localhost/healthz', 'http:///healthz', '*']) {
    expect([target, await status(target)]).toEqual([target, [400]])
  }
  for (const target of ['http://localhost', 'http://localhost?a=b']) expect(await status(target)).toEqual([404])
})

test('B16: a program reads JSON for a path that cannot be decoded', async () => {
  await using t = await startTestApp()
  for (const path of ['/service/%E0%A4%A', '/api/v1/history/%E0%A4%A', '/%']) {
    const answer = await ask(t, `GET ${path} HTTP/1.1\nHost: localhost\nAccept: */*\n${CLOSE}\n`)
    expect([path, answer]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 400 .*"MALFORMED_BODY"/s)])
  }
})

test('B2: two hundred that ask for another protocol are all answered, and hold up no stop', async () => {
  await using t = await startTestApp()
  const request = `GET /healthz HTTP/1.1\nHost: localhost\n${H2C}\n`
  const answers = await Promise.all(Array.from({ length: 200 }, () => statuses(t, request)))
  expect(answers.flat()).toEqual(Array(200).fill(200))
  expect(await t.drain.finish(600_000)).toBe(0)
})
