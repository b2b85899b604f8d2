import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test, vi } from 'vitest'
import type { StatisticsReply } from '#contract/past/history.ts'
import { complaintsBut, newApiKey, newPerson, type Person } from './support/accounts.ts'
import { axeFindings, findingsOfViews, overflowOf } from './support/axe.ts'
import { browser, hasHydrated, hasKeyboard, type Look, type Visit } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { hasPixels, switchToDark } from './support/plot-pixels.ts'

/**
 * The number of older purchases, which fill more than one page. Two more follow: one with a code, one with a refund.
 */
const OLDEST = 22
const server = demoOfWorker()
let buyer: Person
let apiKey = ''
let coded: { id: string; phone: string }
let cancelled: { id: string; phone: string }

beforeAll(async () => {
  buyer = await newPerson(server, { balance: '10000' })
  apiKey = await newApiKey(server, buyer)
  for (let bought = 0; bought < OLDEST; bought += 1) await buy('service=fb&country=6&operator=silent')
  cancelled = await buy('service=wa&country=2&operator=silent')
  coded = await buy('service=tg&country=2&operator=swift')
  await answers(`action=getStatus&id=${coded.id}`, /^STATUS_OK:\d+$/)
  await answers(`action=setStatus&status=8&id=${cancelled.id}`, /^ACCESS_CANCEL$/)
})

async function ask(query: string): Promise<string> {
  const reply = await fetch(`${server.url}/stubs/handler_api.php?api_key=${apiKey}&${query}`)
  return reply.text()
}

async function answers(query: string, wanted: RegExp): Promise<void> {
  await vi.waitFor(async () => expect(await ask(query)).toMatch(wanted), { timeout: 20_000, interval: 200 })
}

async function buy(kind: string): Promise<{ id: string; phone: string }> {
  const answer = await ask(`action=getNumber&${kind}`)
  const [, id, phone] = /^ACCESS_NUMBER:(\d+):(\d+)$/.exec(answer) ?? []
  if (id === undefined || phone === undefined) throw new Error(`no number: ${answer}`)
  return { id, phone }
}

async function openAs(path: string, look: Look = {}): Promise<Visit> {
  const visit = await browser.openAs(server, buyer, path, look)
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  await hasHydrated(visit.page)
  return visit
}

const PATIENCE = { timeout: 20_000 }
const showsRows = (page: Page, count: number) => expect.poll(() => rows(page).count(), PATIENCE).toBe(count)
const rows = (page: Page) => page.locator('tbody tr.past-row')
const purchase = (page: Page, { id }: { id: string }) => page.locator(`tr[data-purchase="${id}"]`)
const plain = (text: string) => text.replaceAll('\u00a0', ' ').replaceAll('−', '-')

test('2.1, 4.12: every purchase is found again, with what came and what it cost in the end', async () => {
  await using visit = await openAs('/history')
  const { page } = visit
  await showsRows(page, 20)
  expect(plain(await purchase(page, coded).innerText())).toMatch(/Telegram[\s\S]*Kazakhstan[\s\S]*\b\d{5}\b[\s\S]*₽/)
  expect(plain(await purchase(page, cancelled).innerText())).toMatch(
    /cancelled\s+nothing charged\s+\d+\.\d\d ₽ released/,
  )
  await rows(page).last().scrollIntoViewIfNeeded()
  await showsRows(page, OLDEST + 2)
  await page.getByRole('searchbox', { name: 'Phone, service or #' }).fill(coded.phone.slice(-6))
  await showsRows(page, 1)
  expect(new URL(page.url()).searchParams.get('search')).toBe(coded.phone.slice(-6))
  await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('')
  await showsRows(page, OLDEST + 2)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Outcome').selectOption('Nothing charged')
  await showsRows(page, 1)
  expect(plain(await page.getByLabel('Totals').innerText())).toMatch(
    /Purchases\s+1\s+Charged\s+0\.00 ₽\s+Back on your balance\s+\d/,
  )
  await page.getByRole('button', { name: 'All services' }).click()
  await page.getByRole('searchbox', { name: 'Find' }).fill('viber')
  await page.getByRole('checkbox', { name: /Viber/ }).check()
  await page.getByText('Nothing in your history matches this filter.').waitFor()
  expect(new URL(page.url()).search).toBe('?outcome=returned&services=vi')
  await page.reload()
  await page.getByText('Nothing in your history matches this filter.').waitFor()
  await page.getByRole('button', { name: 'Remove filter: Viber' }).click()
  await showsRows(page, 1)
  await page.getByRole('button', { name: 'Clear' }).click()
  await showsRows(page, 20)
  await page.setViewportSize({ width: 1024, height: 768 })
  const field = page.getByRole('searchbox', { name: 'Phone, service or #' })
  await field.fill('Phone, service or #')
  const room = await field.evaluate((input) => input.clientWidth - input.scrollWidth)
  expect(room).toBe(0)
  expect(visit.complaints).toEqual([])
})

