import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { launchBrowser } from '#test/harness/chromium.ts'
import { fillLogin, type Person, sessionCookies } from './accounts.ts'
import type { DemoServer } from './demo-server.ts'

export type Visit = AsyncDisposable & {
  page: Page
  context: BrowserContext
  /** Errors and warnings of the page: a journey ends by expecting none. */
  complaints: string[]
}

type Cookies = Awaited<ReturnType<typeof sessionCookies>>

export type Look = {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  locale?: 'ru' | 'en'
  /** Where the person is, an IANA name; where the machine is when not given. */
  timeZone?: string
  /** false: a browser that runs none. */
  scripts?: boolean
  /** true: pages come through the service worker, as from the second visit on. Playwright advises against it where requests are routed. */
  worker?: boolean
}

let launched: Promise<Browser> | undefined

/** One browser serves all files of a worker and ends with it. A crash costs only the journey of that moment. */
export function browserOfWorker(): Promise<Browser> {
  launched = (launched ?? launchBrowser()).then((browser) => (browser.isConnected() ? browser : launchBrowser()))
  return launched
}

/** Fresh profiles on it. */
export const browser = {
  /** Opens a page as a visitor. */
  open: (url: string, look: Look = {}): Promise<Visit> => openProfile(url, look, []),
  /** Opens a path of the site as somebody who is signed in. */
  openAs: async (server: DemoServer, person: Pick<Person, 'id'>, path: string, look: Look = {}): Promise<Visit> =>
    openProfile(server.url + path, look, await sessionCookies(server, person)),
}

async function openProfile(url: string, look: Look, cookies: Cookies): Promise<Visit> {
  const { width = 1440, height = 900, theme = 'light', locale = 'en', timeZone, scripts = true, worker = false } = look
  const context = await (await browserOfWorker()).newContext({
    viewport: { width, height },
    hasTouch: width < 600,
    javaScriptEnabled: scripts,
    serviceWorkers: worker ? 'allow' : 'block',
    ...(timeZone !== undefined && { timezoneId: timeZone }),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // For the whole site: a cookie of a deeper address would be of its folder alone.
  const site = new URL(url).origin
  await context.addCookies([
    { name: 'theme', value: theme, url: site },
    { name: 'locale', value: locale, url: site },
    ...cookies,
  ])
  const page = await context.newPage()
  const complaints = listen(page)
  await page.goto(url)
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** Until then a link is followed by the browser itself, and the server draws its page. */
export async function hasHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
}

/** Opens a page whose scripts, but for the one that notes presses, are on their way until they are told to come. */
export async function openWithoutScripts(page: Page, url: string): Promise<{ come: () => void }> {
  const { promise: mayCome, resolve: come } = Promise.withResolvers<void>()
  await page.route('**/assets/entry-client-*.js', async (route) => {
    await mayCome
    await route.continue()
  })
  const [noted] = await Promise.all([
    page.waitForResponse('**/assets/entry-early-*.js'),
    page.goto(url, { waitUntil: 'commit' }),
  ])
  await noted.finished()
  return { come }
}

/** What Chromium notes when a page leaves, or logs in, before its socket has opened: on a busy machine any page may. */
const GIVEN_UP = /^WebSocket connection to '[^']+' failed: WebSocket is closed before the connection is established\.$/
const NO_WORKER = 'Service Worker registration blocked by Playwright'

/** Which call was refused; without the query, which may hold secrets of a page. */
const pathOf = (url: string) => (URL.canParse(url) ? new URL(url).pathname : '')

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = message.text()
    if (!GIVEN_UP.test(text) && text !== NO_WORKER) complaints.push(`${text} ${pathOf(message.location().url)}`.trim())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** Signs in through the dialog. Whoever is nobody in particular is the newcomer of the demo, whom all journeys there share. */
export async function signIn(page: Page, who: Pick<Person, 'email' | 'password'> = demoBuyer): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  const dialog = page.getByRole('dialog')
  await fillLogin(dialog, who)
  await dialog.waitFor({ state: 'detached' })
}

/** The balance in the header, as it is written there. */
export async function balance(page: Page): Promise<string> {
  const shown = page.getByRole('banner').locator('[data-balance]')
  return (await shown.innerText()).replaceAll('\u00a0', ' ')
}

/** Waits until the header says so: the balance follows the money by itself. */
export async function expectBalance(page: Page, wanted: string): Promise<void> {
  await expect.poll(() => balance(page)).toBe(wanted)
}

/** Resolves when the live channel of the page is open, by whichever socket: it takes another where the first is slow. */
export function liveOpened(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('subscription_succeeded')) resolve()
      }),
    )
  })
}

/** A dialog takes the focus a frame after it is seen. A press before that goes to the button that opened it. */
export async function hasKeyboard(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true)
}

/** A row of one of the panel's lists; other parts of a page have buttons with the names of services, too. */
export function panelRow(page: Page, list: 'Service' | 'Country', name: RegExp): Locator {
  return page.getByRole('list', { name: list }).getByRole('button', { name })
}
