import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newPerson } from './support/accounts.ts'
import { browser, hasHydrated } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

const CHOICE = '/?service=wa&country=2&operator=silent'
const buyButton = (page: Page) => page.locator('[data-panel-buy]')

test('E-5: without a network the page says so, also beside the button, and goes on when it is back', async () => {
  const person = await newPerson(server, { balance: '500' })
  await using visit = await browser.openAs(server, person, CHOICE)
  const { page, context } = visit
  // The offline notice is part of the page, so it shows even if a button's scripts have not loaded.
  await page.reload()
  await hasHydrated(page)
  await context.setOffline(true)
  const line = page.getByRole('status').getByText('You’re offline. Check your connection.')
  await line.waitFor()
  const [under, main] = await Promise.all([line.boundingBox(), page.getByRole('main').boundingBox()])
  expect(main?.y).toBeGreaterThanOrEqual((under?.y ?? 0) + (under?.height ?? 0))
  await buyButton(page).click()
  await page
    .locator('.buy-bar')
    .getByText('You’re offline. Try again once you’re back online')
    .or(page.getByLabel('Messages').getByText('You’re offline'))
    .first()
    .waitFor()
  expect(await page.getByText('Server error').count()).toBe(0)
  await context.setOffline(false)
  await line.waitFor({ state: 'hidden' })
  await buyButton(page).click()
  await page.getByRole('article', { name: 'WhatsApp' }).getByText('Waiting for SMS').waitFor()
  expect(await page.getByRole('article').count()).toBe(1)
})

test('N-2: a page whose scripts were lost with the network loads by itself when it is back', async () => {
  const person = await newPerson(server, { balance: '500' })
  await using visit = await browser.openAs(server, person, '/robots.txt')
  const { page, context } = visit
  const lost = Promise.withResolvers<void>()
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await route.abort('internetdisconnected')
    lost.resolve()
  })
  await page.goto(server.url + CHOICE, { waitUntil: 'commit' })
  await lost.promise
  await buyButton(page).waitFor()
  await context.setOffline(true)
  await page.unroute('**/assets/entry-client-*.js')
  await context.setOffline(false)
  await hasHydrated(page)
  await buyButton(page).click()
  await page.getByRole('article', { name: 'WhatsApp' }).getByText('Waiting for SMS').waitFor()
})

test('N-2: a page whose scripts come and break is loaded once more, and not for ever', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  await page.addInitScript(() => {
    const waits: unknown[] = []
    const wait = window.setTimeout.bind(window)
    Object.assign(window, {
      waits,
      setTimeout: (...given: Parameters<typeof wait>) => waits.push(given[1]) && wait(...given),
    })
  })
  const breaks = { contentType: 'text/javascript', body: 'throw 0' }
  await page.route('**/assets/entry-client-*.js', (route) => route.fulfill(breaks))
  /**
   * Returns the delays of the page's timers in ms, once a navigation of this type (`navigate` or `reload`) has loaded
   * the page.
   */
  const waitsOf = (type: string) =>
    page
      .waitForFunction((wanted) => {
        const [entry] = performance.getEntriesByType('navigation')
        const isLoaded = entry instanceof PerformanceNavigationTiming && entry.type === wanted && entry.loadEventEnd > 0
        return isLoaded && 'waits' in window ? window.waits : null
      }, type)
      .then((waits) => waits.jsonValue())
  await page.goto(server.url + CHOICE)
  expect(await waitsOf('navigate')).toEqual([1_000])
  expect(await waitsOf('reload')).toEqual([])
})
