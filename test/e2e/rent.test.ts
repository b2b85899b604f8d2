import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { callApi, fillLogin, newBuyer } from './support/accounts.ts'
import { axeFindings, overflowOf } from './support/axe.ts'
import { balance, browser, expectBalance, type Look, panelRow } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

/** A cheap rental in Indonesia. The operator `swift` sends a code at once, `silent` never. */
const SWIFT = 'service=tg&country=6&operator=swift&period=4'
const SILENT = 'service=wa&country=6&operator=silent&period=4'

const openRent = async (query: string, look: Look = {}) =>
  browser.openAs(server, await newBuyer(server), `/rent?${query}`, look)

const rentButton = (page: Page) => page.getByRole('button', { name: /^Rent for/ })
const ticketOf = (page: Page, service: string) => page.getByRole('article', { name: service }).first()
const codeOf = (ticket: Locator) => ticket.locator('.ticket-code')
const amount = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ''))
const minus = (before: string, price: string) => `${(amount(before) - amount(price)).toFixed(2)} ₽`

test('a phone reads every period without a zoom, with the price and its button in sight', async () => {
  await using visit = await openRent('service=tg&country=6&period=168', { width: 390, height: 844 })
  const { page } = visit
  const periods = page.getByRole('button', { name: /^\d+ (hours|days?)/ })
  await rentButton(page).waitFor()
  const sizes = await periods
    .locator('span')
    .evaluateAll((lines) => lines.map((line) => Number.parseFloat(getComputedStyle(line).fontSize)))
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(14)
  expect(await periods.filter({ hasText: '7 days' }).innerText()).toMatch(/\d\s₽\/day$/u)
  const isInSight = (button: Element) => {
    const { left, width, bottom } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(left + width / 2, bottom - 4))
  }
  expect(await rentButton(page).evaluate(isInSight)).toBe(true)
  expect(await overflowOf(page)).toBe(0)
})

test('1.3, 4.12, 4.13: a number is rented, its code comes, it is extended, and a second tab sees it all', async () => {
  await using visit = await openRent('service=full')
  const { page, context } = visit
  const other = await context.newPage()
  await other.goto(`${server.url}/rent`)
  const before = await balance(page)

  await panelRow(page, 'Country', /^Indonesia/).click()
  const perDay = await rentButton(page).innerText()
  await page.getByRole('button', { name: /^4 hours/ }).click()
  await expect.poll(() => rentButton(page).innerText()).not.toBe(perDay)
  expect(new URL(page.url()).search).toBe('?service=full&country=6&period=4')
  await page.getByRole('button', { name: /^Operator/ }).click()
  await page.getByRole('radio', { name: /^swift/ }).check()
  await rentButton(page).waitFor()
  const price = await rentButton(page).innerText()
  await rentButton(page).click()

  const ticket = ticketOf(page, 'Any sender')
  await ticket.getByText(/^\+62 \d/).waitFor()
  await expectBalance(page, minus(before, price))
  await expect.poll(() => page.getByRole('banner').getByRole('link', { name: /^Rent/ }).innerText()).toContain('1')
  await codeOf(ticket).waitFor({ timeout: 20_000 })
  // The setting copying_code is on by default, so the code is in the clipboard already.
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await codeOf(ticket).innerText())
  const followed = ticketOf(other, 'Any sender')
  await codeOf(followed).waitFor({ timeout: 20_000 })

  const left = ticket.getByRole('timer')
  expect(await left.innerText()).toMatch(/^(4 h 0|3 h 5\d) min$/)
  await ticket.getByRole('button', { name: 'Extend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extend the rental' })
  await dialog.getByRole('radio', { name: /^4 hours/ }).check()
  const extension = await dialog.getByRole('button', { name: /^Extend for/ }).innerText()
  await dialog.getByRole('button', { name: /^Extend for/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => left.innerText()).toMatch(/^(8 h 0|7 h 5\d) min$/)
  await expect.poll(() => followed.getByRole('timer').innerText()).toMatch(/^(8 h 0|7 h 5\d) min$/)
  await expectBalance(page, minus(minus(before, price), extension))
  await expectBalance(other, minus(minus(before, price), extension))
  expect(visit.complaints).toEqual([])
})

