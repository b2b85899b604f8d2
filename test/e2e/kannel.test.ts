import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Kannel, startKannel } from '#test/fakes/smpp/smpp-kannel.ts'
import { requireProgram } from '#test/harness/programs.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { browser, expectBalance, panelRow, signIn } from './support/browser.ts'
import { type DemoServer, startDemoServer } from './support/demo-server.ts'

const bearerbox = requireProgram('bearerbox')
const smsbox = requireProgram('smsbox')
const programs = bearerbox !== undefined && smsbox !== undefined ? { bearerbox, smsbox } : undefined

/** The demo's simulator sells nothing in Mongolia, so its numbers are from the test's own range. */
const COUNTRY = { id: 72, name: 'Mongolia' }
const PHONE = '97688123456'
const PRICE = '33.33'
const WHY = ['--reason', 'our range'] as const

/** The number of UTF-16 units in one part of an SMS: 140 octets less a header of 6, two octets for each unit. */
const PART_UNITS = 67
/** This text takes three parts, and the first border between parts cuts the code. */
const CYRILLIC = {
  code: '482917',
  text: 'Здравствуйте! Кто-то входит в Ваш аккаунт с новой машины. Код: 482917. Если это не Вы, никому его не сообщайте, смените пароль и выйдите на всех других устройствах. Объём: ёжик, съёмка; № 5 — «конец».',
}
/** This text takes three parts, and each border cuts an emoji, which has two UTF-16 units. */
const EMOJI = {
  code: '730155',
  text: 'Приятно познакомиться! Ваш новый номер подтверждён и уже работает 🎉 Новый код для входа: 730155. Действует 10 минут, не пересылайте 🙈 его никому, даже друзьям и близким 👨‍👩‍👧, что бы ни писали.',
}

test.skipIf(programs === undefined)('what Kannel sends in three parts stands whole on the page', async () => {
  await using server = await startDemoServer()
  const port = await addRange(server)
  await using kannel = await connectKannel(server, port)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signIn(page)
  await expectBalance(page, '1,000.00 ₽')
  await page.evaluate(() => {
    document.body.dataset.sameDocument = 'yes'
  })
  const phone = await buyInMongolia(page)
  expect(phone).toBe(PHONE)
  await expectBalance(page, '966.67 ₽')

  expect(CYRILLIC.text.slice(0, PART_UNITS)).toMatch(/\D4829$/)
  expect(await send(kannel, phone, CYRILLIC.text)).toBe(3)
  await expectCode(page, CYRILLIC.code)
  expect(await messagesOn(page)).toEqual([`900: ${CYRILLIC.text}`])

  for (const part of [1, 2]) expect(EMOJI.text.slice(0, part * PART_UNITS).isWellFormed()).toBe(false)
  expect(await send(kannel, phone, EMOJI.text)).toBe(3)
  await expectCode(page, EMOJI.code)
  expect(await messagesOn(page)).toEqual([`900: ${EMOJI.text}`, `900: ${CYRILLIC.text}`])

  await expectBalance(page, '966.67 ₽')
  expect(await page.evaluate(() => document.body.dataset.sameDocument)).toBe('yes')
  expect(visit.complaints).toEqual([])
  expect(await server.cli('ledger:verify')).toContain('ok')
})

/** Adds a range of one phone number while the server runs. Resolves with the port for SMPP gateways. */
async function addRange(server: DemoServer): Promise<number> {
  await using folder = await temporaryFolder()
  const settings = {
    mode: 'server',
    currency: 'rub',
    services: [{ code: 'tg', cost: '20' }],
    listen: { port: 0 },
    peers: [{ systemId: 'kannel', password: 'secret' }],
  }
  await writeFile(folder.path('range.json'), JSON.stringify(settings))
  await writeFile(folder.path('numbers.csv'), `# phone,country,operator\n+${PHONE},${COUNTRY.id},unitel\n`)
  await server.cli('supplier:add', 'smpp', '--code', 'range', '--settings', `@${folder.path('range.json')}`, ...WHY)
  await server.cli('numbers:add', 'range', folder.path('numbers.csv'), ...WHY)
  const pair = ['--service', 'tg', '--country', String(COUNTRY.id)]
  await server.cli('price:set', ...pair, '--price', PRICE, '--currency', 'rub', '--yes', ...WHY)
  const [, port] = await server.said(/"port":(\d+).*"listening for SMPP gateways"/)
  return Number(port)
}

async function expectOnSale(server: DemoServer): Promise<void> {
  const query = `api_key=${server.apiKey}&action=getPrices&service=tg&country=${COUNTRY.id}`
  const prices = async () => (await fetch(`${server.url}/stubs/handler_api.php?${query}`)).json()
  await expect.poll(prices).toMatchObject({ [COUNTRY.id]: { tg: { cost: Number(PRICE), count: 1 } } })
}

async function connectKannel(server: DemoServer, port: number): Promise<Kannel> {
  if (programs === undefined) throw new Error('Kannel is missing')
  const kannel = await startKannel({ programs, port, systemId: 'kannel', password: 'secret', retrySeconds: 1 })
  await server.said(/"an SMPP gateway bound"/)
  await expectOnSale(server)
  return kannel
}

function send(kannel: Kannel, to: string, text: string): Promise<number> {
  return kannel.sendSms({ from: '900', to, text, coding: 'unicode' })
}

async function buyInMongolia(page: Page): Promise<string> {
  await panelRow(page, 'Service', /^Telegram/).click()
  await page.getByRole('searchbox', { name: /countr/i }).fill(COUNTRY.name)
  await panelRow(page, 'Country', new RegExp(`^${COUNTRY.name}`)).click()
  await page.getByRole('button', { name: `Buy for ${PRICE}` }).click()
  const shown = page.getByRole('article').locator('.ticket-phone')
  return (await shown.innerText()).replaceAll(/\D/g, '')
}

async function expectCode(page: Page, code: string): Promise<void> {
  const figures = page.getByRole('article').locator('.ticket-code')
  await figures.getByText(code, { exact: true }).waitFor({ timeout: 20_000 })
}

function messagesOn(page: Page): Promise<string[]> {
  return page.getByRole('article').getByRole('listitem').locator('p').allInnerTexts()
}
