import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { DAY } from '#contract/time.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { rawRequest } from '#test/harness/raw-request.ts'
import { startPages } from '#test/services/page-service.ts'

async function statusOf(t: TestApp, request: string): Promise<number> {
  const { port } = t.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end(request.replaceAll('\n', '\r\n'))
  return Number((await text(socket)).split(' ')[1])
}

const LIST = '/api/services?country_id=2&load=all'

// Regression test for S-14: a request for a foreign host was redirected there, one with two hosts was answered.
test('a target that names a foreign host, and two hosts, are refused before anything looks at them', async () => {
  await using t = await startTestApp()
  const status = (target: string, hosts: string) => statusOf(t, `GET ${target} HTTP/1.1\n${hosts}Connection: close\n\n`)
  expect(await status('http://evil.test/FAQ', 'Host: localhost\n')).toBe(421)
  expect(await status('*', 'Host: localhost\n')).toBe(400)
  for (let time = 0; time < 2; time += 1) expect(await status(LIST, 'Host: localhost\n')).toBe(200)
  expect(await status(LIST, 'Host: localhost\nhOST: evil.test\n')).toBe(400)
})

// Regression test for S-10 (DNS rebinding): a foreign page could read the demo's mails under its own host name.
test('the demo answers on its own names alone', async () => {
  await using t = await startTestApp({ environment: { PUBLIC_URL: 'http://numbers.example:3000' } })
  const status = async (host: string, path = '/demo/mail.json') =>
    (await rawRequest(t.app, { path, headers: { host } })).statusCode
  for (const host of ['localhost', 'LOCALHOST:4500', '127.0.0.1:4500', '[::1]:4500', 'numbers.example']) {
    expect([host, await status(host)]).toEqual([host, 200])
  }
  for (const host of [
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'localhost@evil.test',
    'evil.test#localhost',
    '[::1',
    'a b',
  ]) {
    expect([host, await status(host)]).toEqual([host, 421])
  }
  expect(await status('localhost', LIST)).toBe(200)
  expect(await status('evil.test', LIST)).toBe(421)
  await using real = await startTestApp({ config: { demo: false } })
  expect((await rawRequest(real.app, { path: LIST, headers: { host: 'other.example' } })).statusCode).toBe(200)
})

// Regression test for S-13: paths with a backslash, which browsers read as foreign addresses, got status 500.
test('a backslash in a path is refused', async () => {
  await using site = await startPages()
  for (const path of ['/\\', '/\\:x', '/\\[', '/\\evil.test/x', '/a\\b', '//\\x']) {
    expect([path, (await site.get(path)).statusCode]).toEqual([path, 400])
  }
  for (const path of ['/[', '/%5c', '/%5B', '/:x', '//evil.test:x/']) {
    expect([path, (await site.get(path)).statusCode]).toEqual([path, 200])
  }
  expect(site.log.lines).toEqual([])
})

test('whoever finds a hole is told where to write', async () => {
  await using t = await startTestApp({ environment: { SECURITY_CONTACT: 'https://numbers.example/report' } })
  const reply = await rawRequest(t.app, { path: '/.well-known/security.txt' })
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8')
  const [contact, expires = ''] = reply.body.split('\n')
  expect(contact).toBe('Contact: https://numbers.example/report')
  const left = new Date(expires.replace('Expires: ', '')).getTime() - t.clock.now().getTime()
  expect(left).toBeGreaterThan(170 * DAY)
  expect(left).toBeLessThan(365 * DAY)
  expect(reply.body).toContain('Canonical: http://localhost')
})

// Regression test for S-12: replies of calls lacked the header Strict-Transport-Security.
test('on https every reply keeps browsers on https, also those of calls and programs', async () => {
  const environment = { PUBLIC_URL: 'https://localhost' }
  await using t = await startTestApp({ environment })
  const header = async (path: string) =>
    (await rawRequest(t.app, { path, headers: { 'accept-encoding': 'gzip' } })).headers['strict-transport-security']
  const paths = [LIST, LIST, '/stubs/handler_api.php', '/nowhere', '/api/user', '/%', '/healthz']
  for (const path of paths) expect([path, await header(path)]).toEqual([path, 'max-age=31536000'])
  expect(t.ctx.metrics.cachedReplies.count).toBe(1)
  await using all = await startTestApp({ environment: { ...environment, HSTS_SUBDOMAINS: '1' } })
  const reply = await rawRequest(all.app, { path: '/healthz' })
  expect(reply.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  await using plain = await startTestApp()
  expect((await rawRequest(plain.app, { path: '/healthz' })).headers).not.toHaveProperty('strict-transport-security')
})

test('a page that came without TLS is not ours where ours come by it', async () => {
  await using t = await startTestApp({ environment: { PUBLIC_URL: 'https://numbers.example' } })
  const user = await t.makeUser()
  const signIn = async (origin: string) => {
    const body = JSON.stringify({ email: user.email, password: user.password })
    const headers = { 'content-type': 'application/json', origin }
    return (await t.fetch('/api/login', { method: 'POST', headers, body })).status
  }
  expect(await signIn('http://numbers.example')).toBe(403)
  expect(await signIn(t.url)).toBe(403)
  expect(await signIn('https://numbers.example')).toBe(200)
})
