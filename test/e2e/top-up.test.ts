import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newPerson } from './support/accounts.ts'
import { axeFindings } from './support/axe.ts'
import { browser, type Look, type Visit } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()
const PATIENCE = { timeout: 20_000 }

async function openAs(path: string, look: Look & { balance?: string } = {}): Promise<Visit> {
  const { balance = '1000', ...seen } = look
  const visit = await browser.openAs(server, await newPerson(server, { balance }), path, seen)
  await visit.page.getByRole('heading', { level: 1 }).waitFor()
  return visit
}

const headerBalance = (page: Page) => page.getByRole('banner').locator('[data-balance]').innerText()
const amountOf = (text: string) => Number(text.replaceAll(/[^\d.]/g, ''))

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

test('one press gives play money in the demo; the header and the page have one balance, and one line says it', async () => {
  await using visit = await openAs('/top-up')
  const { page } = visit
  const before = amountOf(await headerBalance(page))
  await shot(page, 'desktop')
  await page.getByRole('button', { name: /^Top up \d/ }).click()
  await page.locator('[data-outcome=paid]').waitFor()
  await expect.poll(async () => amountOf(await headerBalance(page)), PATIENCE).toBe(before + 500)
  await expect
    .poll(async () => amountOf(await page.locator('main h1 + p .text-2xl').innerText()), PATIENCE)
    .toBe(before + 500)
  await page.getByRole('list').getByText('paid', { exact: true }).first().waitFor()
  await shot(page, 'paid')
  expect(await axeFindings(page)).toEqual([])
})

test('a payment at the bank survives a reload, is seen in the header and another tab, and its money arrives in both', async () => {
  await using visit = await openAs('/top-up')
  const { page } = visit
  await page.getByRole('radio', { name: /^Sandbox card/ }).check()
  await page.getByLabel(/^Amount/).fill('300')
  await page.getByRole('button', { name: 'Top up 300.00 ₽' }).click()
  await page.waitForURL('**/sandbox/payments/**')
  await shot(page, 'sandbox')
  const bank = page.url()
  await page.getByRole('link', { name: 'Back to the top-up' }).click()
  const open = page.getByRole('article', { name: 'Payment in progress' })
  await open.getByText('Waiting for your payment: Sandbox card').waitFor()
  await page.reload()
  await open.getByRole('link', { name: 'Continue to payment' }).waitFor()
  await page.getByRole('banner').getByText('1 open payment').waitFor()
  await shot(page, 'open')
  const other = await page.context().newPage()
  await other.goto(bank)
  const before = amountOf(await headerBalance(page))
  await other.getByRole('button', { name: 'Pay exactly' }).click()
  await other.locator('[data-outcome=paid]').waitFor()
  await open.waitFor({ state: 'detached' })
  await expect.poll(async () => amountOf(await headerBalance(page)), PATIENCE).toBe(before + 300)
  // The live event carries only the balance, so the page then requests the count of open payments.
  await page.getByRole('banner').getByText('open payment').waitFor({ state: 'detached' })
})

test('a transfer shows address, amount and code; its confirmations come live, and paid it closes', async () => {
  await using visit = await openAs('/top-up')
  const { page } = visit
  await page.getByRole('radio', { name: /^Sandbox coin/ }).check()
  await page.getByLabel(/^Amount/).fill('250')
  await page.getByRole('button', { name: 'Top up 250.00 ₽' }).click()
  const open = page.getByRole('article', { name: 'Payment in progress' })
  await open.getByText('Only PLAY-RUB on the Sandbox network.').waitFor()
  await open.getByText('250.00 PLAY-RUB').waitFor()
  await open.getByRole('img', { name: /QR code/ }).waitFor()
  expect(await open.evaluate((section) => section === document.activeElement)).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  await shot(page, 'code-form')
  const other = await page.context().newPage()
  await other.goto((await open.getByRole('link', { name: 'Continue to payment' }).getAttribute('href')) ?? '')
  const before = amountOf(await headerBalance(page))
  for (const seen of [4, 8]) {
    await other.getByRole('button', { name: 'Send and confirm' }).click()
    await open.getByText(`Confirmations: ${seen} of 12`).waitFor()
    if (seen === 8) await shot(page, 'confirming')
  }
  await page.reload()
  await open.getByText('Confirmations: 8 of 12').waitFor()
  await other.getByRole('button', { name: 'Send and confirm' }).click()
  await open.waitFor({ state: 'detached' })
  await expect.poll(async () => amountOf(await headerBalance(page)), PATIENCE).toBe(before + 250)
})