test('days are those of the reader, on the far side of the world too', async () => {
  await using visit = await openAs('/history?period=today', { timeZone: 'Pacific/Kiritimati' })
  const { page } = visit
  await showsRows(page, 20)
  await page.getByRole('button', { name: 'Filters' }).click()
  const day = await page.getByLabel('Start date').inputValue()
  expect(day).toBe(new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format())
  await page.getByLabel('End date').fill('2024-05-01')
  await page.getByText('Nothing in your history matches this filter.').waitFor()
  expect(new URL(page.url()).search).toBe(`?from=2024-05-01&to=2024-05-01`)
  expect(visit.complaints).toEqual([])
})

test('a row opens its messages by the keyboard, and what a program buys meanwhile comes by itself', async () => {
  await using visit = await openAs('/history')
  const { page } = visit
  const button = purchase(page, coded).getByRole('button', { name: /^Messages: Telegram, \+7/ })
  await button.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Telegram').first().waitFor()
  await hasKeyboard(dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await purchase(page, cancelled).getByRole('button').press('Enter')
  await dialog.getByText('No messages arrived').waitFor()
  await page.keyboard.press('Escape')
  const fresh = await buy('service=ds&country=1&operator=swift')
  await purchase(page, fresh)
    .getByText(/^\d{6}$/)
    .waitFor({ timeout: 30_000 })
  expect(visit.complaints).toEqual([])
})

test('the money view tells what became of the money of each purchase', async () => {
  await using visit = await openAs('/history?view=money')
  const { page } = visit
  const entry = ({ id }: { id: string }) => rows(page).filter({ hasText: `#${id}` })
  const saysOf = async (one: { id: string }) => plain(await entry(one).innerText())
  const back = /Released: \d+\.\d\d ₽[\s\S]*WhatsApp[\s\S]*\b0\.00 ₽/
  await expect.poll(() => saysOf(cancelled), PATIENCE).toMatch(back)
  const charged = /Charged\s+2 transactions[\s\S]*Telegram[\s\S]*-\d+\.\d\d ₽/
  await expect.poll(() => saysOf(coded), PATIENCE).toMatch(charged)
  await entry(coded).getByRole('button', { name: '2 transactions' }).press('Enter')
  const steps = page.locator('tr.past-steps')
  expect(plain(await steps.innerText())).toMatch(/Charged[\s\S]*from money on hold[\s\S]*Put on hold[\s\S]*-\d/)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Direction').selectOption('Money in')
  const setAside = rows(page).filter({ hasText: /on hold|charged/i })
  await expect.poll(() => setAside.count(), PATIENCE).toBe(0)
  await rows(page).filter({ hasText: 'Manually, by staff' }).waitFor()
  await page.getByRole('link', { name: 'Numbers', exact: true }).first().press('Enter')
  await purchase(page, coded).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent), PATIENCE).toBe('Numbers')
  expect(visit.complaints).toEqual([])
})

