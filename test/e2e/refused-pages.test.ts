import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newBuyer } from './support/accounts.ts'
import { browser, signIn } from './support/browser.ts'
import { demoOfWorker, startDemoServer } from './support/demo-server.ts'

const server = demoOfWorker()

const alerts = (page: Page) => page.getByRole('region', { name: 'Messages', exact: true }).locator('p')

async function answerWith(page: Page, path: string, status: number, body: object): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    (route) => route.fulfill({ status, json: { status: false, ...body } }),
  )
}

test('a page whose data is refused says why', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  for (const [status, shown] of [
    [403, 'You may not see this'],
    [409, 'Somebody was first'],
    [422, 'No such day'],
    [429, 'Too many requests'],
    [500, 'Server error. Try again later.'],
  ] as const) {
    await page.goto(`${server.url}/support`)
    await answerWith(page, '/api/v1/history', status, { code: 'REFUSED', message: shown })
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText(String(status), { exact: true }).waitFor()
    await expect.poll(async () => (await alerts(page).allInnerTexts()).join()).toContain(shown)
    const title = await page.getByRole('heading', { level: 1 }).innerText()
    expect(title).toBe(status === 500 ? 'Server error' : 'We couldn’t open this page')
    if (status !== 500) await page.getByRole('main').getByText(shown).waitFor()
  }
})

test('SP-1: a page that is asked for without a network says so, and opens by itself when it is back', async () => {
  await using visit = await browser.open(`${server.url}/price`)
  const { page, context } = visit
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).click()
  await page.getByRole('heading', { name: 'No connection', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/faq')
  expect(await page.getByText('500', { exact: true }).count()).toBe(0)
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'No connection', level: 1 }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.title()).not.toContain('error')
})

test('2.16: under maintenance a page is its message and a picture, and nothing else; it comes back by itself', async () => {
  await using closed = await startDemoServer({ MAINTENANCE_MESSAGE: 'Back at noon' })
  await using visit = await browser.open(`${closed.url}/activations`)
  const { page } = visit
  await page.getByText('Back at noon').waitFor()
  const words = (await page.locator('body').innerText()).trim().split(/\s*\n\s*/)
  expect(words).toEqual(['Back at noon'])
  expect(await page.locator('svg').textContent()).toBe('')
  expect(await page.title()).toBe('Maintenance — Ringpost')
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Back at noon')
  expect(await page.getByRole('link').or(page.getByRole('button')).count()).toBe(0)
  expect(visit.complaints.filter((words) => !words.includes('503'))).toEqual([])

  await page.clock.install()
  await page.reload()
  const looks: number[] = []
  page.on('response', (response) => response.request().method() === 'HEAD' && looks.push(response.status()))
  const aMinuteLater = async () => {
    await page.clock.fastForward(60_000)
    return looks.length
  }
  await expect.poll(aMinuteLater).toBeGreaterThan(0)
  expect(new Set(looks)).toEqual(new Set([503]))
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Back at noon')
  await page.route(page.url(), (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Open again</h1>' }))
  await aMinuteLater()
  await page.getByRole('heading', { name: 'Open again' }).waitFor()
})

test('an impossible address is refused with its own status', async () => {
  const reply = await fetch(`${server.url}/blog/search/%00`)
  const html = await reply.text()
  expect(reply.status).toBe(400)
  expect(html).not.toContain('Ошибка сервера')
})

test('SP-11: an address that cannot be decoded is refused on a page, which the browser takes over', async () => {
  for (const path of ['/service/%E0%A4%A', '/blog/search/%E0%A4%A']) {
    await using visit = await browser.open(server.url + path)
    const { page } = visit
    await page.getByRole('heading', { name: 'We couldn’t open this page' }).waitFor()
    await page.getByRole('link', { name: 'Ringpost' }).first().click()
    await page.waitForURL(({ pathname }) => pathname === '/')
    expect(visit.complaints.filter((words) => !/\b400\b|could not be decoded/.test(words))).toEqual([])
  }
})

test('a refusal is told once, and what is gone is not told', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/?service=tg&country=2')
  const { page } = visit
  await answerWith(page, '/api/v1/activations', 200, { message: 'Not today' })
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await expect.poll(() => alerts(page).allInnerTexts()).toEqual(['Not today'])
  await page.unroute(() => true)
  await answerWith(page, '/api/v1/activations', 404, { code: 'NOT_FOUND', message: 'Gone' })
  await expect.poll(() => alerts(page).count()).toBe(0)
  const answered = page.waitForResponse((response) => response.status() === 404)
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await answered
  await page.getByRole('button', { name: /^Buy for/, disabled: false }).waitFor()
  expect(await alerts(page).count()).toBe(0)
  expect(visit.complaints.filter((words) => words.includes('TypeError'))).toEqual([])
})

test('3.4, 3.5, 3.12: the page asks as the specification says', async () => {
  const asked: URL[] = []
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  page.on('request', (request) => asked.push(new URL(request.url())))
  const queriesOf = (path: string) => asked.filter(({ pathname }) => pathname === path).map((url) => url.searchParams)
  await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).toContain('secretKey')
  await signIn(page, await newBuyer(server))
  await expect.poll(() => queriesOf('/api/user/active-numbers').at(-1)?.get('per_page')).toBe('10')
  await expect.poll(() => queriesOf('/api/services').at(-1)?.get('version')).toBe('2')
  await page.goto(`${server.url}/?service=tg&country=2&operator=nobody`)
  await page.waitForURL((url) => !url.searchParams.has('operator'))
  expect(new URL(page.url()).searchParams.get('country')).toBe('2')
})
