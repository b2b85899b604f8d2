import puppeteer, { type ConsoleMessage, type ElementHandle } from 'puppeteer-core'
import { type Driver, waitFor } from './driver.ts'

const PROGRAM = '/usr/bin/firefox-esr'
/** Firefox complains of requests that end with their document. Tests in Chromium find files that are missing. */
const LEFT = /NetworkError when attempting to fetch resource|error loading dynamically imported module/

/** Opens Debian's Firefox by WebDriver BiDi. */
export async function openFirefox(): Promise<Driver> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: PROGRAM,
    defaultViewport: null,
    // The journeys are written for the English interface, and press what stands still.
    extraPrefsFirefox: {
      'intl.accept_languages': 'en',
      'dom.events.testing.asyncClipboard': true,
      'ui.prefersReducedMotion': 1,
    },
  })
  const page = await browser.newPage()
  let complaints: Promise<string>[] = []
  page.on('pageerror', (error) => complaints.push(Promise.resolve(String(error))))
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(textOf(message))
  })
  // Locators of Puppeteer need `eval` in the page's world, which our content security policy forbids.
  const find = (xpath: string) =>
    waitFor(xpath, async () => {
      const element = await page.$(`::-p-xpath(${xpath})`).catch(() => null)
      return element !== null && (await element.isVisible().catch(() => false)) ? element : null
    })
  // An element may be replaced between the search and the press, so both are repeated.
  const act = <Result>(xpath: string, work: (element: ElementHandle) => Promise<Result>) =>
    waitFor(xpath, async () =>
      work(await find(xpath)).then(
        (done) => ({ done }),
        () => null,
      ),
    ).then(({ done }) => done)
  return {
    name: 'Firefox',
    // Firefox 140 knows no orientation of the screen, and its width is set all the same.
    resize: (width, height) =>
      page.setViewport({ width, height }).catch((error: unknown) => {
        if (!String(error).includes('setScreenOrientationOverride')) throw error
      }),
    // Firefox sometimes aborts a navigation that follows another at once.
    open: async (url) => {
      await waitFor(url, () =>
        page.goto(url).catch((error: unknown) => {
          if (!String(error).includes('NS_BINDING_ABORTED')) throw error
          return null
        }),
      )
    },
    press: (xpath) => act(xpath, (element) => element.click()),
    type: (xpath, text) => act(xpath, (element) => element.type(text)),
    textOf: (xpath) =>
      act(xpath, (element) => element.evaluate((found) => (found instanceof HTMLElement ? found.innerText : ''))),
    run: async <Result>(body: string) => (await page.evaluate(`(() => { ${body} })()`)) as Result,
    takeComplaints: async () => {
      const taken = complaints
      complaints = []
      return (await Promise.all(taken)).filter((text) => text !== '' && !LEFT.test(text))
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** A logged error has no text of its own, and the page is asked for it. A document that was left cannot tell. */
async function textOf(message: ConsoleMessage): Promise<string> {
  const texts = message.args().map((arg) => arg.evaluate((value) => String(value)))
  return (await Promise.all(texts).catch(() => [])).join(' ')
}
