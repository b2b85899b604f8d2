import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callApi, newBuyer, sessionCookies } from './accounts.ts'
import { axeFindings } from './axe.ts'
import { browserOfWorker } from './browser.ts'
import { type DemoServer, demoOfWorker } from './demo-server.ts'
import { screenAddresses } from './site-addresses.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The narrowest screen on which everything must fit (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 }
const MINUTES = 60_000
/** Each pair of language, theme and width occurs on each screen. All combinations would take twice as long. */
const VIEWS = {
  ru: [
    { viewport: DESKTOP, theme: 'light' },
    { viewport: PHONE, theme: 'dark' },
  ],
  en: [
    { viewport: DESKTOP, theme: 'dark' },
    { viewport: PHONE, theme: 'light' },
  ],
} as const

const TICKET = { category: 'other', subject: 'A question', text: 'With **words**, a [link](/faq) and\n\n- a list' }

type Screens = { locale: 'ru' | 'en'; access: 'public' | 'signed-in' }

/**
 * Defines tests that every screen answers in this language, passes axe and fits the narrowest screen. Each language
 * has its own file, because files run in parallel.
 */
export function judgeScreens(locale: 'ru' | 'en'): void {
  const server = demoOfWorker()

  test('screens for everybody', { timeout: 10 * MINUTES }, async () => {
    expect(await judge(server, { locale, access: 'public' })).toEqual([])
  })

  test('screens for members', { timeout: 5 * MINUTES }, async () => {
    expect(await judge(server, { locale, access: 'signed-in' })).toEqual([])
  })
}

async function judge(server: DemoServer, { locale, access }: Screens): Promise<string[]> {
  const browser = await browserOfWorker()
  // Reduced motion keeps axe from measuring colours in the middle of a change.
  await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: DESKTOP })
  await context.addCookies([{ name: 'locale', value: locale, url: server.url }])
  const page = await context.newPage()
  const ticket = access === 'signed-in' ? await signInWithNumber(server, page) : 0
  const found: string[] = []
  for (const path of screenAddresses(access, ticket)) {
    const reply = await page.goto(server.url + path)
    const expected = path === '/no/such/page' ? 404 : 200
    if (reply?.status() !== expected) found.push(`${path}: answered ${reply?.status()}`)
    // A person without access is redirected, and axe would check the home page instead.
    if (page.url() !== server.url + path) found.push(`${path}: leads to ${page.url()}`)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    for (const { viewport, theme } of VIEWS[locale]) {
      await page.setViewportSize(viewport)
      const violations = await violationsOf(page, { theme, colours: locale === 'en' })
      found.push(...violations.map((violation) => `${path} ${viewport.width} ${theme}: ${violation}`))
    }
    await page.setViewportSize(NARROW)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    if (wide > NARROW.width) found.push(`${path}: ${wide} px wide on a screen of ${NARROW.width}`)
    await page.setViewportSize(DESKTOP)
  }
  return found
}

/** Both languages have the same colours, so the contrast is checked in one language only. */
async function violationsOf(
  page: Page,
  { theme, colours }: { theme: 'light' | 'dark'; colours: boolean },
): Promise<string[]> {
  await page.evaluate((name) => {
    document.documentElement.className = name
  }, theme)
  return axeFindings(page, { colours })
}

/** Signs in a buyer with a waiting number and a ticket, because empty screens would prove little. */
async function signInWithNumber(server: DemoServer, page: Page): Promise<number> {
  const buyer = await newBuyer(server)
  const wish = { service_id: 'tg', country_id: 0, operator_id: 'silent' }
  await callApi(server, 'POST /api/v1/activations', wish, buyer.token)
  const { data } = await callApi<{ data: { id: number } }>(server, 'POST /api/v1/support/tickets', TICKET, buyer.token)
  await page.context().addCookies(await sessionCookies(server, buyer))
  return data.id
}
