import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { callApi, newPerson } from './support/accounts.ts'
import { findingsOfViews } from './support/axe.ts'
import { browser } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()
const PATH = '/doc/api'

async function newKey(scopes: string[]): Promise<string> {
  const { token } = await newPerson(server)
  return (await callApi<{ secret: string }>(server, 'POST /api/v1/keys', { name: 'Shop', scopes }, token)).secret
}

const card = (page: Page, title: string) => page.locator('section > div > details').filter({ hasText: title })

async function openForm(part: Locator): Promise<Locator> {
  await part.locator('summary').first().click()
  await part.getByRole('button', { name: 'Try it' }).click()
  return part.getByRole('form')
}

test('17.4: a call is made with a pasted key, which stands in no address and is kept nowhere', async () => {
  const key = await newKey(['read', 'buy'])
  await using visit = await browser.open(server.url + PATH)
  const { page, context } = visit
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const read = await openForm(card(page, 'The account: balance, settings, and all open orders and payments'))
  await read.getByRole('button', { name: 'Send the request' }).click()
  await read.getByText('First paste your API key at the top of the page.').waitFor()
  await page.getByLabel('Your API key').fill(key)
  await read.getByRole('button', { name: 'Send the request' }).click()
  await read.getByText('Done: 200').waitFor()
  await read.getByText('"balance": "0.00"').waitFor()

  const buy = await openForm(card(page, 'Buy a number for one code'))
  await buy.getByRole('button', { name: 'Send the request' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('A key with play money spends only play money').waitFor()
  await dialog.getByRole('button', { name: 'Send the request' }).click()
  await buy.getByText(/^Refused: 4\d\d$/).waitFor()
  await buy.getByText(/"code": "NO_BALANCE"/).waitFor()
  expect(await buy.getByRole('link', { name: 'How to handle NO_BALANCE' }).getAttribute('href')).toBe(
    '/doc/errors#NO_BALANCE',
  )
  await card(page, 'Buy a number for one code').getByText(`Authorization: Bearer ${key}`).first().waitFor()

  expect(asked.some((url) => url.endsWith('/api/v1/activations'))).toBe(true)
  expect(asked.filter((url) => url.includes(key))).toEqual([])
  expect(page.url()).toBe(server.url + PATH)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  expect(kept + JSON.stringify(await context.cookies())).not.toContain(key)
  expect(visit.complaints.filter((one) => !/status of 4\d\d/.test(one))).toEqual([])
  await page.reload()
  expect(await page.getByLabel('Your API key').inputValue()).toBe('')
})

test('the first call is in sight at once, and how keys work is folded', async () => {
  await using visit = await browser.open(server.url + PATH)
  const { page } = visit
  const first = page.locator('section > div > details').first()
  expect((await first.boundingBox())?.y).toBeLessThan(480)
  expect(
    await first
      .locator('summary')
      .first()
      .evaluate((one) => getComputedStyle(one).listStyleType),
  ).toBe('none')
  const kept = page.getByText('We don’t store the key')
  expect(await kept.isVisible()).toBe(false)
  await page.getByText('How keys work').click()
  await kept.waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('How keys work').click()
  expect((await first.boundingBox())?.y).toBeLessThan(700)
  expect(visit.complaints).toEqual([])
})

test('17.4: a key that may not buy is refused, and the server says so', async () => {
  const key = await newKey(['read'])
  await using visit = await browser.open(server.url + PATH)
  const { page } = visit
  await page.getByLabel('Your API key').fill(key)
  const cancel = await openForm(card(page, 'Finish an activation after its code has arrived'))
  await cancel.getByRole('button', { name: 'Send the request' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send the request' }).click()
  await cancel.getByText('Refused: 403').waitFor()
  await cancel.getByText(/"code": "FORBIDDEN"/).waitFor()
})

test('17.4: what a call does is told in the language that is chosen; what is open and typed stays', async () => {
  await using visit = await browser.open(server.url + PATH, { locale: 'en' })
  const { page } = visit
  await page.getByLabel('Your API key').fill('a key')
  await card(page, 'Buy a number for one code').locator('summary').first().click()
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Language/ })
    .click()
  await page.getByRole('button', { name: 'Русский' }).click()
  await card(page, 'Купить номер для одного кода').getByText('service_id', { exact: true }).waitFor()
  expect(await page.locator('input[type=password]').inputValue()).toBe('a key')
  expect(visit.complaints).toEqual([])
})

test('17.4: an address opens its call, and calls are found by words and by field; what was typed stays', async () => {
  await using visit = await browser.open(`${server.url}${PATH}#rentals_create`)
  const { page } = visit
  const rent = page.locator('#rentals_create')
  const link = rent.getByRole('link', { name: 'Link to this call' })
  await expect.poll(() => rent.getAttribute('open')).not.toBeNull()
  expect(await link.getAttribute('href')).toBe('#rentals_create')
  await expect.poll(() => rent.evaluate((card) => card.getBoundingClientRect().top < innerHeight)).toBe(true)
  await rent.getByRole('button', { name: 'Try it' }).click()
  await rent.getByLabel('Body, JSON').fill('{"mine":1}')

  const titles = page.locator('details:visible > summary h3')
  const groups = page.getByRole('navigation', { name: 'Groups of calls' }).getByRole('link')
  const search = page.getByRole('searchbox', { name: 'Find a call' })
  expect(await groups.count()).toBe(await page.locator('section:has(details)').count())
  await search.fill('voucher')
  await page.getByText('1 call found').waitFor()
  expect([await titles.allInnerTexts(), await groups.allInnerTexts()]).toEqual([['Redeem a voucher'], ['Vouchers']])
  await page.waitForURL(`${server.url}${PATH}?search=voucher`)
  await search.fill('overlap_hours')
  await expect.poll(() => titles.allInnerTexts()).toEqual(['Give a webhook a new secret'])
  await search.fill('qqqqqqqq')
  await page.getByText('No such calls').waitFor()
  expect(await groups.count()).toBe(0)
  await search.fill('')
  await rent.getByLabel('Body, JSON').waitFor()
  expect(await rent.getByLabel('Body, JSON').inputValue()).toBe('{"mine":1}')

  // This navigation changes only the hash of the open document.
  await page.evaluate(() => location.assign('#webhooks_test'))
  await page.locator('#webhooks_test').getByText('Response fields, 200').waitFor()
  expect(visit.complaints).toEqual([])
})

test('the index stands beside the calls on wide screens and marks the group in view, also the last', async () => {
  await using visit = await browser.open(server.url + PATH, { width: 1280 })
  const { page } = visit
  const index = page.getByRole('navigation', { name: 'Groups of calls' })
  const marked = () => index.locator('[aria-current=location]').allInnerTexts()
  const verbs = ['GET', 'POST', 'PATCH', 'DELETE']
  const colors = await Promise.all(
    verbs.map((verb) =>
      page
        .locator(`[data-verb=${verb}]`)
        .first()
        .evaluate((chip) => getComputedStyle(chip).color),
    ),
  )
  expect(new Set(colors).size).toBe(verbs.length)
  expect(await marked()).toEqual([])
  await index.getByRole('link', { name: 'Rentals', exact: true }).press('Enter')
  await expect.poll(marked).toEqual(['Rentals'])
  await index.getByRole('link', { name: 'Loyalty' }).press('Enter')
  await expect.poll(marked).toEqual(['Loyalty'])
  const list = await index.boundingBox()
  const calls = await page.locator('section:has(details)').last().boundingBox()
  expect(list?.x).toBeGreaterThan((calls?.x ?? 0) + (calls?.width ?? 0))
  expect(
    await index.getByRole('link', { name: 'Loyalty' }).evaluate((link) => link.getBoundingClientRect().top > 0),
  ).toBe(true)
  await page.setViewportSize({ width: 1024, height: 900 })
  const below = await index.boundingBox()
  expect(below?.width).toBeGreaterThan(600)
  expect(visit.complaints).toEqual([])
})

test('17.4: without scripts every call can be read, with the address of this site', async () => {
  await using visit = await browser.open(server.url + PATH, { scripts: false })
  const { page } = visit
  const buy = card(page, 'Buy a number for one code')
  await buy.locator('summary').first().click()
  await buy.getByText('service_id', { exact: true }).waitFor()
  await buy.getByText(/curl "http:\/\/localhost:\d+\/api\/v1\/activations"/).waitFor()
  await buy.getByRole('link', { name: 'TypeScript' }).click()
  await page.waitForURL(/\?code=typescript#activations_create\.code$/)
  await buy.getByText('ringpost.activations.create({').waitFor()
  await page.getByRole('link', { name: 'key with play money' }).waitFor()
  await page.getByRole('navigation', { name: 'Groups of calls' }).getByRole('link', { name: 'Webhooks' }).click()
  expect(page.url()).toBe(`${server.url}${PATH}?code=typescript#group-webhooks`)
  // Chromium does not render <noscript> when a test turns scripts off, so the markup is checked.
  expect(await page.content()).toContain('Without JavaScript, you can read this page but not make calls.')
  await page.getByRole('searchbox', { name: 'Find a call' }).fill('secret webhook')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/\?search=secret/)
  expect(await page.locator('details:visible > summary h3').allInnerTexts()).toEqual([
    'Add a webhook; its secret is shown once',
    'Give a webhook a new secret',
  ])
})

test('17.4: the language of examples is chosen once for all calls and pages, and stays for the next visit', async () => {
  await using visit = await browser.open(`${server.url}${PATH}#activations_create`)
  const { page } = visit
  const buy = page.locator('#activations_create')
  await buy.getByRole('link', { name: 'Python' }).click()
  await buy.getByText('from urllib.request import Request, urlopen').waitFor()
  const cancel = card(page, 'Finish an activation after its code has arrived')
  await cancel.locator('summary').first().click()
  await cancel.getByText('from urllib.request import Request, urlopen').waitFor()
  await page.reload()
  await buy.getByText('from urllib.request import Request, urlopen').waitFor()
  await page.getByRole('link', { name: 'handler_api', exact: true }).click()
  await page.getByRole('heading', { name: 'Buy a number', exact: true }).waitFor()
  await expect.poll(() => page.getByText('from urllib.request import Request, urlopen').count()).toBeGreaterThan(5)
  await page
    .locator('#getNumber')
    .getByText(/ACCESS_NUMBER:\d+:7705\d+/)
    .waitFor()
  await page.locator('#getNumber').getByRole('link', { name: 'NO_NUMBERS' }).click()
  await page.waitForURL(`${server.url}/doc/errors#handler-api.NO_NUMBERS`)
  await page.getByRole('searchbox', { name: 'Find an error' }).fill('balance')
  await expect.poll(() => page.locator('#NO_NUMBERS').count()).toBe(0)
  await page.locator('#NO_BALANCE').getByText('Top up at least data.missing').waitFor()
  expect(visit.complaints).toEqual([])
})

test('17.4: axe finds nothing with a call open', async () => {
  await using visit = await browser.open(server.url + PATH)
  const { page } = visit
  const buy = await openForm(card(page, 'Buy a number for one code'))
  await buy.getByLabel('Body, JSON').fill('x')
  await buy.getByRole('button', { name: 'Send the request' }).click()
  await buy.getByText('This isn’t a JSON object.').waitFor()
  expect(await findingsOfViews(page)).toEqual([])
})
