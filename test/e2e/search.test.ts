import { expect, test } from 'vitest'
import { browser } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

test('what is typed finds services, and what finds none leaves no row to reach', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const search = page.locator('[data-panel-search="service"]')
  const services = page.getByRole('list', { name: 'Service' }).getByRole('button')
  const found = [/^Telegram\n/, /^Telegram 2\.0\n/].map((name) => expect.stringMatching(name))
  await search.pressSequentially('teleg')
  await expect.poll(() => services.allInnerTexts()).toEqual(found)
  await search.pressSequentially('zz')
  await page.getByText('Nothing found').waitFor()
  expect(await services.count()).toBe(0)
  await search.press('ArrowDown')
  await search.press('Enter')
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(page.url()).not.toContain('service=')
  await search.press('Backspace')
  await search.press('Backspace')
  await expect.poll(() => services.allInnerTexts()).toEqual(found)
  await search.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/?service=tg')
  expect(visit.complaints).toEqual([])
})
