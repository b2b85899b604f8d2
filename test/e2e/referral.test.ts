import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  callApi,
  expectSignedIn,
  mailedCode,
  newEmail,
  newPerson,
  PASSWORD,
  type Person,
  signInAs,
} from './support/accounts.ts'
import { axeFindings, overflowOf } from './support/axe.ts'
import { browser, type Look, type Visit } from './support/browser.ts'
import { demoOfFile } from './support/demo-server.ts'

const server = demoOfFile({ REFERRAL_OF: 'topup', REFERRAL_PENDING_DAYS: '0', REFERRAL_LEAST_RUB: '20.00' })
const PATIENCE = { timeout: 60_000 }
const LOOKS: Look[] = [
  { locale: 'ru', theme: 'dark', width: 390, height: 844 },
  { locale: 'ru', theme: 'light' },
  { locale: 'en', theme: 'dark' },
  { locale: 'en', theme: 'light', width: 320, height: 700 },
]

async function openAs(person: Person, look: Look = {}): Promise<Visit> {
  const visit = await browser.open(server.url, look)
  await signInAs(visit.page, person)
  await expectSignedIn(visit.page)
  await visit.page.goto(`${server.url}/partners`)
  await visit.page.locator('[data-own-link]').waitFor()
  return visit
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function guestOf(link: string): Promise<string> {
  const email = newEmail()
  const form = { email, password: PASSWORD, password_confirmation: PASSWORD, agree: true }
  const referral_id = new URL(link).searchParams.get('ref')
  await callApi(server, 'POST /api/register', { ...form, referral_id })
  const code = await mailedCode(server, email)
  const proof = { email, code, password: PASSWORD }
  return (await callApi<{ token: string }>(server, 'POST /api/verify-email', proof)).token
}

async function look(visit: Visit, name: string): Promise<void> {
  const { page, context } = visit
  for (const { locale = 'en', theme = 'light', width = 1440, height = 900 } of LOOKS) {
    await context.addCookies([
      { name: 'theme', value: theme, url: server.url },
      { name: 'locale', value: locale, url: server.url },
    ])
    await page.setViewportSize({ width, height })
    await page.goto(`${server.url}/partners`)
    await page.locator('[data-own-link]').waitFor()
    await shot(page, `${name}-${locale}-${theme}-${width}`)
    expect(await overflowOf(page), `${locale} ${width}`).toBeLessThanOrEqual(0)
    expect(await axeFindings(page), `${locale} ${theme}`).toEqual([])
  }
}

test('a visitor reads the terms, and the button leads to the registration', async () => {
  await using visit = await browser.open(`${server.url}/partners`)
  const { page } = visit
  await page.getByText('You earn 10% of what people top up in their first').waitFor()
  expect(await page.locator('[data-own-link]').count()).toBe(0)
  await shot(page, 'visitor')
  await page.getByRole('button', { name: 'Register to get a link' }).click()
  await page.getByRole('dialog').getByLabel('Repeat password').waitFor()
  expect(visit.complaints).toEqual([])
})

test('the own link brings somebody, whose top-up brings a share that goes to the balance and to an address', async () => {
  const referrer = await newPerson(server)
  await using visit = await openAs(referrer)
  const { page } = visit
  const link = await page.locator('[data-own-link]').innerText()
  expect(link).toMatch(/\/\?ref=\d+$/)
  expect((await page.locator('main').getByRole('heading').allInnerTexts()).slice(0, 4)).toEqual([
    'For partners',
    'Your link',
    'Earn by inviting people',
    'Your earnings',
  ])
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.getByText('Nobody has registered through your link yet.').waitFor()

  const token = await guestOf(link)
  const ways = await callApi<{ systems: Record<string, { form: string }> }>(server, 'GET /api/payments', null, token)
  const [system] = Object.entries(ways.systems).find(([, { form }]) => form === 'instant') ?? []
  await callApi(server, 'POST /api/v1/payments', { system, amount: '1000.00' }, token)

  // Requests from loopback have no network, and no browser was shared, so no referral share waits for staff.
  const earned = async () => {
    const { data } = await callApi<{ data: { available: string } }>(
      server,
      'GET /api/v1/referral',
      null,
      referrer.token,
    )
    return data.available
  }
  await expect.poll(earned, PATIENCE).toBe('100.00')
  await page.reload()
  await page.getByRole('heading', { name: 'Withdraw', exact: true }).waitFor()
  const figure = async (name: string) =>
    (await page.locator('dl > div', { hasText: name }).locator('dd').innerText()).replaceAll('\u00a0', ' ')
  await expect.poll(() => figure('Available'), PATIENCE).toBe('100.00 ₽')

  await page.getByLabel('Amount').fill('40')
  await page.getByRole('button', { name: 'Move to balance' }).click()
  await page.getByText('We’ve added the money to your balance').first().waitFor()
  await expect.poll(() => figure('Available'), PATIENCE).toBe('60.00 ₽')
  await expect.poll(() => page.getByRole('banner').locator('[data-balance]').innerText(), PATIENCE).toContain('40.00')

  await page.getByRole('button', { name: 'To a wallet' }).click()
  await page.getByLabel('Amount').fill('10')
  await page.getByLabel('Address', { exact: true }).fill('nope')
  await page.getByRole('button', { name: 'Request payout' }).click()
  await page.getByText('At least 20.00 ₽').first().waitFor()
  await page.getByLabel('Amount').fill('20')
  await page.getByRole('button', { name: 'Request payout' }).click()
  await page.getByText('This isn’t a valid address on that network').waitFor()
  await page.getByLabel('Address', { exact: true }).fill('playaddress12345')
  await page.getByRole('button', { name: 'Request payout' }).click()
  await page.getByText('Your request for 20.00 ₽ is still open.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('is still open')
  const listed = await server.cli('referral:list', '--json')
  const { id } = JSON.parse(listed.split('\n')[0] ?? '{}') as { id: number }
  await server.cli('referral:approve', String(id), '--reason', 'test')
  await server.cli('referral:paid', String(id), '--tx', 'cafe', '--reason', 'test')
  await page.goto(`${server.url}/partners`)
  await page.getByText('Transaction cafe').waitFor()
  await shot(page, 'figures')
  expect(visit.complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])
})

test('the page fits every width, and axe finds nothing, in each language and theme', async () => {
  await using visit = await openAs(await newPerson(server))
  await look(visit, 'empty')
})

test('the menu of a member leads to the link', async () => {
  await using visit = await browser.open(server.url)
  await signInAs(visit.page, await newPerson(server))
  await expectSignedIn(visit.page)
  await visit.page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await visit.page.getByRole('link', { name: 'Referral link' }).click()
  await visit.page.locator('[data-own-link]').waitFor()
})
