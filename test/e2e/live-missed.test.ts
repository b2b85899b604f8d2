import { expect, test } from 'vitest'
import { newBuyer } from './support/accounts.ts'
import { browser, liveOpened, panelRow, signIn } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

test('a page that hears that it may have missed events shows the code that came meanwhile', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  // Another node's event is lost, as if Redis had been away: the page hears only that something may be missing.
  await page.routeWebSocket(/\/app\//, (socket) => {
    const live = socket.connectToServer()
    live.onMessage((frame) => {
      const isCode = String(frame).includes('"event":"NewCode"')
      const { channel } = JSON.parse(String(frame)) as { channel?: string }
      socket.send(isCode ? JSON.stringify({ event: 'EventsMissed', data: '{}', channel }) : frame)
    })
  })
  const opened = liveOpened(page)
  await signIn(page, await newBuyer(server))
  await opened
  await panelRow(page, 'Service', /^Telegram/).click()
  await panelRow(page, 'Country', /^Kazakhstan/).click()
  await page.getByRole('button', { name: /^Buy for/ }).click()
  const code = page.getByRole('article').filter({ hasText: 'Telegram' }).first().locator('.ticket-code')
  await code.waitFor({ timeout: 20_000 })
  expect(await code.innerText()).toMatch(/^\d{5,6}$/)
  expect(visit.complaints).toEqual([])
})
