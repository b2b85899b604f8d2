import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { SCROLL_OFFSET_FAR_PX, SCROLL_OFFSET_PX, THEME_END_MS, THEME_SWITCH_MS } from '#contract/constants.ts'
import { DAY } from '#contract/time.ts'
import { browser, hasKeyboard } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

// After a new build of the site, the next navigation loads a document. A guard of 10 s prevents reload loops.
test('when the site was built anew, the next page is loaded as a document', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await buildAnew(page)
  await markDocument(page)
  await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).first().click()
  await page.waitForURL('**/faq')
  await expect.poll(() => isSameDocument(page)).toBe(false)
  await page.waitForLoadState('load')
  await buildAnew(page)
  await markDocument(page)
  await page.getByRole('banner').getByRole('link', { name: 'Prices' }).first().click()
  await page.waitForURL('**/price')
  expect(await isSameDocument(page)).toBe(true)
})

test('the build that is served is named, with a description of it', async () => {
  const { id } = (await (await fetch(`${server.url}/builds/latest.json`)).json()) as { id: string }
  expect(await (await fetch(`${server.url}/builds/meta/${id}.json`)).json()).toEqual({ id })
  expect((await fetch(`${server.url}/builds/meta/000000000000.json`)).status).toBe(404)
})

test('a bot is answered a failed page by its status alone', async () => {
  const bot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }
  const missing = await fetch(`${server.url}/no-such-page`, { headers: bot })
  expect([missing.status, await missing.text()]).toEqual([404, '404 Not Found'])
  const home = await fetch(server.url, { headers: bot })
  expect([home.status, (await home.text()).includes('Telegram')]).toEqual([200, true])
  expect(await (await fetch(`${server.url}/no-such-page`)).text()).toContain('<header')
})

test('2.5: a page that does not exist leads to help and home', async () => {
  await using visit = await browser.open(`${server.url}/no-such-page`)
  const { page } = visit
  await page.getByRole('button', { name: 'Contact support' }).click()
  await hasKeyboard(page.getByRole('dialog', { name: 'Log in' }))
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page
    .getByRole('button', { name: /^Telegram/ })
    .first()
    .waitFor()
})

test('2.10: the logo scrolls to the top', async () => {
  await using visit = await browser.open(server.url, { height: 500 })
  const { page } = visit
  await page.evaluate(() => window.scrollTo(0, 300))
  await page.getByRole('link', { name: /Ringpost home/ }).click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
})

// The View Transitions API changes the theme after 300 ms and ends after 600 ms. Reduced motion skips it.
test('the theme opens over the page, and whoever wants less motion gets the change alone', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const watch = () =>
    page.evaluate(() => {
      const seen: { sheet?: number; paper?: string; fade?: string } = {}
      Object.assign(window, { seen })
      const { animate } = Element.prototype
      Element.prototype.animate = function (frames, options) {
        if (typeof options === 'object' && this.classList.contains('bg-paper')) {
          seen.sheet = Number(options.duration)
          seen.paper = getComputedStyle(this).backgroundColor
        }
        return animate.call(this, frames, options)
      }
      const begin = document.startViewTransition.bind(document)
      document.startViewTransition = (change) => {
        const transition = begin(change)
        transition.ready.then(() => {
          seen.fade = getComputedStyle(document.documentElement, '::view-transition-new(root)').animationDuration
        }, reportError)
        return transition
      }
    })
  const seen = () => page.evaluate(() => (window as { seen?: unknown }).seen)
  const theme = () => page.evaluate(() => document.documentElement.className)
  await watch()
  await page.getByRole('banner').getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(theme).toContain('dark')
  await expect.poll(seen).toEqual({
    sheet: THEME_SWITCH_MS,
    paper: 'rgb(14, 17, 22)',
    fade: `${(THEME_END_MS - THEME_SWITCH_MS) / 1000}s`,
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await watch()
  await page.getByRole('banner').getByRole('button', { name: 'Light theme' }).click()
  await expect.poll(theme).toContain('light')
  expect(await seen()).toEqual({})
  expect(visit.complaints).toEqual([])
})

// A screen reader announces only changes in a live region that was on the page before.
test('an alert comes into a live region that was there before it', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const region = page.getByRole('region', { name: 'Messages' })
  expect(await region.getAttribute('aria-live')).toBe('polite')
  await page.route('**/api/login', (route) => route.abort())
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('demo@ringpost.test')
  await dialog.getByLabel('Password', { exact: true }).fill('demo-password-1')
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.locator('[aria-live=polite]').getByText('Server error. Try again later.').waitFor()
})

test('a dialog whose code cannot be loaded closes and says so; the page stays, and the next press opens it', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await page.route('**/assets/forgot-dialog-*.js', (route) => route.abort())
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  const forgot = page.getByRole('dialog').getByRole('button', { name: 'Forgot your password?' })
  await forgot.click()
  await page.locator('[aria-live=polite]').getByText('Server error. Try again later.').waitFor()
  expect(await page.getByRole('main').count()).toBe(1)
  await page.unroute('**/assets/forgot-dialog-*.js')
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await forgot.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send the link' }).waitFor()
})

