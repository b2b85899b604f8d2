import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeSentry, startFakeSentry } from '#test/fakes/fake-sentry.ts'
import { type TemporaryFolder, temporaryFolder } from '#test/harness/temporary-folder.ts'
import { browser, signIn } from './support/browser.ts'
import { type DemoServer, startDemoServer } from './support/demo-server.ts'

let sentry: FakeSentry
let folder: TemporaryFolder
let server: DemoServer

beforeAll(async () => {
  sentry = await startFakeSentry()
  folder = await temporaryFolder()
  const snippets = folder.path('counters.html')
  await writeFile(snippets, '<script>document.documentElement.dataset.counted = "a < b"</script>\n')
  server = await startDemoServer({ COUNTER_SNIPPETS_FILE: snippets, SENTRY_DSN: sentry.dsn })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await folder?.[Symbol.asyncDispose]()
  await sentry?.[Symbol.asyncDispose]()
})

test('a configured snippet runs in a visitor’s page, another inline script does not', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const counted = () => page.evaluate(() => document.documentElement.dataset.counted)
  await expect.poll(counted).toBe('a < b')
  expect(visit.complaints).toEqual([])
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.documentElement.dataset.counted = "by somebody else"'
    document.head.append(script)
  })
  expect(await counted()).toBe('a < b')
  expect(visit.complaints.join()).toContain('Content Security Policy')
})

test('in a page that came to somebody logged in no snippet could run, and none is asked for', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signIn(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const policy = (await page.reload())?.headers()['content-security-policy'] ?? ''
  // The live channel's script is in the file that would load snippets, so the test waits for that file.
  await expect.poll(() => asked.some((path) => path.startsWith('/broadcasting/'))).toBe(true)
  expect(policy).toContain("script-src 'self';")
  expect(asked).not.toContain('/api/util/counter')
})

// Reports of faults contain no e-mail address, token or code.
test('faults are reported by Sentry’s protocol, without anything of the person', async () => {
  await using visit = await browser.open(`${server.url}/?service=tg`)
  const { page } = visit
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn(page)
  expect(asked.filter((url) => url.includes('send-report'))).toEqual([])
  await page.evaluate(() => reportError(new TypeError('no anna@ringpost.test with 048213')))
  await expect.poll(() => sentry.reports.length).toBe(1)
  const [first] = sentry.reports
  expect(first?.report.exception?.values[0]).toMatchObject({ type: 'TypeError', value: 'no [e-mail] with [digits]' })
  expect(first?.report.tags).toEqual({ role: 'user', page: '/' })
  expect(first?.report.release).toMatch(/^[0-9a-f]{12}$/)
  for (const part of ['user', 'request', 'breadcrumbs', 'extra']) expect(first?.report).not.toHaveProperty(part)
  for (const secret of ['demo@ringpost.test', 'anna', '048213']) expect(first?.envelope).not.toContain(secret)
})

test('a call that fails is reported by its name, and the person is told', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const before = sentry.reports.length
  const words = 'anna@ringpost.test has no right to this'
  await page.route('**/api/login', (route) =>
    route.fulfill({ status: 403, json: { status: false, code: 'FORBIDDEN', message: words } }),
  )
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('anna@ringpost.test')
  await dialog.getByLabel('Password', { exact: true }).fill('a-long-password')
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText(words).first().waitFor()
  await expect.poll(() => sentry.reports.length).toBe(before + 1)
  const last = sentry.reports.at(-1)
  expect(last?.report.message).toBe('POST /api/login: 403 FORBIDDEN')
  expect(last?.report.tags).toMatchObject({ role: 'user', call: 'POST /api/login', status: '403', code: 'FORBIDDEN' })
  for (const secret of ['anna', 'a-long-password']) expect(last?.envelope).not.toContain(secret)
})