test('on a phone a purchase of the money view takes two lines, and a press on it shows its number', async () => {
  await using visit = await openAs('/history?view=money', { width: 390 })
  const { page } = visit
  const entry = rows(page).filter({ hasText: `#${coded.id}` })
  const told = async () => plain(await entry.innerText()).replaceAll(/\s+/gu, ' ')
  await expect.poll(told, PATIENCE).toMatch(/\d\d:\d\d Charged Telegram .*-\d+\.\d\d ₽ .*₽ left$/u)
  const { height = 0 } = (await entry.boundingBox()) ?? {}
  expect(height).toBeLessThan(70)
  await entry.click({ position: { x: 200, y: height - 10 } })
  await page.locator('tr.past-steps').getByText(`#${coded.id}`).waitFor()
  const controls = page.locator('main :is(fieldset, [aria-controls]:not(tr *))')
  expect(await controls.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))).toEqual([44, 44])
  expect(visit.complaints).toEqual([])
})

test('on the smallest phone no long result of a row breaks a name or lies over a number', async () => {
  await using visit = await openAs('/history', { width: 320 })
  const { page } = visit
  await rows(page).first().waitFor()
  const broken = await rows(page).evaluateAll((all) =>
    all.flatMap((row) => {
      // A long state stands for the longest that a row may show.
      const state = row.querySelector('[data-cell=result] span:last-child')
      if (state !== null) state.append(' and a long state of it')
      const [name, phone, result] = ['service] button', 'phone]', 'result]'].map((cell) => {
        const text = document.createRange()
        text.selectNodeContents(row.querySelector(`[data-cell=${cell}`) ?? row)
        return text.getBoundingClientRect()
      })
      if (name === undefined || phone === undefined || result === undefined) return ['a cell is missing']
      return name.height > 30 || phone.right > result.left ? [row.textContent] : []
    }),
  )
  expect(broken).toEqual([])
})

