import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { fillLogin, newApiKey, newPerson, type Person } from './support/accounts.ts'
import { axeFindings, overflowOf } from './support/axe.ts'
import { browser, type Look, type Visit } from './support/browser.ts'
import { demoOfFile } from './support/demo-server.ts'

const server = demoOfFile({ EARLY_CANCEL_SECONDS: '1', CONTACT_EMAIL: 'help@ringpost.test' })
const PATIENCE = { timeout: 20_000 }
/** A person without the demo's history, whose statement has few rows. */
let buyer: Person
let apiKey = ''

beforeAll(async () => {
  buyer = await newPerson(server, { balance: '1000' })
  apiKey = await newApiKey(server, buyer)
})

async function openAs(path: string, look: Look = {}): Promise<Visit> {
  const visit = await browser.open(server.url + path, look)
  await fillLogin(visit.page.getByRole('dialog'), buyer)
  await visit.page.waitForURL(server.url + path)
  return visit
}

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll('−', '-')
const centsOf = (text: string) => Math.round(Number(plain(text).replaceAll(/[^\d.-]/g, '')) * 100)

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function buy(): Promise<string> {
  const query = `api_key=${apiKey}&action=getNumber&service=wa&country=2&operator=silent`
  const answer = await (await fetch(`${server.url}/stubs/handler_api.php?${query}`)).text()
  return /^ACCESS_NUMBER:(\d+):/.exec(answer)?.[1] ?? answer
}

const sumsOf = async (page: Page) => {
  const cells = page.locator('table', { hasText: 'Closing balance' }).locator('tbody tr td:last-child')
  return (await cells.allInnerTexts()).map(centsOf)
}

test('a top-up has a receipt, its money is one row, and the statement adds up', async () => {
  await using visit = await openAs('/top-up')
  const { page } = visit
  await page.getByRole('button', { name: /^Top up \d/ }).click()
  await page.locator('[data-outcome=paid]').waitFor()
  const bought = await buy()
  await page.getByRole('link', { name: 'All payments' }).click()
  const payment = page.locator('tr[data-payment]').first()
  expect(plain(await payment.innerText())).toMatch(/paid[\s\S]*500\.00 ₽/)
  await shot(page, 'payments')
  await payment.getByRole('link', { name: /^Receipt: / }).press('Enter')
  await page.getByText('Paid in full.').waitFor()
  await page.getByText('help@ringpost.test').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await shot(page, 'receipt')
  await page.reload()
  await page.getByText('not an official tax receipt').waitFor()
  await page.getByRole('link', { name: 'All payments' }).click()
  await payment.waitFor()

  await page.getByRole('banner').locator('[data-balance]').click()
  await page.waitForURL('**/history?view=money')
  await page.locator('tr[data-entry]', { hasText: `#${bought}` }).waitFor()
  await page.locator('tr[data-entry]', { hasText: 'topped up' }).first().waitFor()
  await page.getByRole('link', { name: 'Statement', exact: true }).click()
  await page.getByText('All time').first().waitFor()
  await page.locator('tr[data-movement]').first().waitFor()
  const sums = await sumsOf(page)
  const closing = sums.at(-1) ?? Number.NaN
  expect(sums.slice(0, -1).reduce((total, sum) => total + sum, 0)).toBe(closing)
  expect(centsOf(await page.getByRole('banner').locator('[data-balance]').innerText())).toBe(closing)
  const lines = await page.locator('tr[data-movement] td:nth-child(2)').allInnerTexts()
  expect(lines.map(centsOf).reduce((total, cents) => total + cents, 0)).toBe(closing)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^ringpost-statement-/)
  await shot(page, 'statement')
  expect(visit.complaints).toEqual([])
})

test('on paper there is the statement alone, black on white in the dark theme too', async () => {
  await using visit = await openAs('/history?view=statement', { theme: 'dark' })
  const { page } = visit
  await page.locator('tr[data-movement]').first().waitFor()
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '1')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('html[data-printed]').waitFor({ state: 'attached' })
  await page.emulateMedia({ media: 'print' })
  for (const hidden of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('button')]) {
    expect(await hidden.filter({ visible: true }).count()).toBe(0)
  }
  const colours = await page.locator('article').evaluate((sheet) => {
    const { color, backgroundColor } = getComputedStyle(sheet)
    return { color, backgroundColor }
  })
  expect(colours).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' })
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  await shot(page, 'print')
})

for (const look of [
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
  { width: 320, height: 640, theme: 'dark' },
] as const) {
  test(`money, payments and the statement fit ${look.width} px in ${look.theme}, and axe finds nothing`, async () => {
    await using visit = await openAs('/history?view=money', look)
    const { page } = visit
    const views = { money: 'tr[data-entry]', payments: 'table, h2', statement: 'tr[data-movement]' }
    for (const [view, sign] of Object.entries(views)) {
      await page.goto(`${server.url}/history?view=${view}`)
      await page.locator(sign).first().waitFor(PATIENCE)
      const opens = page.getByRole('button', { name: /^\d+ transactions$/ })
      if ((await opens.count()) > 0) await opens.first().click()
      expect({ found: await axeFindings(page), overflow: await overflowOf(page) }).toEqual({ found: [], overflow: 0 })
      await shot(page, `${view}-${look.width}-${look.theme}`)
    }
    expect(visit.complaints).toEqual([])
  })
}