test('a dialog whose texts did not load says so once, and opens when they have come', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const manifest = JSON.parse(await readFile('dist/client/.vite/manifest.json', 'utf8'))
  const texts = `**/${manifest['web/locales/en/lazy'].file}`
  await page.route(texts, (route) => route.abort())
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await page.locator('[aria-live=polite]').getByText('Server error. Try again later.').waitFor()
  await page.unroute(texts)
  await page.getByRole('dialog').getByRole('heading', { name: 'Log in' }).waitFor()
})

test('3.12: of two languages chosen one after the other the latter counts, whichever texts come first', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const manifest = JSON.parse(await readFile('dist/client/.vite/manifest.json', 'utf8'))
  await page.route(`**/${manifest['web/locales/ru/initial'].file}`, async (route) => {
    await held
    await route.continue()
  })
  const choose = async (name: string) => {
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^(Language|Язык)/ })
      .click()
    await page.getByRole('button', { name, exact: true }).click()
  }
  await choose('Русский')
  await choose('English')
  release()
  // An imported language may redraw the page, so the check is a frame after the import.
  const file = `/${manifest['web/locales/ru/initial'].file}`
  await page.evaluate(`import('${file}').then(() => new Promise(requestAnimationFrame))`)
  expect(await page.getByRole('banner').getByRole('button', { name: 'Log in' }).count()).toBe(1)
  const kept = (await page.context().cookies()).find(({ name }) => name === 'locale')
  expect([kept?.value, Math.round(((kept?.expires ?? 0) * 1000 - Date.now()) / DAY)]).toEqual(['en', 365])
})

test('the code of a page is fetched when its link is seen, and a line shows that a page is on its way', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const manifest = JSON.parse(await readFile('dist/client/.vite/manifest.json', 'utf8'))
  const code: string = manifest['web/screens/faq/page.tsx'].file
  const isFetched = () =>
    page.evaluate((file) => performance.getEntriesByName(`${location.origin}/${file}`).length > 0, code)
  await expect.poll(isFetched).toBe(true)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/faq/_payload.json', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).first().click()
  await page.locator('.page-progress').waitFor({ state: 'attached' })
  release()
  await page.waitForURL('**/faq')
  await page.locator('.page-progress').waitFor({ state: 'detached' })
})

// The scroll margin is 70 px for a heading, and 250 px for a field with a mistake.
test('a place in a text is scrolled to under the header, and a field with a mistake deeper', async () => {
  await using visit = await browser.open(`${server.url}/terms-of-use`, { height: 500 })
  const { page } = visit
  const mark = await page.evaluate(() => {
    const headings = document.querySelectorAll('main h2[id]')
    return headings[Math.floor(headings.length / 2)]?.id ?? ''
  })
  await page.goto(`${server.url}/terms-of-use#${mark}`)
  const top = () => page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().top, mark)
  await expect.poll(async () => Math.round((await top()) ?? 0)).toBe(SCROLL_OFFSET_PX)
  const fieldTop = await page.evaluate((id) => {
    const field = document.createElement('input')
    field.setAttribute('aria-invalid', 'true')
    document.getElementById(id)?.append(field)
    window.scrollTo(0, document.body.scrollHeight)
    field.scrollIntoView({ block: 'start' })
    return field.getBoundingClientRect().top
  }, mark)
  expect(Math.round(fieldTop)).toBe(SCROLL_OFFSET_FAR_PX)
})

test('a step between two places of one text restores the position of each', async () => {
  await using visit = await browser.open(`${server.url}/terms-of-use`, { height: 500 })
  const { page } = visit
  const position = () => page.evaluate(() => Math.round(window.scrollY))
  // The browser restores scroll positions by itself until the page's scripts do it.
  await page.waitForFunction(() => history.scrollRestoration === 'manual')
  await page.evaluate(() => window.scrollTo(0, 100))
  await page.evaluate(() => {
    location.hash = [...document.querySelectorAll('main h2[id]')].at(-1)?.id ?? ''
  })
  await expect.poll(position).toBeGreaterThan(200)
  const atMark = await position()
  await page.goBack()
  await expect.poll(position).toBe(100)
  await page.goForward()
  await expect.poll(position).toBe(atMark)
})

/** Makes the server announce a new build, and the page check it, which it does at a focus event. */
async function buildAnew(page: Page): Promise<void> {
  await page.route('**/builds/latest.json', (route) => route.fulfill({ json: { id: 'anotherbuild' } }))
  await page.route('**/builds/meta/anotherbuild.json', (route) => route.fulfill({ json: { id: 'anotherbuild' } }))
  const noticed = page.waitForResponse('**/builds/meta/anotherbuild.json')
  await expect
    .poll(() => {
      // The focus event is repeated until its listener has loaded.
      return Promise.race([
        noticed.then(() => true),
        page.evaluate(() => window.dispatchEvent(new Event('focus'))).then(() => false),
      ])
    })
    .toBe(true)
}

async function markDocument(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-seen', 'yes'))
}

function isSameDocument(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.getAttribute('data-seen') === 'yes')
}
