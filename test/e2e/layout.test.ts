import { expect, test } from 'vitest'
import { newBuyer } from './support/accounts.ts'
import { browser, hasHydrated, panelRow, signIn } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

test('the home page is rendered on the server, in both languages', async () => {
  for (const [locale, words] of [
    ['ru', ['Купить номер', 'Telegram', 'Казахстан', '₽']],
    ['en', ['Buy a number', 'Telegram', 'Kazakhstan', '₽']],
  ] as const) {
    const html = await (await fetch(server.url, { headers: { cookie: `locale=${locale}` } })).text()
    for (const word of words) expect(html).toContain(word)
    expect(html).toContain(`lang="${locale}"`)
  }
})

test('1.20, 2.10, 2.12: the header says who is logged in, before any script runs', async () => {
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  const header = page.getByRole('banner')
  await header.getByRole('button', { name: 'Log in' }).waitFor()
  await header.getByRole('button', { name: 'Register' }).waitFor()
  const sections = () => header.getByRole('navigation', { name: 'Sections' }).getByRole('link').allInnerTexts()
  expect(await sections()).toEqual(['Home', 'Loyalty program', 'Prices', 'Blog', 'FAQ'])
  await signIn(page, await newBuyer(server))
  await header.getByText('1000.00').or(header.getByText('1,000.00')).waitFor()
  const cookies = await context.cookies()
  for (const name of ['auth_token', 'refresh_token']) {
    expect(cookies.find((cookie) => cookie.name === name)).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  }
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const reply = await fetch(server.url, { headers: { cookie } })
  expect(await reply.text()).toContain('1,000.00')
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  await page.reload()
  await header.getByText('1,000.00').waitFor()
  expect(await header.getByRole('button', { name: 'Log in' }).count()).toBe(0)
  const names = (await sections()).map((words) => words.split('\n')[0])
  expect(names).toEqual(['Home', 'Activations', 'Rent', 'Prices', 'Blog', 'FAQ'])
  await header.getByRole('link', { name: 'Top up your balance' }).waitFor()
  await header.getByRole('button', { name: /^(Notifications|\d+ new notifications?)$/ }).waitFor()
  await header.getByRole('button', { name: 'Language: English' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('2.17, 3.12: the theme is light at first, switched between light and dark, and stays', async () => {
  expect(await (await fetch(server.url)).text()).toMatch(/<html[^>]* class="light"/)
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  await page.getByRole('banner').getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.className)).toContain('dark')
  const kept = async () => (await context.cookies()).find(({ name }) => name === 'theme')
  expect(await kept()).toMatchObject({ value: 'dark' })
  await page.reload()
  expect(await page.evaluate(() => document.documentElement.className)).toContain('dark')
  await page.getByRole('banner').getByRole('button', { name: 'Light theme' }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.className)).toBe('light')
  expect(await kept()).toMatchObject({ value: 'light' })
  expect(visit.complaints).toEqual([])
})

test('a visitor chooses, logs in, and the choice is still there', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await page
    .getByRole('button', { name: /^Telegram/ })
    .first()
    .click()
  await panelRow(page, 'Country', /^Kazakhstan/).click()
  await page.getByRole('form', { name: 'Buy a number' }).getByRole('button', { name: 'register', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log in', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.getByRole('button', { name: 'Use the demo account' }).click()
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('button', { name: /^Buy for/ }).waitFor()
  expect(page.url()).toContain('service=tg')
  expect(visit.complaints).toEqual([])
})

test('notices of many lines push the buy button off no first screen', async () => {
  const size = { width: 1024, height: 768 }
  await using visit = await browser.open(`${server.url}/?service=tg&country=2`, size)
  const { page } = visit
  await hasHydrated(page)
  const button = page.locator('[data-panel-buy]')
  await page.evaluate(() => {
    const strip = document.createElement('aside')
    strip.className = 'notice-strips'
    strip.textContent = 'Codes come late today. '.repeat(40)
    document.querySelector('main')?.before(strip)
  })
  const { height: pushed = 0 } = (await page.locator('aside.notice-strips').boundingBox()) ?? {}
  expect(pushed).toBeGreaterThan(120)
  const { y = size.height, height = 0 } = (await button.boundingBox()) ?? {}
  expect(y + height).toBeLessThan(size.height)
  // The end of the panel is still reached by scrolling.
  await page.locator('.buy-panel').evaluate((panel) => panel.scrollIntoView({ block: 'end' }))
  const panel = await page.locator('.buy-panel').boundingBox()
  expect((panel?.y ?? 0) + (panel?.height ?? 0)).toBeLessThanOrEqual(size.height + 1)
})

test('a wrong password is said beside the form, and nothing is lost', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('demo@ringpost.test')
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('Wrong e-mail or password').first().waitFor()
  expect(await dialog.getByLabel('E-mail').inputValue()).toBe('demo@ringpost.test')
})

test('2.5, 2.6, 2.8: paths are answered as the specification says', async () => {
  const get = (path: string) => fetch(`${server.url}${path}`, { redirect: 'manual', headers: { cookie: 'locale=en' } })
  const missing = await get('/no-such-page')
  expect(missing.status).toBe(404)
  expect(await missing.text()).toContain('Page not found')
  const capital = await get('/Activations?Page=2')
  expect([capital.status, capital.headers.get('location')]).toEqual([301, '/activations?Page=2'])
  const closed = await get('/activations')
  expect([closed.status, closed.headers.get('location')]).toEqual([302, '/?login=1&redirect=%2Factivations'])
  const call = await get('/api/no-such-call')
  expect(call.status).toBe(404)
  expect(await call.json()).toMatchObject({ status: false, code: 'NOT_FOUND' })
})
