import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newPerson } from './support/accounts.ts'
import { browser, hasHydrated, openWithoutScripts, type Visit } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

/** A purchase is walked step by step, and the network fails 0, 1 or 3 s after the page has loaded, or before its scripts. */
const server = demoOfWorker()

const CHOICE = '/?service=wa&country=2&operator=silent'
const BUY = /^Buy for/u
const NEVER = /our side|Server error|didn’t respond/u

const offlineLine = (page: Page) => page.getByRole('status').getByText('You’re offline. Check your connection.')
const panel = (page: Page) => page.getByRole('form', { name: 'Buy a number' })

type Step = {
  name: string
  at: string
  /** A buyer's press while the network is away. */
  press: (page: Page) => Promise<void>
  /** Waits for what the press leads to. Nothing is pressed again. */
  comes: (page: Page) => Promise<void>
}

const STEPS: readonly Step[] = [
  {
    name: 'a service is chosen',
    at: '/',
    press: (page) =>
      panel(page)
        .getByRole('button', { name: /^Telegram/u })
        .first()
        .click(),
    comes: async (page) => {
      await page.waitForURL('**/?service=tg**')
      await panel(page)
        .getByRole('button', { name: /^Kazakhstan/u })
        .first()
        .waitFor()
    },
  },
  {
    name: 'a country is chosen',
    at: '/?service=wa',
    press: (page) =>
      panel(page)
        .getByRole('button', { name: /^Kazakhstan/u })
        .first()
        .click(),
    comes: (page) => panel(page).getByRole('button', { name: BUY }).waitFor(),
  },
  {
    name: 'the operators are opened',
    at: '/?service=wa&country=2',
    press: (page) =>
      panel(page)
        .getByRole('button', { name: /^Operator/u })
        .click(),
    comes: (page) => panel(page).getByRole('radiogroup').getByRole('radio').first().waitFor(),
  },
  {
    name: 'the menu is opened',
    at: CHOICE,
    press: (page) => page.getByRole('banner').getByRole('button', { name: 'Menu' }).click(),
    comes: (page) => page.getByRole('link', { name: 'Settings' }).waitFor(),
  },
  {
    name: 'a link to another page is pressed',
    at: CHOICE,
    press: (page) => page.getByRole('banner').getByRole('link', { name: 'Prices' }).click(),
    comes: async (page) => {
      await page.waitForURL('**/price**')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('main').getByRole('table').or(page.getByRole('main').getByRole('list')).first().waitFor()
    },
  },
]

const MOMENTS = [
  { name: 'before its scripts', afterMs: null },
  { name: 'at once', afterMs: 0 },
  { name: 'after a second', afterMs: 1_000 },
  { name: 'after three seconds', afterMs: 3_000 },
] as const

async function isHonest(page: Page): Promise<void> {
  await offlineLine(page).waitFor()
  expect(page.url().startsWith(server.url)).toBe(true)
  expect(await page.getByText(NEVER).count()).toBe(0)
}

for (const step of STEPS) {
  for (const { name, afterMs } of MOMENTS) {
    test(`${step.name}, and the network fails ${name}`, async () => {
      const person = await newPerson(server, { balance: '500' })
      await using visit = await browser.openAs(server, person, '/robots.txt')
      const { page } = visit
      page.setDefaultTimeout(10_000)
      await (afterMs === null ? failBeforeScripts(visit, step) : failAfterLoad(visit, step, afterMs))
      await isHonest(page)
      await visit.context.setOffline(false)
      await step.comes(page)
      await offlineLine(page).waitFor({ state: 'hidden' })
      expect(await page.getByText(NEVER).count()).toBe(0)
    })
  }
}

// The browser reports a network the whole time, as if it had come back before the failure was shown.
test('scripts of the next page get no reply: the page says so and comes by itself', async () => {
  const person = await newPerson(server, { balance: '500' })
  await using visit = await browser.openAs(server, person, CHOICE)
  const { page } = visit
  await hasHydrated(page)
  const isKnown = () => performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/error-'))
  await page.waitForFunction(isKnown)
  // A document that was loaded just now is not loaded again, so the page itself has to come back.
  await page.evaluate(() => sessionStorage.setItem('loaded-anew-at', String(Date.now())))
  await page.route('**/assets/*', (route) => route.abort('connectionreset'))
  // Links of the header are fetched when the page is idle, links of the footer are not.
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  expect(await page.getByText(NEVER).count()).toBe(0)
  await page.unroute('**/assets/*')
  await page.getByRole('main').getByRole('searchbox').waitFor()
  expect(await page.getByText(NEVER).count()).toBe(0)
})

async function failBeforeScripts({ page, context }: Visit, { at, press }: Step): Promise<void> {
  const scripts = await openWithoutScripts(page, server.url + at)
  await context.setOffline(true)
  await press(page)
  scripts.come()
}

async function failAfterLoad({ page, context }: Visit, { at, press }: Step, afterMs: number): Promise<void> {
  await page.goto(server.url + at, { waitUntil: 'load' })
  if (afterMs > 0) {
    await hasHydrated(page)
    await new Promise((resolve) => setTimeout(resolve, afterMs))
  }
  await context.setOffline(true)
  await press(page)
}

test('a ticket is cancelled without a network: it says so, and the next press refunds', async () => {
  const person = await newPerson(server, { balance: '500' })
  await using visit = await browser.openAs(server, person, CHOICE)
  const { page, context } = visit
  await panel(page).getByRole('button', { name: BUY }).click()
  const ticket = page.getByRole('article', { name: 'WhatsApp' })
  const cancel = ticket.getByRole('button', { name: 'Cancel', exact: true })
  await cancel.waitFor()
  await context.setOffline(true)
  await cancel.click()
  await page.getByLabel('Messages').getByText('You’re offline').waitFor()
  await isHonest(page)
  await context.setOffline(false)
  await offlineLine(page).waitFor({ state: 'hidden' })
  await cancel.click()
  await ticket.getByText('Refunded:').waitFor()
})
