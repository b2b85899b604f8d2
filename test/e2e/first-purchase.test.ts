import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  boxes,
  callApi,
  fillRegistration,
  mailedCode,
  newBuyer,
  newEmail,
  newPerson,
  openDialog,
  PASSWORD,
} from './support/accounts.ts'
import { browser, expectBalance, hasKeyboard, panelRow, signIn } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

const CHOICE = '/?service=wa&country=2&operator=silent'
const WHY = ['--reason', 'a trial', '--by', 'anna']
const buyButton = (page: Page) => page.locator('[data-panel-buy]')
const buttonWords = async (page: Page) => (await buyButton(page).innerText()).replaceAll('\u00a0', ' ')
const header = (page: Page) => page.getByRole('banner')

test('E-1, E-3: the chosen pair survives the registration, what is missing is said, and a hold is called one', async () => {
  await using visit = await browser.open(server.url + CHOICE)
  const { page } = visit
  const priced = await buttonWords(page)
  const price = /[\d.]+/.exec(priced)?.[0] ?? ''
  await page.getByRole('form', { name: 'Buy a number' }).getByRole('button', { name: 'register', exact: true }).click()
  await page.getByRole('dialog', { name: 'Register' }).waitFor()
  await page.goto(`${server.url}/faq`)
  const email = newEmail()
  await fillRegistration(await openDialog(page, 'Register'), { email, password: PASSWORD })
  await boxes(page)
    .first()
    .fill(await mailedCode(server, email))
  await page.waitForURL('**/top-up?**')
  await expect.poll(() => page.getByLabel(/^Amount/).inputValue()).toBe(String(Math.max(10, Math.ceil(Number(price)))))
  await page.goto(server.url + CHOICE)
  await expect.poll(() => buttonWords(page)).toBe(`Top up ${price} ₽ to buy`)
  await page.locator('main').getByText('We’ll save your selection while you top up').waitFor()
  await buyButton(page).click()
  await page.waitForURL('**/top-up?**')
  await page.getByRole('button', { name: /^Top up \d/ }).click()
  await page.getByRole('link', { name: 'Back to your purchase' }).click()
  await page.waitForURL(server.url + CHOICE)
  await server.cli('user:credit', email, '500', '--key', 'first', ...WHY)
  await expect.poll(() => buttonWords(page)).toBe(`Buy for ${price} ₽`)
  expect(await header(page).getByText('on hold').count()).toBe(0)
  await buyButton(page).click()
  await header(page).getByText(`${price} ₽ on hold`).waitFor()
  const ticket = page.getByRole('article', { name: 'WhatsApp' })
  await ticket.getByText('on hold').waitFor()
  await ticket.getByRole('button', { name: 'Cancel', exact: true }).click()
  await ticket.getByText('Refunded:').waitFor()
  await header(page).getByText('on hold').waitFor({ state: 'detached' })
  await expectBalance(page, `${(500 + Math.max(10, Math.ceil(Number(price)))).toFixed(2)} ₽`)
  expect(await ticket.locator('.over-stamp').count()).toBe(2)
  expect(visit.complaints).toEqual([])
})

test('after a sign-in and after renting each list is asked for once', async () => {
  await using visit = await browser.open(`${server.url}/?service=tg&country=2`)
  const { page } = visit
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/(services|countries|price|numbers|preorders)$/.test(pathname)) asked.push(pathname)
  })
  // The live channel is kept closed, because its opening would load the lists again.
  await page.route('**/broadcasting/auth', () => undefined)
  await signIn(page, await newBuyer(server))
  await page.getByRole('heading', { name: 'Your numbers' }).waitFor()
  // A price is reloaded after 15 s, which a busy machine may need to get here, so requests for prices do not count.
  const lists = () => asked.filter((path) => path !== '/api/price').sort()
  const once = ['/api/countries', '/api/services', '/api/user/active-numbers', '/api/v1/preorders']
  await expect.poll(lists).toEqual(once)
  await expect.poll(() => asked).toContain('/api/price')
  expect(lists()).toEqual(once)
  await page.unroute('**/broadcasting/auth')

  await page.goto(`${server.url}/rent?service=tg&country=6&operator=swift&period=4`)
  await page.getByRole('button', { name: /^Rent for/ }).waitFor()
  asked.length = 0
  await page.getByRole('button', { name: /^Rent for/ }).click()
  await page.getByRole('article', { name: 'Telegram' }).locator('.ticket-code').waitFor({ timeout: 20_000 })
  const ofPanel = () => asked.filter((path) => path.startsWith('/api/rent-')).sort()
  await expect.poll(ofPanel).toEqual(['/api/rent-countries', '/api/rent-price', '/api/rent-services'])
})

test('E-6: errors go when the form is sent again and when another dialog comes', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const alerts = page.getByLabel('Messages').getByRole('paragraph')
  const dialog = await openDialog(page, 'Log in')
  await dialog.getByLabel('E-mail').fill('nobody')
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect.poll(() => alerts.allInnerTexts()).toHaveLength(2)
  await dialog.getByLabel('E-mail').fill('nobody@example.org')
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect.poll(() => alerts.allInnerTexts()).toEqual(['Wrong e-mail or password'])
  await dialog.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('dialog', { name: 'Register' }).waitFor()
  expect(await alerts.count()).toBe(0)
})

