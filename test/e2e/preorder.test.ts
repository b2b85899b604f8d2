import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, fillLogin, newBuyer, newPerson, type Person } from './support/accounts.ts'
import { axeFindings } from './support/axe.ts'
import { balance, browser, expectBalance, hasKeyboard, signIn } from './support/browser.ts'
import { type DemoServer, startDemoServer } from './support/demo-server.ts'

let server: DemoServer

beforeAll(async () => {
  server = await startDemoServer({ EARLY_CANCEL_SECONDS: '1' })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})

const WHY = ['--reason', 'a test', '--by', 'test']
const PHONE = { width: 390, height: 844 } as const

const amount = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ''))
const rubles = (value: number): string => `${value.toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')} ₽`
const ticketOf = (page: Page, service: string) => page.locator('article[data-activation]').filter({ hasText: service })
const waitingFor = (page: Page, service: string) => page.locator('article[data-preorder]').filter({ hasText: service })

/** Stops all sales until `returns` is called or the result is disposed. */
async function withoutStock(): Promise<AsyncDisposable & { returns: () => Promise<void> }> {
  await server.cli('supplier:pause', 'simulator', ...WHY)
  await expect.poll(priceOfTelegram).toBeNull()
  const returns = async (): Promise<void> => {
    await server.cli('supplier:resume', 'simulator', ...WHY)
    await expect.poll(priceOfTelegram).not.toBeNull()
  }
  return { returns, [Symbol.asyncDispose]: returns }
}

async function priceOfTelegram(): Promise<string | null> {
  const reply = await fetch(`${server.url}/api/price?service_id=tg&country_id=2`)
  return ((await reply.json()) as { data: { price: string | null } }).data.price
}

async function openPanel(query: string, look: Parameters<typeof browser.open>[1] = {}) {
  return await browser.openAs(server, await newBuyer(server), `/?${query}`, look)
}

async function buyerOf(...services: string[]): Promise<Person> {
  const buyer = await newBuyer(server)
  for (const service_id of services) {
    const wish = { service_id, country_id: 2, operator_id: 'silent' }
    await callApi(server, 'POST /api/v1/activations', wish, buyer.token)
  }
  return buyer
}

async function placePreorder(page: Page, atMost: string, button: string | RegExp = 'Place pre-order') {
  await page.getByLabel('Price limit, ₽').fill(atMost)
  await page.getByLabel('How long to wait').selectOption('24')
  await page.getByRole('button', { name: button }).click()
}

test('a pre-order buys the number as soon as there is one, and every tab sees it', async () => {
  await using stock = await withoutStock()
  await using visit = await openPanel('service=tg&country=2')
  const { page, context } = visit
  const before = amount(await balance(page))
  await page.getByText('No matching numbers right now').waitFor()
  const other = await context.newPage()
  await other.goto(`${server.url}/activations`)
  await placePreorder(page, '50')
  await expectBalance(page, rubles(before - 50))
  const told = waitingFor(other, 'Telegram')
  await told.getByText('up to 50.00 ₽').waitFor()
  await told.getByText('Kazakhstan').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await stock.returns()
  for (const tab of [page, other]) {
    await ticketOf(tab, 'Telegram').locator('.ticket-phone').waitFor({ timeout: 20_000 })
    await waitingFor(tab, 'Telegram').waitFor({ state: 'detached' })
  }
  await page.getByText('We bought the number you pre-ordered: Telegram, Kazakhstan').waitFor()
  const price = amount((await ticketOf(page, 'Telegram').getByText(/₽/).first().innerText()) ?? '')
  expect(price).toBeLessThan(50)
  await expectBalance(page, rubles(before - price))
  expect(visit.complaints).toEqual([])
})

test('on a phone a pre-order is placed with a comma, seen among the numbers and cancelled with the money back', async () => {
  await using _stock = await withoutStock()
  await using visit = await openPanel('service=wa&country=2', { ...PHONE, theme: 'dark' })
  const { page } = visit
  const before = await balance(page)
  await page.getByLabel('Price limit, ₽').fill('nothing')
  await page.getByRole('button', { name: 'Place pre-order' }).click()
  await page.getByText('Enter the highest price you’re willing to pay').waitFor()
  await placePreorder(page, '7,5')
  await page.waitForURL('**/activations')
  await waitingFor(page, 'WhatsApp').getByText('up to 7.50 ₽').waitFor()
  await expectBalance(page, rubles(amount(before) - 7.5))
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel the pre-order: WhatsApp, Kazakhstan' }).click()
  await waitingFor(page, 'WhatsApp').waitFor({ state: 'detached' })
  await expectBalance(page, before)
  expect(visit.complaints).toEqual([])
})

