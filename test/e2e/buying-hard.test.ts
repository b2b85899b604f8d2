import { expect, test } from 'vitest'
import { newBuyer } from './support/accounts.ts'
import { browser } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

const HOUR_MS = 3_600_000
const PURCHASES = '/api/v1/activations'

test('a phone on a slow network buys once, however often the button is pressed', async () => {
  const phone = { width: 390, height: 844 }
  const buyer = await newBuyer(server)
  await using visit = await browser.openAs(server, buyer, '/?service=ig&country=2&operator=swift', phone)
  const { page, context } = visit
  const bought: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(PURCHASES)) bought.push(request.url())
  })
  const network = await context.newCDPSession(page)
  const slow = { offline: false, latency: 400, downloadThroughput: 60_000, uploadThroughput: 20_000 }
  await network.send('Network.emulateNetworkConditions', slow)
  const answered = page.waitForResponse(
    (reply) => reply.request().method() === 'POST' && reply.url().endsWith(PURCHASES),
  )
  const button = page.getByRole('button', { name: /^Buy for/ })
  await button.click()
  // The button's text changes while the first request is being sent, so it is found by its attribute.
  await page.locator('[data-panel-buy]').dispatchEvent('click')
  const { data } = await (await answered).json()
  await page.locator(`[data-activation="${data.id}"] .ticket-code`).waitFor({ timeout: 30_000 })
  expect(bought).toHaveLength(1)
  expect(visit.complaints).toEqual([])
})

// Only one change of a favourite is sent at a time. The star changes when the server has confirmed.
test('of two stars pressed at once the second waits for its own press', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/')
  const { page } = visit
  const asked: string[] = []
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/api/activation/add-to-favorite', async (route) => {
    asked.push(route.request().postData() ?? '')
    await mayAnswer
    await route.continue()
  })
  const star = (name: string) => page.getByRole('button', { name: `Add to favourites: ${name}`, exact: true })
  await star('WhatsApp').click()
  await star('Facebook').click()
  await expect.poll(() => asked.length).toBe(1)
  expect(await page.getByRole('button', { name: /^(?:Remove from favourites|Favourites only)/ }).count()).toBe(0)
  answer()
  await page.getByRole('button', { name: 'Remove from favourites: WhatsApp' }).waitFor()
  await page.getByRole('button', { name: 'Favourites only: 1' }).waitFor()
  expect(asked.map((body) => JSON.parse(body))).toEqual([{ id: 'wa', type: 'service' }])
  await star('Facebook').click()
  await page.getByRole('button', { name: 'Favourites only: 2' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('a clock that is a day behind changes nothing about the time left', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page, context } = visit
  await context.addInitScript((shift) => {
    const RealDate = Date
    class ShiftedDate extends RealDate {
      constructor(...given: ConstructorParameters<typeof Date> | []) {
        if (given.length === 0) super(RealDate.now() + shift)
        else super(...given)
      }
      static override now(): number {
        return RealDate.now() + shift
      }
    }
    globalThis.Date = ShiftedDate as DateConstructor
  }, -24 * HOUR_MS)
  await page.goto(`${server.url}/?service=wa&country=2&operator=silent`)
  await page.getByRole('button', { name: /^Buy for/ }).click()
  const ticket = page.getByRole('article').filter({ hasText: 'WhatsApp' }).first()
  await ticket.getByText(/^(?:20:00|19:\d\d)$/).waitFor()
  await page.reload()
  await ticket.getByText(/^19:\d\d$/).waitFor()
  expect(visit.complaints).toEqual([])
})