test('what one closes is told in its own words, in sight of a phone', async () => {
  await using visit = await openAs('/top-up', { width: 390, height: 844 })
  const { page } = visit
  await page.getByRole('radio', { name: /^Sandbox coin/ }).check()
  await page.getByLabel(/^Amount/).fill('270')
  await page.getByRole('button', { name: 'Top up 270.00 ₽' }).click()
  const open = page.getByRole('article', { name: 'Payment in progress' })
  await open.getByText('270.00 PLAY-RUB').waitFor()
  await open.getByRole('button', { name: 'Close this payment' }).click()
  const told = page.locator('[data-outcome=closed]')
  await told.waitFor()
  await expect
    .poll(() =>
      told.evaluate(
        (line) => line.getBoundingClientRect().top >= 0 && line.getBoundingClientRect().bottom <= innerHeight,
      ),
    )
    .toBe(true)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status')
  await page.getByRole('list').getByText('closed by you').first().waitFor()
})

test('without the money the number stays chosen: topped up by what is missing, it is one press away', async () => {
  await using visit = await openAs('/activations', { balance: '0' })
  const { page } = visit
  await page.goto(`${server.url}/?service=tg&country=2`)
  await page.locator('[data-panel-buy]').and(page.getByText('Top up')).click()
  await page.waitForURL('**/top-up?**')
  await page.locator('[data-waiting=tg]').getByText('Kazakhstan').waitFor()
  await page.getByRole('button', { name: /^Top up \d/ }).click()
  await page.getByRole('link', { name: 'Back to your purchase' }).click()
  await page.waitForURL('**/?service=tg&country=2')
  await page.locator('[data-panel-buy]').click()
  await page.locator('.ticket').first().waitFor()
})

test('less than asked, a refused card and a wrong amount are told in words', async () => {
  await using visit = await openAs('/top-up')
  const { page } = visit
  await page.getByRole('radio', { name: /^Sandbox card/ }).check()
  const amount = page.getByLabel(/^Amount/)
  for (const [typed, words] of [
    ['9', 'From'],
    ['abc', 'Enter an amount such as'],
    ['12.345', 'Up to two decimal places'],
  ] as const) {
    await amount.fill(typed)
    await page.getByText(words).waitFor()
  }
  for (const [deed, outcome] of [
    ['Pay less', 'partial'],
    ['Fail', 'failed'],
  ] as const) {
    await page.goto(`${server.url}/top-up`)
    await page.getByRole('radio', { name: /^Sandbox card/ }).check()
    await page.getByLabel(/^Amount/).fill('200')
    await page.getByRole('button', { name: 'Top up 200.00 ₽' }).click()
    await page.getByRole('button', { name: deed }).click()
    await page.locator(`[data-outcome=${outcome}]`).waitFor()
    await shot(page, outcome)
  }
})

test('vouchers are redeemed on the page, and a wrong one says so', async () => {
  const printed = await server.cli(
    'voucher:create',
    'voucher',
    '1',
    '250',
    '--currency',
    'rub',
    '--batch',
    `e2e-${Date.now().toString(36)}`,
    '--reason',
    'test',
  )
  await using visit = await openAs('/top-up')
  const { page } = visit
  await page.getByRole('radio', { name: /^Voucher/ }).check()
  await page.getByLabel('Voucher code').fill('AAAA-BBBB-CCCC-DDDD')
  await page.getByRole('button', { name: 'Redeem' }).click()
  await page.getByRole('main').getByText('This voucher doesn’t exist').waitFor()
  await shot(page, 'voucher')
  await page.getByLabel('Voucher code').fill(printed.trim().toLowerCase())
  await page.getByRole('button', { name: 'Redeem' }).click()
  await page.locator('[data-outcome=paid]').getByText('250.00').waitFor()
})