test('what the filter finds is downloaded, and a refusal is told in its own words', async () => {
  await using visit = await openAs('/history?search=Telegram')
  const { page } = visit
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^ringpost-history-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text.charCodeAt(0)).toBe(0xfeff)
  expect(text).toContain(coded.phone)
  expect(text).not.toContain(cancelled.phone)
  const refusal = { status: false, code: 'INVALID_INPUT', message: 'Choose a shorter time' }
  await page.route('**/api/v1/history.csv**', (route) => route.fulfill({ status: 422, json: refusal }))
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await page.getByText('Choose a shorter time').first().waitFor()
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('what does not load says so in its place, and comes when it is asked for again', async () => {
  await using visit = await openAs('/history')
  const { page } = visit
  await page.route('**/api/v1/entries?**', (route) => route.abort())
  await page.route('**/api/v1/statistics?**', (route) => route.abort())
  await page.getByRole('link', { name: 'Money', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: 'Your history didn’t load' }).waitFor()
  await page.unroute('**/api/v1/entries?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rows(page).first().waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.getByRole('alert').filter({ hasText: 'Your statistics didn’t load' }).waitFor()
  await page.unroute('**/api/v1/statistics?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Purchases', { exact: true }).first().waitFor()
})

/** Invents the statistics of a month, because a job computes the real ones only a minute or more later. */
function monthOf(from: string, days: number): StatisticsReply {
  const sum = (purchases: number, codes: number) => ({
    purchases,
    codes,
    activations: purchases,
    spent: `${codes * 12}.50`,
    success_share: purchases === 0 ? null : codes / purchases,
    median_seconds: codes === 0 ? null : 8.4,
    p90_seconds: codes === 0 ? null : 130,
  })
  const nothing = { from, to: from, total: sum(0, 0), days: [], hours: null }
  return {
    status: true,
    data: {
      currency: 'rub',
      from,
      to: from,
      before: nothing,
      hours: null,
      total: sum(240, 180),
      days: Array.from({ length: days }, (_, index) => ({
        day: new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10),
        ...sum(index % 5 === 4 ? 0 : 10, index % 5 === 4 ? 0 : 7),
      })),
      services: [{ id: 'tg', name: 'Telegram', ...sum(200, 160) }],
      countries: [{ id: 2, name: 'Kazakhstan', iso2: 'KZ', ...sum(200, 160) }],
      counted_until: '2026-03-30T12:00:00.000Z',
    },
  }
}

async function openStatistic(look: Look = {}): Promise<Visit> {
  const visit = await openAs('/history', look)
  await visit.page.route('**/api/v1/statistics?**', (route) => route.fulfill({ json: monthOf('2026-03-01', 30) }))
  await visit.page.goto(`${server.url}/statistic`)
  await visit.page.locator('figure canvas').nth(3).waitFor()
  return visit
}

test('the statistics are plots with their sums in words, and a table of the same', async () => {
  await using visit = await openStatistic()
  const { page } = visit
  const figure = page.getByRole('figure', { name: 'Purchases and codes' })
  await figure.getByText('240 purchases, 180 codes in total').waitFor()
  expect(plain(await page.locator('dl').innerText())).toMatch(
    /240[\s\S]*2160\.50 ₽|2,160\.50 ₽[\s\S]*75%[\s\S]*8 s[\s\S]*2 min 10 s/,
  )
  await figure.locator('.u-over').hover({ position: { x: 2, y: 20 } })
  await figure.getByText('Mar 1, 2026: 10 purchases, 7 codes').waitFor()
  await page.getByText('Table by day').press('Enter')
  const table = page.getByRole('region', { name: 'Table by day' })
  await expect.poll(() => table.getByRole('row').count(), PATIENCE).toBe(1 + 24)
  expect(plain(await table.getByRole('row').nth(1).innerText())).toBe('Mar 29\t10\t7\t70%\t8 s\t2 min 10 s\t84.50 ₽')
  await switchToDark(page)
  await expect.poll(() => hasPixels(page, [84, 201, 138]), PATIENCE).toBe(true)
  expect(visit.complaints).toEqual([])
})

test('without the plots the table stands open', async () => {
  await using visit = await openAs('/history')
  const { page } = visit
  await page.route('**/api/v1/statistics?**', (route) => route.fulfill({ json: monthOf('2026-03-01', 30) }))
  await page.route('**/assets/draw-plot-*.js', (route) => route.abort())
  await page.goto(`${server.url}/statistic`)
  await page.getByText('The chart didn’t load.').first().waitFor()
  await page.getByRole('region', { name: 'Table by day' }).getByText('Mar 29').waitFor()
})

test('what everybody gets is measured, said how, and narrowed to one service', async () => {
  await using visit = await openAs('/statistic')
  const { page } = visit
  const part = page.getByRole('region', { name: 'Results for all buyers' })
  await part.getByText('We leave out rows with fewer than 10 purchases').waitFor()
  await part.getByRole('button', { name: 'All services' }).click()
  await part.getByRole('searchbox', { name: 'Find' }).fill('whats')
  await part.getByRole('radio', { name: 'WhatsApp', exact: true }).check()
  await expect.poll(() => new URL(page.url()).searchParams.get('service'), PATIENCE).toBe('wa')
  await expect.poll(() => part.getByRole('rowheader').filter({ hasNotText: 'WhatsApp' }).count(), PATIENCE).toBe(0)
  expect(await part.getByRole('rowheader').count()).toBeGreaterThan(0)
  expect(visit.complaints).toEqual([])
})

test('axe finds nothing, and nothing scrolls sideways', async () => {
  await using visit = await openStatistic()
  const { page } = visit
  const check = async () => expect(await findingsOfViews(page)).toEqual([])
  await page.getByText('Table by day').click()
  await check()
  await page.goto(`${server.url}/history?view=money`)
  await rows(page).first().waitFor()
  await check()
  const openPicker = async () => {
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('button', { name: 'All countries' }).click()
    await page.getByRole('searchbox', { name: 'Find' }).fill('kaz')
    await page.getByRole('checkbox', { name: 'Kazakhstan' }).waitFor()
  }
  await page.goto(`${server.url}/history`)
  await purchase(page, coded).waitFor()
  await openPicker()
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/history`)
  await openPicker()
  expect({ found: await axeFindings(page), overflow: await overflowOf(page) }).toEqual({ found: [], overflow: 0 })
  expect(visit.complaints).toEqual([])
})