test('8.1: who cannot pay for a pre-order goes to the top-up with what is missing, and a visitor is led to registration', async () => {
  await using _stock = await withoutStock()
  await using visit = await browser.open(`${server.url}/?service=vi&country=2`)
  const { page } = visit
  await page.getByRole('button', { name: 'Register and pre-order' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Register' }).waitFor()
  await hasKeyboard(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await signIn(page, await newBuyer(server))
  const before = amount(await balance(page))
  await placePreorder(page, '5000', /^Top up .* to buy$/)
  await page.waitForURL('**/top-up?**')
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toEqual({
    amount: (5000 - before).toFixed(2),
    back: '/?service=vi&country=2&at=5000.00&wait=24',
  })
  expect(amount(await balance(page))).toBe(before)
  await page.goto(server.url + searchParams.get('back'))
  await expect.poll(() => page.getByLabel('Price limit, ₽').inputValue()).toBe('5000.00')
  expect(await page.getByLabel('How long to wait').inputValue()).toBe('24')
})

test('2.15: a pre-order begins with the price ceiling of the settings, and asks first who wants to be asked', async () => {
  const person = await newPerson(server, { balance: '12.50' })
  const settings = { confirmation_actions: true, max_price: '12.50' }
  await callApi(server, 'PATCH /api/v1/user/settings', settings, person.token)
  await using _stock = await withoutStock()
  await using visit = await browser.open(`${server.url}/?login=1&service=vi&country=2`)
  const { page } = visit
  await fillLogin(page.getByRole('dialog'), person)
  const most = page.getByRole('group', { name: 'Buy a number as soon as it’s available' }).getByLabel('Price limit, ₽')
  await expect.poll(() => most.inputValue()).toBe('12.50')
  const placed: string[] = []
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().endsWith('/api/v1/preorders')) placed.push(sent.url())
  })
  const place = page.getByRole('button', { name: 'Place pre-order' })
  await place.click()
  const question = page.getByRole('dialog', { name: 'Please confirm' })
  await question.getByText(/^Pre-order a number \(Viber, Kazakhstan\) for up to 12\.50\s₽\?/).waitFor()
  await hasKeyboard(question)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(placed).toEqual([])
  await place.click()
  await question.getByRole('button', { name: 'Place pre-order' }).click()
  await waitingFor(page, 'Viber').waitFor()
  expect(placed).toHaveLength(1)
})

test('a waiting number is replaced in its place, and the money stays the same', async () => {
  await using visit = await openPanel('service=vi&country=2&operator=silent')
  const { page } = visit
  const buy = async () => {
    const button = page.getByRole('button', { name: /^Buy for/ })
    const price = amount(await button.innerText())
    await button.click()
    return price
  }
  const start = amount(await balance(page))
  const first = await buy()
  const viber = ticketOf(page, 'Viber').first()
  await viber.getByText('Waiting for SMS').waitFor()
  await page.goto(`${server.url}/?service=ds&country=2&operator=silent`)
  const second = await buy()
  await ticketOf(page, 'Discord').getByText('Waiting for SMS').waitFor()
  const phone = await viber.locator('.ticket-phone').innerText()
  const before = rubles(start - first - second)
  await expectBalance(page, before)
  const services = () => page.locator('article[data-activation] h3').allInnerTexts()
  const order = await services()
  await viber.getByRole('button', { name: 'Another number' }).and(page.locator(':not([aria-disabled="true"])')).click()
  await expect.poll(() => viber.locator('.ticket-phone').innerText()).not.toBe(phone)
  // The pressed button may disappear with its card, so the focus must stay within the list of numbers.
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-activation]') !== null)).toBe(true)
  await viber.getByText('Waiting for SMS').waitFor()
  expect(await services()).toEqual(order)
  await expectBalance(page, before)
  // No other number is in stock, so the first number is kept and no money is lost.
  await using _stock = await withoutStock()
  await viber.getByRole('button', { name: 'Another number' }).and(page.locator(':not([aria-disabled="true"])')).click()
  await page.getByText(/^There are no other numbers/).waitFor()
  await viber.getByText('Waiting for SMS').waitFor()
  await expectBalance(page, before)
  expect(visit.complaints.filter((text) => !text.includes('409'))).toEqual([])
})

