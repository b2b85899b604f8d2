import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { complaintsBut, newBuyer } from './support/accounts.ts'
import { browser, panelRow, signIn } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

test('links, Back and Forward change the screen in place, and find the old place on it', async () => {
  await using visit = await browser.open(server.url, { height: 500 })
  const { page } = visit
  await signIn(page, await newBuyer(server))
  await markDocument(page)
  const scrollY = () => page.evaluate(() => window.scrollY)
  await page.evaluate(() => window.scrollTo(0, 200))
  // A real click would first scroll the sticky header into place, so the event is dispatched.
  await page.getByRole('banner').getByRole('link', { name: 'Activations' }).dispatchEvent('click')
  await page.getByRole('heading', { level: 1, name: 'Activations' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/activations')
  expect(await page.title()).toContain('Activations')
  expect(await scrollY()).toBe(0)
  await page.goBack()
  await page
    .getByRole('button', { name: /^Telegram/ })
    .first()
    .waitFor()
  await expect.poll(scrollY).toBe(200)
  await page.goForward()
  await page.getByRole('heading', { level: 1, name: 'Activations' }).waitFor()
  expect(await isSameDocument(page)).toBe(true)
  expect(visit.complaints).toEqual([])
})

test('a choice makes no entry in the history: Back leaves the panel', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signIn(page, await newBuyer(server))
  await markDocument(page)
  await page.getByRole('banner').getByRole('link', { name: 'Activations' }).click()
  await page.getByRole('heading', { level: 1, name: 'Activations' }).waitFor()
  await page.getByRole('banner').getByRole('navigation').getByRole('link', { name: 'Home' }).click()
  await page
    .getByRole('button', { name: /^Telegram/ })
    .first()
    .click()
  await panelRow(page, 'Country', /^Kazakhstan/).click()
  const chosen = () => [...new URL(page.url()).searchParams.keys()]
  await expect.poll(chosen).toEqual(['service', 'country'])
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Activations' }).waitFor()
  await page.goForward()
  await expect.poll(chosen).toEqual(['service', 'country'])
  expect(await isSameDocument(page)).toBe(true)
  expect(visit.complaints).toEqual([])
})

test('what is chosen while the page is loaded again for the person who logged in is kept', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/user/active-numbers?**', async (route) => {
    await answer.promise
    await route.continue()
  })
  await signIn(page, await newBuyer(server))
  await page
    .getByRole('button', { name: /^Telegram/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Kazakhstan/ })
    .first()
    .click()
  const address = () => new URL(page.url()).search
  await expect.poll(address).toBe('?service=tg&country=2')
  answer.resolve()
  await page.getByRole('button', { name: /^Buy for/ }).waitFor()
  expect(address()).toBe('?service=tg&country=2')
  expect(visit.complaints).toEqual([])
})

test('a visitor takes the ready data of a page, not the calls it was made from', async () => {
  await using visit = await browser.open(`${server.url}/no/such/page`)
  const { page } = visit
  await markDocument(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page
    .getByRole('button', { name: /^Telegram/ })
    .first()
    .waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(asked).toContain('/_payload.json')
  expect(asked.filter((path) => path.startsWith('/api/services'))).toEqual([])
  expect(await isSameDocument(page)).toBe(true)
})

test('another language changes every text and name, and the address stays', async () => {
  await using visit = await browser.open(`${server.url}/?service=tg`)
  const { page } = visit
  await markDocument(page)
  await page
    .getByRole('button', { name: /^Kazakhstan/ })
    .first()
    .waitFor()
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Language/ })
    .click()
  await page.getByRole('button', { name: 'Русский' }).click()
  await page
    .getByRole('button', { name: /^Казахстан/ })
    .first()
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('ru')
  expect(new URL(page.url()).search).toBe('?service=tg')
  expect(await isSameDocument(page)).toBe(true)
  expect(visit.complaints).toEqual([])
})

test('Back to a screen for members, after signing out, asks to log in and leads there', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signIn(page, await newBuyer(server))
  await markDocument(page)
  const activations = page.getByRole('heading', { level: 1, name: 'Activations' })
  await page.getByRole('banner').getByRole('link', { name: 'Activations' }).click()
  await activations.waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  await page.goBack()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Use the demo account' }).click()
  expect([new URL(page.url()).pathname, new URL(page.url()).search]).toEqual(['/', ''])
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await activations.waitFor()
  expect(await isSameDocument(page)).toBe(true)
  expect(complaintsBut(visit, 401)).toEqual([])
})

async function markDocument(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute('data-seen', 'yes'))
}

function isSameDocument(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.getAttribute('data-seen') === 'yes')
}

test('a link that is pressed while the server is away leads to a page that says so, and to the page once it is back', async () => {
  await using visit = await browser.open(`${server.url}/price`)
  const { page } = visit
  await page.waitForLoadState('networkidle')
  // The guard against reload loops gets a time in the future, so that it stays valid during the test.
  await page.evaluate(`sessionStorage.setItem('loaded-anew-at', String(Date.now() + 3_600_000))`)
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).click()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/*')
  await again.click()
  await page.getByRole('heading', { level: 1, name: 'Questions and answers' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/faq')
})

test('when not even the code for that comes, the page says it in plain words', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  await page.route('**/assets/error-*.js', (route) => route.abort())
  await page.goto(`${server.url}/price`, { waitUntil: 'networkidle' })
  await page.evaluate(`sessionStorage.setItem('loaded-anew-at', String(Date.now() + 3_600_000))`)
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).click()
  await page.getByText('Something went wrong on our side').waitFor()
  await page.unroute('**/*')
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Questions and answers' }).waitFor()
})
