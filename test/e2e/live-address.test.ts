import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CERTIFICATE, KEY } from '#test/fakes/loopback-certificate.ts'
import { freePort } from '#test/harness/free-port.ts'
import { newBuyer } from './support/accounts.ts'
import { browserOfWorker, liveOpened, signIn } from './support/browser.ts'
import { demoOfWorker, startDemoServer } from './support/demo-server.ts'

const demo = demoOfWorker()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ringpost-live-'))
  await Promise.all([
    writeFile(join(folder, 'cert.pem'), CERTIFICATE),
    writeFile(join(folder, 'key.pem'), KEY, { mode: 0o600 }),
  ])
})
afterAll(() => rm(folder, { recursive: true }))

test('live events come by the live port, over TLS', async () => {
  const port = await freePort()
  await using server = await startDemoServer({
    REALTIME_PORT: String(port),
    REALTIME_TLS_CERT: join(folder, 'cert.pem'),
    REALTIME_TLS_KEY: join(folder, 'key.pem'),
  })
  await using context = await (await browserOfWorker()).newContext({ ignoreHTTPSErrors: true })
  await context.addCookies([{ name: 'locale', value: 'en', url: server.url }])
  const page = await context.newPage()
  await page.goto(server.url)
  const opened = page.waitForEvent('websocket')
  await signIn(page)
  const socket = await opened
  expect(socket.url()).toMatch(new RegExp(`^wss://localhost:${port}/app/ringpost\\?`))
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('subscription_succeeded'))
})

// Regression test: after one network failure while loading the live channel's script, the tab never tried again.
test('a tab that could not load the live channel tries again, and says so meanwhile', async () => {
  await using context = await (await browserOfWorker()).newContext({ serviceWorkers: 'block' })
  await context.addCookies([{ name: 'locale', value: 'en', url: demo.url }])
  const page = await context.newPage()
  let lost = 0
  await page.route('**/assets/connection-*.js', async (route) => {
    lost += 1
    await (lost === 1 ? route.abort('internetdisconnected') : route.continue())
  })
  const opened = liveOpened(page)
  await page.goto(demo.url)
  await signIn(page, await newBuyer(demo))
  await page.getByRole('status').getByText('reconnecting').waitFor()
  await opened
  await page.getByRole('status').getByText('reconnecting').waitFor({ state: 'detached' })
  expect(lost).toBeGreaterThan(1)
})

// A proxy may forward one port only, so the tab remembers that the live port failed.
test('where the live port does not open, the tab goes on by the address of the page', async () => {
  const closed = await freePort()
  // A service worker's fetch would bypass Playwright's routes.
  await using context = await (await browserOfWorker()).newContext({ serviceWorkers: 'block' })
  await context.addCookies([{ name: 'locale', value: 'en', url: demo.url }])
  const page = await context.newPage()
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).port))
  await pretendRealtime(page, demo.url, { port: closed, publicUrl: '' })
  await page.goto(demo.url)
  await signIn(page, await newBuyer(demo))
  const own = new URL(demo.url).port
  await expect.poll(() => sockets.at(-1)).toBe(own)
  expect(sockets[0]).toBe(String(closed))
  sockets.length = 0
  await page.reload()
  await expect.poll(() => sockets[0]).toBe(own)
  sockets.length = 0
  await pretendRealtime(page, demo.url, { port: closed, publicUrl: `ws://127.0.0.1:${demo.realtimePort}` })
  await page.reload()
  await expect.poll(() => sockets[0]).toBe(String(demo.realtimePort))
})

/** Serves the page with changed live-channel settings and no content security policy, which would forbid them. */
async function pretendRealtime(page: Page, url: string, settings: { port: number; publicUrl: string }): Promise<void> {
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _policy, ...headers } = response.headers()
    const text = await response.text()
    const body = text.replace(/"realtime":\{[^}]*\}/, (found) => {
      const { realtime } = JSON.parse(`{${found}}`) as { realtime: object }
      return `"realtime":${JSON.stringify({ ...realtime, ...settings })}`
    })
    await route.fulfill({ response, body, headers })
  })
}
