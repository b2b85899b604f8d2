import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newApiKey, newBuyer } from './support/accounts.ts'
import { balance, browser, expectBalance, liveOpened, panelRow, signIn } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

const ticketOf = (page: Page, service: string) => page.getByRole('article').filter({ hasText: service }).first()

async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Buy for/ }).click()
}

async function priceOnButton(page: Page): Promise<number> {
  const text = await page.getByRole('button', { name: /^Buy for/ }).innerText()
  return Number(/([\d.]+)/.exec(text)?.[1])
}

const amount = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ''))

test('a newcomer logs in, buys a number and sees the code without a reload', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signIn(page, await newBuyer(server))
  const before = amount(await balance(page))
  await panelRow(page, 'Service', /^Telegram/).click()
  await panelRow(page, 'Country', /^Kazakhstan/).click()
  const price = await priceOnButton(page)
  await page.evaluate(() => {
    document.body.dataset.sameDocument = 'yes'
  })
  await buy(page)
  const ticket = ticketOf(page, 'Telegram')
  await ticket.getByText(/\+7 7\d\d \d{3} \d\d \d\d/).waitFor()
  const code = ticket.locator('.ticket-code')
  await code.waitFor()
  expect(await code.innerText()).toMatch(/^\d{5,6}$/)
  await expectBalance(page, `${(before - price).toFixed(2)} ₽`)
  expect(
    await page
      .getByRole('banner')
      .getByRole('link', { name: /Activations/ })
      .innerText(),
  ).toContain('1')
  // The setting copying_code is on by default, so the code is in the clipboard already.
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await code.innerText())
  expect(await page.evaluate(() => document.body.dataset.sameDocument)).toBe('yes')
  expect(visit.complaints).toEqual([])
})

test.each([390, 1440])('13, 22: at %i px nothing moves when the code comes', async (width) => {
  const path = '/?service=tg&country=2&operator=steady'
  await using visit = await browser.openAs(server, await newBuyer(server), path, { width, height: 844 })
  const { page } = visit
  await buy(page)
  const ticket = ticketOf(page, 'Telegram')
  await ticket.getByText('Waiting for SMS').waitFor()
  const places = () =>
    ticket.evaluate((article) => {
      const names = ['.ticket-phone', '.ticket-number', '.ticket-value', '.ticket-help', '[data-stub-button]']
      return [article, ...names.map((name) => article.querySelector(name))].map((part) => {
        const { x, y, height } = (part as Element).getBoundingClientRect()
        return [x, y, height].map(Math.round)
      })
    })
  const before = await places()
  await page.evaluate(() => {
    type Shift = PerformanceEntry & { sources: { node: Node | null }[] }
    const shifted: string[] = []
    Object.assign(globalThis, { shifted })
    const nameOf = (node: Node | null) => `${node?.nodeName} ${node?.textContent?.slice(0, 80)}`
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[]) shifted.push(...sources.map(({ node }) => nameOf(node)))
    }).observe({ type: 'layout-shift' })
  })
  const code = ticket.locator('.ticket-code')
  await code.waitFor({ timeout: 20_000 })
  expect(await places()).toEqual(before)
  expect(await page.evaluate(() => (globalThis as unknown as { shifted: string[] }).shifted)).toEqual([])
  expect(visit.complaints).toEqual([])
})

test('a number bought while the page is loaded again for who logged in is there with the numbers', async () => {
  await using visit = await browser.open(`${server.url}/?service=wa&country=2&operator=silent`)
  const { page } = visit
  const bought = Promise.withResolvers<void>()
  // The response with the list of numbers is made before the purchase, but reaches the page after it.
  await page.route('**/api/user/active-numbers?**', async (route) => {
    const response = await route.fetch()
    await bought.promise
    await route.fulfill({ response })
  })
  // The list is polled only every 30 seconds while the live channel is open.
  const opened = liveOpened(page)
  await signIn(page, await newBuyer(server))
  const sold = page.waitForResponse((response) => response.url().endsWith('/api/v1/activations') && response.ok())
  await buy(page)
  await Promise.all([sold, opened])
  bought.resolve()
  const ticket = ticketOf(page, 'WhatsApp')
  await ticket.getByText('Waiting for SMS').waitFor({ timeout: 15_000 })
  await ticket.getByRole('button', { name: 'Cancel', exact: true }).click()
  await ticket.getByText('Refunded:').waitFor()
  expect(visit.complaints).toEqual([])
})