test('E-7, E-15: the tab bar and the fast number are there before any script runs', async () => {
  const person = await newPerson(server)
  await using phone = await browser.openAs(server, person, '/rent', { width: 390, height: 844, scripts: false })
  const bar = phone.page.getByRole('navigation', { name: 'Quick access' })
  expect(await bar.getByRole('link').allInnerTexts()).toEqual(['Numbers', 'Buy', 'Rent', 'Top up'])
  await using desk = await browser.openAs(server, person, '/rent', { scripts: false })
  expect(await header(desk.page).getByRole('button', { name: 'Quick buy' }).isVisible()).toBe(true)
})

test('E-2: on a phone both steps of renting stand above the button, and no name runs into a price', async () => {
  const person = await newPerson(server)
  await using visit = await browser.openAs(server, person, '/rent', { width: 390, height: 844 })
  const { page } = visit
  const box = async (selector: string) => {
    const found = await page.locator(selector).boundingBox()
    if (found === null) throw new Error(`${selector} is not seen`)
    return found
  }
  const [second, bar] = [await box('#buy-step-2'), await box('.buy-bar')]
  expect(second.y + second.height).toBeLessThanOrEqual(bar.y)
  const faded = await page
    .locator('.picker-price')
    .first()
    .evaluate((price) => getComputedStyle(price).paddingLeft)
  expect(faded).toBe('32px')
})

test('E-11, E-14: in Russian the button is one line at 320 px, and a ceiling has its words and its currency', async () => {
  const narrow = { width: 320, height: 640, locale: 'ru' } as const
  const linesOf = (page: Page) =>
    buyButton(page).evaluate((button) => {
      const words = document.createRange()
      words.selectNodeContents(button)
      return new Set(Array.from(words.getClientRects(), ({ top }) => Math.round(top))).size
    })
  await using stranger = await browser.open(server.url + CHOICE, narrow)
  await expect.poll(() => buttonWords(stranger.page)).toMatch(/^Попробовать · [\d,]+ ₽$/)
  expect(await linesOf(stranger.page)).toBe(1)
  const person = await newPerson(server, { balance: '500' })
  await using visit = await browser.openAs(server, person, CHOICE, narrow)
  const { page } = visit
  await expect.poll(() => buttonWords(page)).toMatch(/^Купить за [\d,]+ ₽$/)
  expect(await linesOf(page)).toBe(1)
  await page.getByRole('button', { name: /^Оператор/ }).click()
  await page.getByLabel(/^Лимит цены.*₽/).fill('100')
  await page.waitForURL(/[?&]max=100/)
  expect(visit.complaints).toEqual([])
})

test('E-11: a ceiling in the address is drawn by the server as by the browser, below the price and lifted', async () => {
  const person = await newPerson(server)
  await callApi(server, 'PATCH /api/v1/user/settings', { max_price: '0.01' }, person.token)
  await using visit = await browser.openAs(server, person, `${CHOICE}&max=0.02`)
  const { page } = visit
  await page.reload()
  await expect.poll(() => buttonWords(page)).toMatch(/^Above your limit of 0\.02/)
  await page.getByRole('button', { name: /^Operator/ }).click()
  await page.getByLabel(/^Price limit/).fill('')
  await page.waitForURL(/[?&]max=none/)
  await page.reload()
  await expect.poll(() => buttonWords(page)).toMatch(/^Top up/)
  expect(visit.complaints).toEqual([])
})

test('H-3: Enter waits for all services, keeps to the favourites that are shown, and is not an input method’s', async () => {
  const person = await newPerson(server)
  await callApi(server, 'POST /api/activation/add-to-favorite', { type: 'service', id: 'wa' }, person.token)
  await using visit = await browser.openAs(server, person, '/')
  const { page } = visit
  let come = (): void => undefined
  const wait = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route('**/api/services?*load=all*', async (route) => {
    await wait
    await route.continue()
  })
  const search = page.locator('[data-panel-search="service"]')
  await search.fill('zalo')
  await search.press('Enter')
  await panelRow(page, 'Service', /^Telegram/).waitFor({ state: 'detached' })
  expect(page.url()).not.toContain('service=')
  come()
  await page.waitForURL(/service=\w+/)
  await page.locator('#buy-step-1').getByText('Zalo').waitFor()

  await page.goto(server.url)
  await page.getByRole('button', { name: 'Favourites only: 1' }).first().click()
  // A press before hydration is repeated after it, so the test waits for the effect.
  await page.getByRole('button', { name: 'Favourites only: 1', pressed: true }).first().waitFor()
  await search.fill('te')
  await search.press('Enter')
  await page.getByText('Nothing found').first().waitFor()
  expect(page.url()).not.toContain('service=')
  await search.fill('what')
  await search.evaluate((field) => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))
  })
  expect(page.url()).not.toContain('service=')
  await search.press('Enter')
  await page.waitForURL(/service=wa/)
})

test.each(['light', 'dark'])('two quick presses of the theme end where they began: %s opens last', async (last) => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  // Two presses before hydration count as one. An opened dialog proves that the page is hydrated.
  await hasKeyboard(await openDialog(page, 'Log in'))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.evaluate((slow) => {
    const animate = Element.prototype.animate
    let opened = 0
    Element.prototype.animate = function (...parameters) {
      const animation = animate.apply(this, parameters)
      if (this.classList.contains(slow)) animation.playbackRate = 1 / 3
      opened += 1
      if (opened === 2) Element.prototype.animate = animate
      return animation
    }
    const toggle = document.querySelector<HTMLButtonElement>('header button:has([title="Dark theme"])')
    toggle?.click()
    toggle?.click()
  }, last)
  await expect.poll(() => page.evaluate(() => Element.prototype.animate.name)).toBe('animate')
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.className)).toContain('light')
  expect((await visit.context.cookies()).find(({ name }) => name === 'theme')?.value).toBe('light')
})