test('an ended number is bought once more, after its price was asked about', async () => {
  await using visit = await openPanel('service=go&country=6&operator=swift')
  const { page } = visit
  await page.getByRole('button', { name: /^Buy for/ }).click()
  const google = ticketOf(page, 'Google')
  await google.first().locator('.ticket-code').waitFor({ timeout: 20_000 })
  const phone = await google.first().locator('.ticket-phone').innerText()
  await google.first().getByRole('button', { name: 'Done' }).click()
  await google.first().getByRole('button', { name: 'Buy again' }).click()
  const question = page.getByRole('dialog')
  await question.getByText(phone).waitFor()
  await question.getByRole('button', { name: /^Buy for/ }).click()
  await expect.poll(() => google.count()).toBe(2)
  await expect.poll(() => google.first().locator('.ticket-phone').innerText()).toBe(phone)
  expect(visit.complaints).toEqual([])
})

test('the key f opens the last purchases, and Enter buys one again', async () => {
  const buyer = await buyerOf('ds')
  await using visit = await browser.openAs(server, buyer, '/?service=am&country=2&operator=silent')
  const { page } = visit
  await page.getByRole('button', { name: /^Buy for/ }).click()
  const amazon = ticketOf(page, 'Amazon')
  await amazon.getByText('Waiting for SMS').waitFor()
  await page.goto(`${server.url}/?service=tg&country=2`)
  await page.getByRole('button', { name: 'Quick buy' }).waitFor()
  await page.locator('#main').press('f')
  const dialog = page.getByRole('dialog', { name: 'Quick buy' })
  const row = dialog.getByRole('button', { name: /Amazon/ })
  await row.waitFor()
  expect(await axeFindings(page)).toEqual([])
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
  await row.press('ArrowUp')
  expect(await row.evaluate((element) => element === document.activeElement)).toBe(false)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => amazon.count()).toBe(2)
  expect(visit.complaints).toEqual([])
  const refusal = { status: false, code: 'NO_BALANCE', message: 'Top up', data: { missing: '12.50' } }
  await page.route('**/api/v1/activations', (route) => route.fulfill({ status: 409, json: refusal }))
  await page.locator('#main').press('f')
  await row.click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL('**/top-up?**')
  const back = expect.stringMatching(/^\/\?service=am&country=2/)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ amount: '12.50', back })
})

test('on a phone the dialog is in the menu; what has run out leads to the panel', async () => {
  const buyer = await buyerOf('am')
  await using _stock = await withoutStock()
  await using visit = await browser.openAs(server, buyer, '/', PHONE)
  const { page } = visit
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Quick buy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Quick buy' })
  await dialog.getByRole('link', { name: /Amazon/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.waitForURL('**/?service=am&country=2*')
  await page.getByText('No matching numbers right now').waitFor()
  expect(visit.complaints).toEqual([])
})

// A real pause takes dozens of purchases, so the answers with a pause are invented.
test('a pause is said above the numbers and beside the button, with its end', async () => {
  await using visit = await browser.openAs(server, await buyerOf('ds', 'am'), '/?service=tg&country=2')
  const { page } = visit
  const until = new Date(Date.now() + 30 * 60_000).toISOString()
  await page.route('**/api/user/active-numbers*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as object
    const antifraud = [{ service_id: 'tg', country_id: 2, until }]
    await route.fulfill({ response, json: { ...body, antifraud } })
  })
  await page.route('**/api/v1/activations', (route) =>
    route.fulfill({
      status: 409,
      json: { status: false, code: 'PAIR_PAUSED', message: 'Too few codes', data: { until } },
    }),
  )
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await page
    .getByText(/^Too few of your purchases received a code, so we’ve paused this service in this country/)
    .waitFor()
  await page.getByRole('combobox', { name: 'Sort', exact: true }).selectOption('oldest')
  const notice = page.getByRole('region', { name: 'Buying is paused' })
  await notice.getByText('Telegram').waitFor()
  await notice.getByText('Kazakhstan').waitFor()
  await notice.getByText(/^(30:00|29:\d\d)$/).waitFor()
  expect(await axeFindings(page)).toEqual([])
})

test('the books hold after all of it', async () => {
  expect(await server.cli('ledger:verify')).toContain('ok')
})
