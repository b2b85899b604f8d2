import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newBuyer, newPerson } from './support/accounts.ts'
import { browser, openWithoutScripts } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { openSettings } from './support/settings-page.ts'

/** A page is rendered seconds before its scripts arrive on a slow network, so early presses are repeated. */
const server = demoOfWorker()

const PURCHASES = '/api/v1/activations'
const CHOICE = '/?service=ig&country=2&operator=swift'

test('what was pressed before any script listened is pressed once when one does', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`, { width: 390, height: 844 })
  const { page } = visit
  const scripts = await openWithoutScripts(page, server.url)
  const login = page.getByRole('banner').getByRole('button', { name: 'Log in' })
  await login.click()
  await login.click()
  expect(await page.getByRole('dialog').count()).toBe(0)
  scripts.come()
  await page.getByRole('dialog').getByLabel('E-mail').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(visit.complaints).toEqual([])
})

test('of several presses it is the last one that counts', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  const scripts = await openWithoutScripts(page, server.url)
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Register' }).click()
  scripts.come()
  await page.getByRole('dialog').getByLabel('Repeat password').waitFor()
  expect(visit.complaints).toEqual([])
})

test('what was pressed on a page that is not there counts, though the code of such pages comes last', async () => {
  // The test begins at robots.txt, because a page would put the error page's script into the browser's cache.
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  const { promise: mayCome, resolve: come } = Promise.withResolvers<void>()
  const asked = page.waitForRequest('**/assets/error-*.js')
  await page.route('**/assets/error-*.js', async (route) => {
    await mayCome
    await route.continue()
  })
  await page.goto(`${server.url}/blog/guides/not-there`, { waitUntil: 'commit' })
  await asked
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).click()
  come()
  await page.getByRole('dialog').getByLabel('E-mail').waitFor()
})

test('the shortcut of a button counts as its press', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const scripts = await openWithoutScripts(page, `${server.url}/faq`)
  await page.locator('#main').press('f')
  expect(await page.getByRole('dialog').count()).toBe(0)
  scripts.come()
  await page.getByRole('dialog', { name: 'Quick buy' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('a number that was bought so is bought once, and the choice is kept', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const bought = purchasesOf(page)
  const scripts = await openWithoutScripts(page, `${server.url}${CHOICE}`)
  const button = page.getByRole('button', { name: /^Buy for/ })
  await button.click()
  await button.click()
  expect(page.url()).toBe(`${server.url}${CHOICE}`)
  const answered = page.waitForResponse((reply) => reply.url().endsWith(PURCHASES) && reply.status() === 201)
  scripts.come()
  const { data } = await (await answered).json()
  await page.locator(`[data-activation="${data.id}"] .ticket-code`).waitFor({ timeout: 30_000 })
  expect(bought).toHaveLength(1)
  expect(visit.complaints).toEqual([])
})

test('what was typed into the search of the panel is searched', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  const scripts = await openWithoutScripts(page, server.url)
  const services = page.getByRole('list', { name: 'Service' }).getByRole('button')
  await page.getByRole('searchbox', { name: 'Find a service' }).pressSequentially('teleg')
  expect(await services.count()).toBeGreaterThan(2)
  scripts.come()
  await expect.poll(() => services.count()).toBe(2)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/?service=tg')
  expect(visit.complaints).toEqual([])
})

test('what was typed into the search of a table is searched', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  const scripts = await openWithoutScripts(page, `${server.url}/doc/services`)
  const field = page.getByRole('main').getByRole('searchbox')
  await field.pressSequentially('telegram')
  scripts.come()
  await page.waitForURL('**/doc/services?search=telegram')
  expect(await field.inputValue()).toBe('telegram')
  expect(visit.complaints).toEqual([])
})

test('the way to pay and the amount that were chosen so are chosen, and nothing is paid that the button did not say', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const scripts = await openWithoutScripts(page, `${server.url}/top-up`)
  await page.locator('[type=radio][value=sandbox-coin]').check()
  await page.getByRole('button', { name: '200 ₽' }).click()
  const pay = page.getByRole('button', { name: /^Top up/ })
  const said = await pay.textContent()
  await pay.click()
  const begun: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/v1/payments') && begun.push(request.method()))
  scripts.come()
  await expect.poll(() => pay.textContent()).not.toBe(said)
  expect(begun).toEqual([])
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/v1/payments'))
  await pay.click()
  expect((await sent).postDataJSON()).toEqual({ system: 'sandbox-coin', amount: '200.00' })
})

test('a ticket that was filled in so goes with its picture and with what it is about', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const scripts = await openWithoutScripts(page, `${server.url}/support/create`)
  await page.getByLabel('Topic').selectOption({ value: 'payment' })
  await page.getByLabel('Subject').fill('Early')
  await page.getByRole('main').locator('textarea').fill('See the picture')
  const buffer = await page.screenshot()
  await page.getByLabel('Add files').setInputFiles({ name: 'screen.png', mimeType: 'image/png', buffer })
  const kept = page.waitForResponse((reply) => reply.url().endsWith('/api/v1/support/files'))
  scripts.come()
  expect((await kept).status()).toBe(201)
  await page.getByText('screen.png').waitFor()
  expect(await page.getByLabel('Topic').inputValue()).toBe('payment')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/v1/support/tickets'))
  await page.getByRole('button', { name: 'Send' }).click()
  const input = (await sent).postDataJSON()
  expect([input.category, input.subject, input.text, input.files.length]).toEqual([
    'payment',
    'Early',
    'See the picture',
    1,
  ])
  expect(visit.complaints).toEqual([])
})

test('the amount that was typed is the amount that is paid', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const scripts = await openWithoutScripts(page, `${server.url}/top-up`)
  await page.getByLabel(/^Amount/).fill('123')
  await page.keyboard.press('Enter')
  const begun = page.waitForRequest((request) => request.url().endsWith('/api/v1/payments'))
  scripts.come()
  expect((await begun).postDataJSON()).toMatchObject({ amount: '123.00' })
  expect(visit.complaints).toEqual([])
})

test('a key and the words of a message that were typed so are kept', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const doc = await openWithoutScripts(page, `${server.url}/doc/api`)
  await page.getByLabel('Your API key').fill('a key')
  doc.come()
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Language/ })
    .click()
  await page.getByRole('button', { name: 'Русский' }).click()
  await page.getByRole('heading', { level: 1, name: 'Вызовы API' }).waitFor()
  expect(await page.locator('input[type=password]').inputValue()).toBe('a key')
  const ticket = await openWithoutScripts(page, `${server.url}/support/create`)
  const words = page.getByRole('main').locator('textarea')
  await words.fill('Nothing comes')
  ticket.come()
  // The draft of a ticket outlives the page, so it is still there after a reload.
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('Nothing comes')
  expect(await words.inputValue()).toBe('Nothing comes')
  // Text typed before the stored draft is shown is newer than the draft, so it wins.
  const again = await openWithoutScripts(page, `${server.url}/support/create`)
  await words.fill('Still nothing')
  again.come()
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('Still nothing')
  expect(await words.inputValue()).toBe('Still nothing')
  const settings = await openWithoutScripts(page, `${server.url}/settings/other`)
  await page.getByLabel(/^Лимит цены/).fill('12,50')
  await page.getByRole('heading', { level: 1 }).click()
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  settings.come()
  expect((await saved).request().postDataJSON()).toEqual({ max_price: '12.50' })
  expect(visit.complaints).toEqual([])
})

test('a switch that was pressed and a select that was changed so are saved', async () => {
  const person = await newPerson(server)
  await using visit = await openSettings(server, person, { path: '/settings/other' })
  const { page } = visit
  const saved = () => page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  const ask = page.getByRole('switch', { name: 'Ask for confirmation' })
  const first = await openWithoutScripts(page, `${server.url}/settings/other`)
  await ask.click()
  const switched = saved()
  first.come()
  expect((await switched).request().postDataJSON()).toEqual({ confirmation_actions: true })
  expect(await ask.isChecked()).toBe(true)
  const second = await openWithoutScripts(page, `${server.url}/settings/other`)
  await page.getByRole('region').getByLabel('Language').selectOption('Русский')
  const chosen = saved()
  second.come()
  expect((await chosen).request().postDataJSON()).toEqual({ locale: 'ru' })
  expect(visit.complaints).toEqual([])
})

test('H-3: Enter that was pressed in a search so chooses what is found, and buys nothing', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/robots.txt')
  const { page } = visit
  const bought = purchasesOf(page)
  const scripts = await openWithoutScripts(page, `${server.url}${CHOICE}`)
  await page.locator('[data-panel-search="country"]').pressSequentially('russ')
  await page.keyboard.press('Enter')
  scripts.come()
  await page.waitForURL(/[?&]country=0/)
  expect(bought).toEqual([])
  expect(visit.complaints).toEqual([])
})

test('a form with an address needs no script', async () => {
  await using visit = await browser.open(`${server.url}/robots.txt`)
  const { page } = visit
  await openWithoutScripts(page, `${server.url}/price`)
  await page.getByRole('searchbox', { name: 'Find a service' }).fill('telegram')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/price?service=telegram**', { waitUntil: 'commit' })
})

/** Returns a list that collects the addresses of this page's purchase requests from now on. */
function purchasesOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(PURCHASES)) asked.push(request.url())
  })
  return asked
}
