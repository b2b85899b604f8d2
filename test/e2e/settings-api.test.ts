import { expect, test } from 'vitest'
import { complaintsBut, newPerson, type Person } from './support/accounts.ts'
import { findingsOfViews } from './support/axe.ts'
import type { Look } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { alert, group, mailAbout, openSettings } from './support/settings-page.ts'

const server = demoOfWorker()
const PATH = '/settings/api'

const openAs = (person: Pick<Person, 'id'>, look: Look = {}) => openSettings(server, person, { path: PATH, ...look })

async function balance(secret: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` }
  return (await fetch(`${server.url}/stubs/handler_api.php?action=getBalance`, { headers })).text()
}

/** Calls handler_api with an unknown service. Returns the refusal, which differs by dialect. */
async function unknownService(secret: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` }
  return (
    await fetch(`${server.url}/stubs/handler_api.php?action=getNumber&service=none&country=2`, { headers })
  ).text()
}

test('on a phone an example is one line, which the keyboard scrolls in its box, and the open section is in sight', async () => {
  await using visit = await openAs(await newPerson(server), { width: 390 })
  const { page } = visit
  const code = page.getByText(/^curl .*getNumber/u)
  await code.waitFor()
  const { x: leftBefore = 0, height = 0 } = (await code.boundingBox()) ?? {}
  expect(height).toBeLessThan(50)
  await page.getByRole('button', { name: 'Copy the handler_api example' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await code.boundingBox())?.x).toBeLessThan(leftBefore)
  await page.locator('nav[data-moved] [aria-current]').getByText('API').waitFor()
  expect(visit.complaints).toEqual([])
})

