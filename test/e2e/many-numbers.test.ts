import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { callApi, newPerson, type Person } from './support/accounts.ts'
import { axeFindings, overflowOf } from './support/axe.ts'
import { browser, hasHydrated } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const WITH_CODE = 5
const WITHOUT = 9
const MOST_PX_ON_A_PHONE = 88

const server = demoOfWorker()
let buyer: Person

beforeAll(async () => {
  buyer = await newPerson(server, { balance: '10000' })
  const wish = (service_id: string, operator_id: string) => ({ service_id, country_id: 2, operator_id })
  const items = [
    ...Array.from({ length: WITHOUT }, () => wish('wa', 'silent')),
    ...Array.from({ length: WITH_CODE }, () => wish('tg', 'swift')),
  ]
  const { data } = await callApi<{ data: { bought: number } }>(
    server,
    'POST /api/v1/activations/bulk',
    { items },
    buyer.token,
  )
  expect(data.bought).toBe(items.length)
})

const rows = (page: Page) => page.locator('.number-row')
const boxes = (page: Page) =>
  rows(page).evaluateAll((all) =>
    all.map((row) => {
      const { top, bottom, height } = row.getBoundingClientRect()
      return { top, bottom, height }
    }),
  )

test.each(['/', '/activations'])('fourteen numbers fit on one screen of %s', async (path) => {
  await using visit = await browser.openAs(server, buyer, path)
  const { page } = visit
  await expect.poll(() => page.locator('.row-code').count(), { timeout: 30_000 }).toBe(WITH_CODE)
  // The HTML of the server has the rows, so nothing moves when the scripts come.
  await page.reload()
  const before = await boxes(page)
  await hasHydrated(page)
  const shown = await boxes(page)
  expect(shown).toEqual(before)
  expect(shown).toHaveLength(WITH_CODE + WITHOUT)
  expect(shown.map(({ height }) => height)).toEqual(shown.map(() => 64))
  expect(Math.max(...shown.map(({ bottom }) => bottom))).toBeLessThanOrEqual(900)
  expect(await axeFindings(page)).toEqual([])
  expect(visit.complaints).toEqual([])
})

test.each([1440, 1024, 390, 320])(
  'F14: at %i px a row shows its message, whole in its title, and stays in place',
  async (width) => {
    await using visit = await browser.openAs(server, buyer, '/activations', { width, height: 900 })
    const { page } = visit
    const opens = page.locator('.number-row[data-code] .row-open')
    await expect.poll(() => opens.count()).toBe(WITH_CODE)
    const shown = await opens.evaluateAll((all) =>
      all.map((button) => {
        const words = button.querySelector('.row-words')
        const text = button.querySelector('.row-words-text')
        const row = button.closest('.number-row')?.getBoundingClientRect()
        const holes = button.closest('.number-row')?.querySelector('.ticket-holes')?.getBoundingClientRect()
        const place = words?.getBoundingClientRect()
        return {
          title: button.getAttribute('title') ?? '',
          text: text?.textContent ?? '',
          isSeen: (place?.width ?? 0) > 120 && (text?.getClientRects()[0]?.width ?? 0) > 80,
          isInside: (place?.bottom ?? 0) <= (row?.bottom ?? 0),
          isClearOfHoles: (holes?.top ?? 0) - (place?.bottom ?? 0) >= 4,
        }
      }),
    )
    for (const { title, text, isSeen, isInside, isClearOfHoles } of shown) {
      expect(title).toMatch(/code/i)
      expect(text).toContain(title)
      expect([isSeen, isInside, isClearOfHoles]).toEqual([true, true, true])
    }
    // A row that waits has its phone in the same place, so nothing moves when the message comes.
    const tops = await rows(page).evaluateAll((all) =>
      all.map((row) => {
        const phone = row.querySelector('.row-phone')?.getBoundingClientRect().top ?? 0
        return Math.round(phone - row.getBoundingClientRect().top)
      }),
    )
    expect(new Set(tops).size).toBe(1)
  },
)

test.each([390, 320])('on a phone of %i px a row has three lines, and nothing sticks out', async (width) => {
  await using visit = await browser.openAs(server, buyer, '/activations', { width, height: 844 })
  const { page } = visit
  await expect.poll(() => rows(page).count()).toBe(WITH_CODE + WITHOUT)
  for (const { height } of await boxes(page)) expect(height).toBeLessThanOrEqual(MOST_PX_ON_A_PHONE)
  expect(await overflowOf(page)).toBeLessThanOrEqual(0)
  expect(await axeFindings(page)).toEqual([])
})

test('codes are copied together, and all that wait are cancelled by one answer', async () => {
  await using visit = await browser.openAs(server, buyer, '/activations')
  const { page } = visit
  await hasHydrated(page)
  await page.getByRole('button', { name: `Copy codes (${WITH_CODE})` }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n')).toHaveLength(WITH_CODE)
  for (const line of copied.split('\n')) expect(line).toMatch(/^77\d{9}\t\d{5,6}$/)
  await page.getByRole('button', { name: `Cancel all waiting (${WITHOUT})` }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.innerText()).toMatch(/Cancel 9 numbers\? We’ll refund [\d.]+\s₽\./u)
  await dialog.getByRole('button', { name: 'Cancel 9 numbers' }).click()
  await page.getByText(/^9 of 9 numbers cancelled/u).waitFor()
  await expect.poll(() => page.locator('.number-row[data-look="ended"]').count()).toBe(WITHOUT)
  expect(await rows(page).count()).toBe(WITH_CODE + WITHOUT)
  await page.reload()
  await expect.poll(() => page.getByRole('article').count()).toBe(WITH_CODE)
  expect(await rows(page).count()).toBe(0)
  expect(visit.complaints).toEqual([])
})
