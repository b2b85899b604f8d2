import { expect, test } from 'vitest'
import type { NotificationsReply } from '#contract/notifications/notification.ts'
import { callApi, fillLogin, newPerson, type Person } from './support/accounts.ts'
import { axeFindings, findingsOfViews } from './support/axe.ts'
import { browser, liveOpened, type Visit } from './support/browser.ts'
import { demoOfFile } from './support/demo-server.ts'
import { openSettings } from './support/settings-page.ts'

const server = demoOfFile()
const WHY = ['--reason', 'because', '--yes']

const sendNews = (title: string) =>
  server.cli('news:send', '--ru', 'Новость|Текст', '--en', `${title}|We have added five.`, '--link', '/price', ...WHY)

/** Signs in through the login dialog, so that this browser is a new device of the person. */
async function logIn(person: Person): Promise<Visit> {
  const visit = await browser.open(`${server.url}/settings/notifications`)
  await fillLogin(visit.page.getByRole('dialog'), person)
  await visit.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  return visit
}

test('P-6, 2.12: the bell is always there, opens by keyboard, fills live and leads on', async () => {
  const person = await newPerson(server)
  await using visit = await logIn(person)
  const { page, complaints } = visit
  const all = { up_to: Number.MAX_SAFE_INTEGER }
  await callApi(server, 'POST /api/v1/notifications/read', all, person.token)
  const live = liveOpened(page)
  await page.reload()
  await live
  const banner = page.getByRole('banner')
  await banner.getByRole('button', { name: 'Notifications' }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: 'Notifications', exact: true })
  await panel.getByText('Login from a new device').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Notifications')

  const title = 'New countries'
  await sendNews(title)
  await page.getByText(title).waitFor()
  const bell = banner.getByRole('button', { name: '1 new notification' })
  await bell.waitFor()
  await bell.click()
  const row = panel.getByRole('link', { name: title })
  await row.waitFor()
  expect(await findingsOfViews(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await banner.getByRole('button', { name: /^(1 new notification|Notifications)$/ }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await panel.getByRole('button', { name: 'Money' }).click()
  await panel.getByText('No notifications on this topic').waitFor()
  await panel.getByRole('button', { name: 'News' }).click()
  await row.click()
  await page.waitForURL('**/price')
  await banner.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await sendNews(title)
  await banner.getByRole('button', { name: '1 new notification' }).click()
  await panel.getByRole('button', { name: 'Mark all as read' }).click()
  await banner.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await page.reload()
  await banner.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('1.10: the bell counts in no tab what its reader has just done, and in both what others do', async () => {
  const person = await newPerson(server)
  await using visit = await logIn(person)
  const { page, complaints } = visit
  const other = await page.context().newPage()
  const live = liveOpened(other)
  await other.goto(`${server.url}/price`)
  await live
  const bellOf = (tab: typeof page, name: string) =>
    tab.getByRole('banner').getByRole('button', { name, exact: true }).waitFor()
  const stateOf = async (kind: string) => {
    const list = 'GET /api/v1/notifications'
    const { notifications } = await callApi<NotificationsReply>(server, list, null, person.token)
    return notifications.find((one) => one.kind === kind)?.read
  }
  await expect.poll(() => stateOf('new-device')).toBe(false)
  await page.goto(`${server.url}/top-up`)
  await page.getByRole('button', { name: /^Top up \d/ }).click()
  await page.locator('[data-outcome=paid]').waitFor()
  await expect.poll(() => stateOf('payment-credited'), { timeout: 10_000 }).toBe(true)
  for (const tab of [page, other]) await bellOf(tab, 'Notifications')
  await sendNews('Six new countries')
  for (const tab of [page, other]) await bellOf(tab, '1 new notification')
  expect(complaints).toEqual([])
})

test('what is chosen stays chosen, and a failed save shows what is true', async () => {
  const person = await newPerson(server)
  await using visit = await openSettings(server, person, { path: '/settings/notifications' })
  const { page } = visit
  const box = () => page.getByRole('checkbox', { name: 'News: E-mail' })
  expect(await box().isChecked()).toBe(false)
  await box().click()
  await expect.poll(() => box().isChecked()).toBe(true)
  await page.getByLabel('Low balance').fill('1 000,50')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Alerts saved').waitFor()
  await page.reload()
  expect(await box().isChecked()).toBe(true)
  expect(await page.getByLabel('Low balance').inputValue()).toBe('1000.50')
  await page.route('**/api/v1/notifications/settings', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await box().click()
  await expect.poll(() => box().isChecked()).toBe(true)
})

test('P-5: a notice stands above the page until its reader closes it, and a changed one comes back', async () => {
  await server.cli('notice:set', 'works', '--en', 'We are down tonight', ...WHY.slice(0, 2))
  const settings = async () => (await fetch(`${server.url}/api/content/settings`, { headers: { locale: 'en' } })).text()
  await expect.poll(settings, { timeout: 20_000 }).toContain('We are down tonight')
  await using visit = await browser.open(`${server.url}/loyalty`)
  const { page, complaints } = visit
  const notice = page.getByRole('complementary', { name: 'Service news' })
  await notice.getByText('We are down tonight').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await notice.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
  expect(await notice.count()).toBe(0)
  await server.cli('notice:set', 'works', '--en', 'We are down tomorrow', ...WHY.slice(0, 2))
  await expect.poll(settings, { timeout: 20_000 }).toContain('We are down tomorrow')
  await page.goto(`${server.url}/price`)
  await notice.getByText('We are down tomorrow').waitFor()
  await server.cli('notice:remove', 'works', ...WHY.slice(0, 2))
  expect(complaints).toEqual([])
})