test('1.11: a key is made, shown once, used, renewed with an overlap and revoked', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  const part = group(page, 'API keys')
  await part.getByRole('button', { name: 'Create your first key' }).click()
  const form = part.getByRole('form', { name: 'New key' })
  // The pressed button has gone, so the focus has moved to the form.
  await form.locator(':focus').waitFor()
  await page.keyboard.type('Shop')
  await form.getByRole('checkbox', { name: 'Read' }).uncheck()
  await form.getByRole('checkbox', { name: 'Buy' }).uncheck()
  await form.getByLabel('Allowed IP addresses').fill('127.0.0.0/8, ::1, nonsense')
  await form.getByLabel('Daily spending limit').fill('-5')
  await form.getByRole('button', { name: 'Create key' }).click()
  await form.getByText('Choose at least one').waitFor()
  await form.getByText('nonsense isn’t an IP address or a range').waitFor()
  await form.getByText('Enter an amount such as 100.00').waitFor()
  await form.getByRole('checkbox', { name: 'Read' }).check()
  await form.getByLabel('Allowed IP addresses').fill('127.0.0.0/8, ::1')
  await form.getByLabel('Daily spending limit').fill('1 250,50')
  await form.getByRole('button', { name: 'Create key' }).click()

  await part.getByRole('heading', { name: 'Your key “Shop”' }).waitFor()
  const secret = await part.locator('code').first().innerText()
  expect(secret).toMatch(/^[A-Za-z0-9]{32}$/)
  await part.getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  const example = await part.locator('code').nth(1).innerText()
  expect(example).toMatch(new RegExp(`Bearer ${secret}" "http://localhost:\\d+/stubs/handler_api.php`))
  expect(await balance(secret)).toMatch(/^ACCESS_BALANCE:/)
  await mailAbout(server, person.email, 'Новый ключ API Ringpost')
  await page.reload()
  await part.getByRole('heading', { name: 'Shop' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  const row = part.getByRole('listitem').filter({ hasText: 'Shop' }).first()
  await row.getByText('Read').waitFor()
  await row.getByText(/of 1,250\.50\s₽ spent today, 1,250\.50\s₽ left until/).waitFor()
  await row.getByRole('button', { name: 'Edit Shop' }).click()
  const change = row.getByRole('form', { name: 'Edit “Shop”' })
  await change.getByLabel('Name').fill('Shelf')
  await change.getByRole('checkbox', { name: 'Buy' }).check()
  await change.getByLabel('Daily spending limit').fill('')
  await change.getByLabel('Response format').selectOption('SMSHub')
  expect(await change.getByLabel('Allowed IP addresses').inputValue()).toBe('127.0.0.0/8, ::1')
  await change.getByRole('button', { name: 'Save' }).click()
  const changed = part.getByRole('listitem').filter({ hasText: 'Shelf' }).first()
  await changed.getByText('Read, Buy').waitFor()
  await changed.getByText('handler_api in SMSHub format').waitFor()
  expect(await unknownService(secret)).toBe('WRONG_SERVICE')
  await changed.getByText(/0\.00\s₽ spent today/).waitFor()
  await mailAbout(server, person.email, 'Права ключа API Ringpost расширены')
  expect(await balance(secret)).toMatch(/^ACCESS_BALANCE:/)
  await changed.getByRole('button', { name: 'Edit Shelf' }).click()
  await part.getByRole('form', { name: 'Edit “Shelf”' }).getByLabel('Name').fill('Shop')
  await part.getByRole('button', { name: 'Save' }).click()
  await part.getByRole('heading', { name: 'Shop' }).waitFor()

  await row.getByRole('button', { name: 'Calls made with Shop' }).click()
  await row.getByText('ACCESS_BALANCE').waitFor()
  await row.getByRole('button', { name: 'Replace Shop' }).click()
  await row.getByRole('button', { name: 'Get the new key' }).click()
  await part.getByRole('heading', { name: 'Your key “Shop”' }).waitFor()
  const renewed = await part.locator('code').first().innerText()
  await row.getByText('The old key works until').waitFor()
  expect([await balance(secret), await balance(renewed)]).toEqual([
    expect.stringMatching(/^ACCESS_BALANCE:/),
    expect.stringMatching(/^ACCESS_BALANCE:/),
  ])
  await row.getByRole('button', { name: 'Revoke Shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await alert(page, '“Shop” revoked')
  await part.getByText('No keys yet').waitFor()
  expect(await part.getByRole('heading', { name: 'Your key “Shop”' }).count()).toBe(0)
  expect([await balance(secret), await balance(renewed)]).toEqual(['BAD_KEY', 'BAD_KEY'])
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('on a phone the actions of a key are one menu, which works by keyboard and gives the focus back', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, { width: 390, height: 844 })
  const { page } = visit
  const part = group(page, 'API keys')
  await part.getByRole('button', { name: 'Create your first key' }).click()
  await part.getByLabel('Name').fill('Shop')
  await part.getByRole('button', { name: 'Create key' }).click()
  await part.getByRole('button', { name: 'I’ve saved it' }).click()
  const row = part.getByRole('listitem').filter({ hasText: 'Shop' })
  const menu = row.getByRole('button', { name: 'Shop: actions' })
  expect(await row.getByRole('button').count()).toBe(1)
  await menu.press('Enter')
  const shown = await row
    .getByRole('button')
    .evaluateAll((all) => all.map((button) => [button.ariaLabel, button.getBoundingClientRect().height >= 44]))
  expect(shown).toEqual(
    ['Shop: actions', 'Calls made with Shop', 'Edit Shop', 'Replace Shop', 'Revoke Shop'].map((name) => [name, true]),
  )
  await row.getByRole('button', { name: 'Calls made with Shop' }).press('Enter')
  await row.getByText('No API calls have been made with this key yet').waitFor()
  expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true)
  await menu.click()
  await row.getByRole('button', { name: 'Revoke Shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await part.getByText('No keys yet').waitFor()
  expect(visit.complaints).toEqual([])
})

test('17.6: a key with play money buys invented numbers, and its balance is filled up on the page', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  const part = group(page, 'API keys')
  await part.getByRole('button', { name: 'Create your first key' }).click()
  await part.getByLabel('Name').fill('Trial')
  await part.getByRole('radio', { name: /^Play money/ }).check()
  await part.getByRole('button', { name: 'Create key' }).click()
  await part.getByRole('heading', { name: 'Your key “Trial”' }).waitFor()
  const secret = await part.locator('code').first().innerText()
  const play = group(page, 'Play money')
  await play.getByText(/^10,000\.00\s₽$/).waitFor()
  await play.getByText(/Webhooks added with these keys aren’t listed below/).waitFor()
  const headers = { authorization: `Bearer ${secret}` }
  const ask = `${server.url}/stubs/handler_api.php?action=getNumber&service=tg&country=0`
  const bought = await fetch(ask, { headers })
  expect([bought.headers.get('sandbox'), await bought.text()]).toEqual([
    'true',
    expect.stringMatching(/^ACCESS_NUMBER:\d+:7000\d{7}$/),
  ])
  await page.reload()
  await play.getByText(/^9,9\d\d\.\d\d\s₽$/).waitFor()
  await part.getByRole('listitem').getByText('Play money').waitFor()
  await play.getByRole('button', { name: 'Reset' }).click()
  await alert(page, /Play money reset to/)
  await play.getByText(/^10,000\.00\s₽$/).waitFor()
  await play.getByRole('link', { name: 'How each operator behaves' }).click()
  await page.getByRole('heading', { name: 'How do I test my app without spending money?' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('the password is asked for when the sign-in is a while ago, and the key is made after it', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  let isFirst = true
  await page.route('**/api/v1/keys', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.continue()
    isFirst = false
    const data = { action: 'confirm-password', by: 'password' }
    return route.fulfill({ status: 403, json: { status: false, code: 'CONFIRM_PASSWORD', message: 'Confirm', data } })
  })
  const part = group(page, 'API keys')
  await part.getByRole('button', { name: 'Create your first key' }).click()
  await part.getByLabel('Name').fill('Late')
  await part.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type="password"]').fill(person.password)
  await dialog.locator('button[type="submit"]').click()
  await part.getByRole('heading', { name: 'Your key “Late”' }).waitFor()
})

test('axe finds nothing and nothing scrolls sideways', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person)
  const { page } = visit
  const check = async () => {
    expect(await findingsOfViews(page)).toEqual([])
  }
  const part = group(page, 'API keys')
  await part.getByRole('button', { name: 'Create your first key' }).click()
  await part.getByLabel('Name').fill('A name as long as names may be, of sixty characters in all..')
  await part.getByRole('button', { name: 'Create key' }).click()
  await part.getByRole('heading', { name: /^Your key/ }).waitFor()
  await check()
  await balance(await part.locator('code').first().innerText())
  await part.getByRole('button', { name: /^Calls made with/ }).click()
  await part.getByText('ACCESS_BALANCE').waitFor()
  await check()
  await part.getByRole('button', { name: /^Replace/ }).click()
  await part.getByRole('button', { name: 'New key', exact: true }).click()
  await check()
  expect(visit.complaints).toEqual([])
})
