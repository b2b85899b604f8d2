import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { demoBuyer } from '#server/programs/demo/fill-demo.ts'
import { launchBrowser } from '#test/harness/chromium.ts'
import { fillLogin, type Person, sessionCookies } from './accounts.ts'
import type { DemoServer } from './demo-server.ts'

export type Visit = AsyncDisposable & {
  page: Page
  context: BrowserContext
  /** The errors and warnings in the page's console. A test ends by expecting none. */
  complaints: string[]
}

type Cookies = Awaited<ReturnType<typeof sessionCookies>>

export type Look = {
  width?: number
  height?: number
  /** The theme that the visitor has chosen. */
  theme?: 'light' | 'dark'
  locale?: 'ru' | 'en'
  /** The visitor's time zone, an IANA name. The default is the machine's time zone. */
  timeZone?: string
  scripts?: boolean
  /** If true, pages come through the service worker, which Playwright advises against for routed requests. */
  worker?: boolean
}

let launched: Promise<Browser> | undefined

/** Returns the browser that all files of a test worker share. A crashed browser is launched again. */
export function browserOfWorker(): Promise<Browser> {
  launched = (launched ?? launchBrowser()).then((browser) => (browser.isConnected() ? browser : launchBrowser()))
  return launched
}

export const browser = {
  open: (url: string, look: Look = {}): Promise<Visit> => openProfile(url, look, []),
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
  // A cookie of a deeper address would be valid in its folder only, so cookies are set for the whole site.
  const site = new URL(url).origin
  await context.addCookies([
    { name: 'theme', value: theme, url: site },
    { name: 'locale', value: locale, url: site },
    ...cookies,
  ])
  const page = await context.newPage()
  // Firefox prints refusals that the page's code catches, Chromium only tells them to listeners.
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ effectiveDirective, sourceFile, lineNumber }) =>
      console.error(`the policy refused ${effectiveDirective} in ${sourceFile}:${lineNumber}`),
    )
  })
  const complaints = listen(page)
  await page.goto(url)
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}

/** Waits until the page is hydrated. Until then links load whole documents. */
export async function hasHydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
}

/** Opens a page and holds its scripts back until `come` is called, except the script that records early presses. */
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

/** Chromium logs this error when a page is left before its socket has opened, which may happen to any page. */
const GIVEN_UP = /^WebSocket connection to '[^']+' failed: WebSocket is closed before the connection is established\.$/
const NO_WORKER = 'Service Worker registration blocked by Playwright'

/** Returns the path of a refused call without its query, which may hold secrets. */
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

/** Signs a person in through the login dialog. The default is the demo's buyer, whom all tests share. */
export async function signIn(page: Page, who: Pick<Person, 'email' | 'password'> = demoBuyer): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  const dialog = page.getByRole('dialog')
  await fillLogin(dialog, who)
  await dialog.waitFor({ state: 'detached' })
}

export async function balance(page: Page): Promise<string> {
  const shown = page.getByRole('banner').locator('[data-balance]')
  return (await shown.innerText()).replaceAll('\u00a0', ' ')
}

export async function expectBalance(page: Page, wanted: string): Promise<void> {
  await expect.poll(() => balance(page)).toBe(wanted)
}

/** Resolves when the page's live channel is open. The page may try several sockets. */
export function liveOpened(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('subscription_succeeded')) resolve()
      }),
    )
  })
}

/** Waits until a dialog has the focus, which comes a frame after the dialog is visible. */
export async function hasKeyboard(dialog: Locator): Promise<void> {
  await expect.poll(() => dialog.evaluate((shown) => shown.contains(document.activeElement))).toBe(true)
}

/** Returns a row of a list in the purchase panel. Other parts of the page may have buttons with the same names. */
export function panelRow(page: Page, list: 'Service' | 'Country', name: RegExp): Locator {
  return page.getByRole('list', { name: list }).getByRole('button', { name })
}
