import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newBuyer } from './support/accounts.ts'
import { axeFindings } from './support/axe.ts'
import { browser, hasHydrated } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

const rowNames = (page: Page) => page.getByRole('rowheader').allInnerTexts()
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('N-8: on the board a service is found by two letters, its countries are sorted, limited, and one is bought', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/price')
  const { page } = visit
  await hasHydrated(page)
  await page.getByRole('searchbox', { name: 'Find a service' }).fill('tg')
  const list = page.getByRole('list', { name: 'Services' }).getByRole('link')
  await expect.poll(() => list.allInnerTexts()).toEqual([expect.stringMatching(/^Telegram\n/)])
  await list.first().click()
  await page.waitForURL('**/price?service=tg')
  await page.getByRole('navigation', { name: 'Minimum success rate' }).getByRole('link', { name: '70%' }).click()
  await page.waitForURL('**/price?service=tg&min_share=70')
  await page.getByRole('columnheader').getByRole('link', { name: 'Typical wait' }).click()
  await page.waitForURL('**/price?service=tg&min_share=70&sort=time')
  const shares = await page.getByRole('row').locator('.share-figure').allInnerTexts()
  expect(shares.length).toBeGreaterThan(5)
  expect(shares.every((share) => Number.parseInt(share, 10) >= 70)).toBe(true)
  await page.getByText('Cheapest with a success rate of 70% or more').waitFor()
  await page.getByRole('searchbox', { name: 'Find a country' }).fill('kazakh')
  await expect.poll(() => rowNames(page)).toEqual(['Kazakhstan'])
  await page
    .getByRole('row')
    .getByRole('button', { name: /^Buy a number \(Telegram, Kazakhstan\)/ })
    .click()
  await page.waitForURL('**/activations')
  await page.getByRole('article').filter({ hasText: 'Telegram' }).first().getByText(/\+7 7/).waitFor()
  expect(visit.complaints).toEqual([])
})

test.each([320, 720])(
  'the board and the page of a service fit %d px, and the service is chosen on a page of its own',
  async (width) => {
    await using visit = await browser.open(`${server.url}/price`, { width, height: 800 })
    const { page } = visit
    await hasHydrated(page)
    expect(await overflow(page)).toBe(0)
    expect(await page.getByRole('list', { name: 'Services' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: /Choose another$/ }).click()
    expect(await overflow(page)).toBe(0)
    await page
      .getByRole('list', { name: 'Services' })
      .getByRole('link', { name: /WhatsApp/ })
      .click()
    await page.waitForURL('**/price?service=wa')
    const row = page.getByRole('row').nth(1)
    const buy = row.getByRole('link', { name: /^Buy a number \(WhatsApp/ })
    const box = await buy.boundingBox()
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    expect(await axeFindings(page)).toEqual([])
    await buy.click()
    await page.waitForURL(/\/\?service=wa&country=\d+$/)
    await page.goto(`${server.url}/service/telegram`)
    await page.getByRole('img', { name: /^Codes per hour/ }).waitFor()
    expect(await overflow(page)).toBe(0)
    expect(visit.complaints).toEqual([])
  },
)

test('a phone shows the board at first sight: one line for a row, one height for the controls, the file beside', async () => {
  await using visit = await browser.open(`${server.url}/price`, { width: 390, height: 844 })
  const { page } = visit
  await hasHydrated(page)
  const heightsOf = (found: Locator) =>
    found.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)))
  const heights = await heightsOf(page.locator('tr.board-row'))
  expect(Math.max(...heights)).toBeLessThanOrEqual(48)
  const bottoms = await page
    .locator('tr.board-row')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom))
  expect(bottoms.filter((bottom) => bottom <= 844).length).toBeGreaterThanOrEqual(7)
  const controls = page.locator('div:has(> a[download])').locator('nav > span, .search-box, a[download]')
  expect(await heightsOf(controls)).toEqual([44, 44, 44])
  const price = await page.locator('tr.board-row').first().getByRole('link', { name: /^Buy/ }).innerText()
  expect(price).toMatch(/^\d+\.\d\d\s₽$/u)
  expect(visit.complaints).toEqual([])
})

test('the page of a service shows fifteen countries and unfolds the others without scripts', async () => {
  await using visit = await browser.open(`${server.url}/service/telegram`, { scripts: false })
  const { page } = visit
  const shown = page.getByRole('rowheader')
  expect(await shown.count()).toBe(15)
  expect(await page.locator('tr.board-row').count()).toBeGreaterThan(15)
  await page.getByRole('link', { name: /^Show all \d+ countries$/ }).click()
  await page.waitForURL('**/service/telegram?all=1')
  expect(await shown.count()).toBe(await page.locator('tr.board-row').count())
  expect(await page.getByRole('link', { name: /^Show all/ }).count()).toBe(0)
})

test('the board is whole without scripts, and its file has the rows', async () => {
  await using visit = await browser.open(`${server.url}/price`, { scripts: false })
  const { page } = visit
  await page.getByRole('searchbox', { name: 'Find a service' }).fill('whatsapp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/price?service=whatsapp')
  await page.getByRole('heading', { level: 2, name: 'WhatsApp' }).waitFor()
  await page.getByRole('columnheader').getByRole('link', { name: 'Country' }).click()
  await page.waitForURL('**/price?service=whatsapp&sort=name')
  const names = await rowNames(page)
  expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare))
  const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
  const reply = await fetch(server.url + href, { headers: { locale: 'en' } })
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await reply.text()).trim().split('\r\n')
  expect(lines).toHaveLength(names.length + 1)
  expect(lines[1]).toContain(names[0])
})