test('on a phone a rental that stays silent is cancelled, and is found among the ended ones', async () => {
  await using visit = await openRent(SILENT, { width: 390, height: 844, theme: 'dark' })
  const { page } = visit
  await rentButton(page).waitFor()
  const before = await balance(page)
  await rentButton(page).click()
  const ticket = ticketOf(page, 'WhatsApp')
  await ticket.getByText('Waiting for messages').waitFor()
  await expect.poll(() => balance(page)).not.toBe(before)
  expect(await axeFindings(page)).toEqual([])
  await ticket.getByRole('button', { name: /^Cancel \d+:\d\d$/ }).click()
  await ticket.getByText('Refunded:').waitFor()
  await expectBalance(page, before)
  await ticket.getByRole('button', { name: 'Remove' }).click()
  await ticket.waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Rentals' }).getByRole('link', { name: 'Ended' }).click()
  await ticketOf(page, 'WhatsApp').getByText('Cancelled').waitFor()
  expect(new URL(page.url()).searchParams.get('ended')).toBe('1')
  await page.getByRole('button', { name: 'Rent a number' }).click()
  await rentButton(page).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(visit.complaints).toEqual([])
})

test('what happened while the socket was cut is there when it is back', async () => {
  const buyer = await newBuyer(server)
  await using visit = await browser.openAs(server, buyer, '/robots.txt')
  const { page } = visit
  const sockets = await cuttable(page)
  await page.goto(`${server.url}/rent?${SWIFT}`)
  await rentButton(page).waitFor()
  await sockets.opened
  await rentButton(page).click()
  const ticket = ticketOf(page, 'Telegram')
  await codeOf(ticket).waitFor({ timeout: 20_000 })
  await sockets.cut()
  const lost = page.getByText('Connection lost')
  await lost.waitFor()
  const { numbers } = await callApi<{ numbers: { data: { id: number; service: { id: string } }[] } }>(
    server,
    'GET /api/user/active-rent-numbers',
    null,
    buyer.token,
  )
  const rented = numbers.data.find(({ service }) => service.id === 'tg')
  await callApi(server, `POST /api/v1/rentals/${rented?.id}/finish`, {}, buyer.token)
  sockets.mend()
  await ticket.getByText('Finished').waitFor({ timeout: 30_000 })
  await lost.waitFor({ state: 'detached', timeout: 30_000 })
})

test('the screen is one step from home, keeps the choice, and axe finds nothing on it', async () => {
  await using visit = await openRent(SWIFT)
  const { page } = visit
  await rentButton(page).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('form').getByRole('link', { name: 'Activation' }).click()
  await page.getByRole('button', { name: /^Buy for/ }).waitFor()
  expect(new URL(page.url()).search).toBe('?service=tg&country=6')
  await page.getByRole('form').getByRole('link', { name: 'Rent' }).click()
  await rentButton(page).waitFor()
  expect(await page.getByRole('button', { name: /^1 day/ }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Add to favourites: Indonesia' }).click()
  await page.getByRole('button', { name: 'Remove from favourites: Indonesia' }).waitFor()
  await page.getByRole('form').getByRole('link', { name: 'Activation' }).click()
  await page.getByRole('button', { name: 'Add to favourites: Indonesia' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('a visitor is asked to log in', async () => {
  await using visit = await browser.open(`${server.url}/?service=tg&country=6`)
  const { page } = visit
  await page.getByRole('form').getByRole('link', { name: 'Rent' }).click()
  await fillLogin(page.getByRole('dialog'), await newBuyer(server))
  await rentButton(page).waitFor()
  const { pathname, searchParams } = new URL(page.url())
  expect({ pathname, ...Object.fromEntries(searchParams) }).toEqual({ pathname: '/rent', service: 'tg', country: '6' })
  expect(visit.complaints).toEqual([])
})

/** Controls the live sockets of pages loaded from now on: `cut` closes them and refuses new ones until `mend`. */
async function cuttable(page: Page): Promise<{ opened: Promise<void>; cut: () => Promise<void>; mend: () => void }> {
  const open = new Set<WebSocketRoute>()
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  let isCut = false
  await page.routeWebSocket(/\/app\//, async (socket) => {
    if (isCut) return socket.close({ code: 1011 })
    socket.connectToServer().onMessage((message) => {
      socket.send(message)
      if (String(message).includes('subscription_succeeded')) resolve()
    })
    open.add(socket)
  })
  return {
    opened,
    cut: async () => {
      isCut = true
      const cut = [...open].map((socket) => socket.close({ code: 1011 }))
      open.clear()
      await Promise.all(cut)
    },
    mend: () => {
      isCut = false
    },
  }
}
