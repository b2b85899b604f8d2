import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callApi, newBuyer, newPerson, type Person } from './support/accounts.ts'
import { hasKeyboard, type Look, panelRow } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { group, openSettings } from './support/settings-page.ts'

const server = demoOfWorker()

const openAs = (person: Pick<Person, 'id'>, look: Look = {}) =>
  openSettings(server, person, { path: '/settings/other', ...look })

/** Makes a change and waits until it is stored, which is a moment after it applies. */
async function saved(page: Page, change: () => Promise<unknown>): Promise<void> {
  const reply = page.waitForResponse((one) => one.request().method() === 'PATCH')
  await change()
  expect((await reply).status()).toBe(200)
}

test('N-17: from the second visit on the server draws times in the zone of the browser', async () => {
  const person = await newBuyer(server)
  await using visit = await openAs(person, { timeZone: 'Pacific/Kiritimati' })
  const { page, context } = visit
  await expect.poll(async () => (await context.cookies()).find(({ name }) => name === 'time_zone')?.value).toBeTruthy()
  await page.route('**/*.js', (route) => route.abort())
  await page.goto(`${server.url}/history?view=money`, { waitUntil: 'domcontentloaded' })
  const drawn = await page
    .getByRole('main')
    .locator('time')
    .first()
    .evaluate((time) => [time.getAttribute('datetime'), time.textContent])
  const [at, text] = drawn
  const hour = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Pacific/Kiritimati' }).format(
    new Date(at ?? ''),
  )
  expect(text).toContain(hour)
})

type Settings = { settings: Record<string, unknown> }

test('2.1: what is set on /settings/other stays, and the panel, the days and the letters follow it', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  const place = group(page, 'Language, time and theme')
  const buying = group(page, 'Buying')
  await saved(page, () => place.getByLabel('Time zone').selectOption('Pacific/Kiritimati'))
  const pick = async (field: string, search: string, name: string) => {
    await buying.getByRole('button', { name: `${field}: None` }).click()
    await buying.getByRole('searchbox').fill(search)
    await saved(page, () => buying.getByRole('group').getByText(name, { exact: true }).click())
    await page.keyboard.press('Escape')
  }
  await pick('Service', 'whats', 'WhatsApp')
  await pick('Country', 'indo', 'Indonesia')
  await buying.getByRole('button', { name: 'Service: WhatsApp' }).waitFor()
  await buying.getByRole('button', { name: 'Country: Indonesia' }).waitFor()
  const ceiling = buying.getByLabel('Price limit, ₽')
  await ceiling.fill('cheap')
  await ceiling.press('Enter')
  await buying.getByText('Enter a price above zero, such as 12.50').waitFor()
  await ceiling.fill('1,240.5')
  await saved(page, () => ceiling.press('Enter'))
  await place.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.className)).toBe('dark')
  await page.reload()
  expect(await place.getByLabel('Time zone').inputValue()).toBe('Pacific/Kiritimati')
  expect(await ceiling.inputValue()).toBe('1240.50')
  expect(await page.evaluate(() => document.documentElement.className)).toBe('dark')
  // Kiritimati is mostly a day ahead of the browser, so the statement names its time zone.
  await page.goto(`${server.url}/history?view=statement`)
  await page.getByText('Pacific/Kiritimati').first().waitFor()
  await page.goto(server.url)
  const panel = page.getByRole('form', { name: 'Buy a number' })
  await page.waitForURL(/\?service=wa&country=\d+$/)
  await panel
    .getByRole('button', { name: /WhatsApp/ })
    .first()
    .waitFor()
  await panel.getByText(/1,240\.50/).waitFor()
  await page.goto(`${server.url}/?service=tg`)
  await panel
    .getByRole('button', { name: /Telegram/ })
    .first()
    .waitFor()
  expect(new URL(page.url()).search).toBe('?service=tg')
  expect(visit.complaints).toEqual([])
})

test('the language changes the page and the letters, here and in the header', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  const stored = async () => (await callApi<Settings>(server, 'GET /api/user', null, person.token)).settings.locale
  await saved(page, () => page.getByRole('region').getByLabel('Language').selectOption('Русский'))
  await page.getByRole('heading', { name: 'Настройки' }).waitFor()
  expect(await stored()).toBe('ru')
  await page.getByRole('banner').getByRole('button', { name: /Язык/ }).click()
  await saved(page, () => page.getByRole('button', { name: 'English' }).click())
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(await stored()).toBe('en')
  expect(visit.complaints).toEqual([])
})

test('a sound is chosen, tried at its volume, and heard when a code comes', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    HTMLAudioElement.prototype.play = function play() {
      heard.push(`${new URL(this.src).pathname} ${this.volume}`)
      return Promise.resolve()
    }
  })
  const part = group(page, 'When a code arrives')
  await saved(page, () => part.getByRole('button', { name: 'Knock' }).click())
  const volume = part.getByRole('slider', { name: 'Volume' })
  await volume.focus()
  await saved(page, () => volume.press('Home'))
  await part.getByRole('button', { name: 'Play' }).click()
  expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([
    '/sounds/wood.wav 0.8',
    '/sounds/wood.wav 0',
  ])
  for (const name of ['bell', 'drop', 'wood']) {
    const file = await fetch(`${server.url}/sounds/${name}.wav`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^audio\//)])
  }
  expect(visit.complaints).toEqual([])
})

test('2.15: who wants to be asked is asked before buying, and Enter buys', async () => {
  await using visit = await openAs(await newBuyer(server))
  const { page } = visit
  await saved(page, () => page.getByRole('switch', { name: 'Ask for confirmation' }).click())
  await page.goto(`${server.url}/?service=tg`)
  await panelRow(page, 'Country', /^Kazakhstan/).click()
  const buy = page.getByRole('button', { name: /^Buy for/ })
  await buy.click()
  const dialog = page.getByRole('dialog', { name: 'Please confirm' })
  await dialog.getByText(/^Buy a number \(Telegram, Kazakhstan\) for [\d.]+\s₽\?$/).waitFor()
  await hasKeyboard(dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('article').count()).toBe(0)
  await buy.click()
  await hasKeyboard(dialog)
  const bought = page.waitForResponse((reply) => reply.url().endsWith('/api/v1/activations') && reply.ok())
  await page.keyboard.press('Enter')
  await bought
  await page.getByRole('article').first().waitFor()
  await page.goto(server.url)
  await page.waitForURL(/\?service=tg&country=2$/)
  await page.goto(`${server.url}/settings/other`)
  await saved(page, () => page.getByRole('switch', { name: 'Start with my last choice' }).click())
  await page.goto(server.url)
  await page.getByRole('list', { name: 'Service' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(visit.complaints).toEqual([])
})