test('a number that stays silent is cancelled and the money is back', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/?service=wa&country=2&operator=silent')
  const { page } = visit
  const before = await balance(page)
  await buy(page)
  const ticket = ticketOf(page, 'WhatsApp')
  await ticket.getByText('Waiting for SMS').waitFor()
  await expect.poll(() => balance(page)).not.toBe(before)
  await ticket.getByRole('button', { name: 'Cancel', exact: true }).click()
  await ticket.getByText('Refunded:').waitFor()
  await expectBalance(page, before)
  expect(visit.complaints).toEqual([])
})

test('a number that stays silent to its end gives the money back by itself', async () => {
  const buyer = await newBuyer(server)
  await using visit = await browser.openAs(server, buyer, '/?service=vi&country=2&operator=silent')
  const { page } = visit
  const before = await balance(page)
  await buy(page)
  const ticket = ticketOf(page, 'Viber')
  await ticket.getByText('Waiting for SMS').waitFor()
  const text = `UPDATE activations SET expires_at = now() WHERE user_id = $userId`
  await server.pool.query({ text, values: { userId: buyer.id } })
  await ticket.getByText('Refunded:').waitFor()
  await expectBalance(page, before)
  expect(visit.complaints).toEqual([])
})

test('a second tab sees the purchase and its code', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/?service=go&country=6&operator=swift')
  const { page, context } = visit
  const other = await context.newPage()
  await other.goto(`${server.url}/activations`)
  await buy(page)
  await ticketOf(other, 'Google').locator('.ticket-code').waitFor({ timeout: 20_000 })
  expect(visit.complaints).toEqual([])
})

test('a program buys through handler_api, and the open page shows it', async () => {
  const buyer = await newBuyer(server)
  await using visit = await browser.openAs(server, buyer, '/activations')
  const { page } = visit
  await page.getByRole('heading', { name: 'Activations' }).waitFor()
  const query = `api_key=${await newApiKey(server, buyer)}&action=getNumber&service=ds&country=1&operator=swift`
  const reply = await fetch(`${server.url}/stubs/handler_api.php?${query}`)
  expect(await reply.text()).toMatch(/^ACCESS_NUMBER:\d+:380\d+$/)
  await ticketOf(page, 'Discord').locator('.ticket-code').waitFor({ timeout: 20_000 })
})

test('a code is copied out of a dialog where scripts have no clipboard, as over plain HTTP', async () => {
  const buyer = await newBuyer(server)
  const query = `api_key=${await newApiKey(server, buyer)}&action=getNumber&service=tg&country=2&operator=swift`
  const bought = await (await fetch(`${server.url}/stubs/handler_api.php?${query}`)).text()
  await using visit = await browser.openAs(server, buyer, '/robots.txt')
  const { page } = visit
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.goto(`${server.url}/history`)
  const row = page.locator(`tr[data-purchase="${bought.split(':')[1]}"]`)
  await row.getByText(/^\d{5}$/).waitFor({ timeout: 20_000 })
  await row.getByRole('button', { name: /^Messages/ }).press('Enter')
  const dialog = page.getByRole('dialog')
  const code = await dialog.locator('li strong').first().innerText()
  await dialog.getByRole('button', { name: 'Copy code' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  await page.keyboard.press('Escape')
  const field = page.getByRole('searchbox', { name: 'Phone, service or #' })
  await field.press('Control+V')
  expect(await field.inputValue()).toBe(code)
})

test('the books hold after all of it', async () => {
  expect(await server.cli('ledger:verify')).toContain('ok')
})
