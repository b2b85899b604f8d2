import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  boxes,
  boxesReady,
  boxValues,
  complaintsBut,
  expectSignedIn,
  fillLogin,
  fillRegistration,
  mailedCode,
  mailsTo,
  newEmail,
  openDialog,
  PASSWORD,
  wrongCodeFor,
} from './support/accounts.ts'
import { findingsOfViews } from './support/axe.ts'
import { browser } from './support/browser.ts'
import { demoOfFile } from './support/demo-server.ts'

const server = demoOfFile({
  CAPTCHA_ENABLED: '2',
  MARKETING_ACTIONS: JSON.stringify([
    { utm_source: 'shop', action: 'show-register-modal' },
    { utm_source: 'letter', action: 'show-login-modal' },
  ]),
})

const isFocused = (box: Locator): Promise<boolean> => box.evaluate((input) => document.activeElement === input)

test('2.14, 4.5, 4.6, 5.6: a visitor registers, enters the code that came, and is led over the top-up to the number he chose', async () => {
  await using visit = await browser.open(`${server.url}/?service=tg&country=2`)
  const { page } = visit
  const email = newEmail()
  await page.getByRole('form', { name: 'Buy a number' }).getByRole('button', { name: 'register', exact: true }).click()
  const registered = page.waitForRequest('**/api/register')
  await fillRegistration(page.getByRole('dialog'), { email, password: PASSWORD })
  expect((await registered).postDataJSON()).toMatchObject({ email, agree: true, captcha: expect.stringMatching(/^ey/) })
  await page.getByRole('dialog').getByText(email).waitFor()
  await boxes(page)
    .first()
    .pressSequentially(await mailedCode(server, email))
  await expectSignedIn(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForURL('**/top-up?**')
  expect(new URL(page.url()).searchParams.get('back')).toBe('/?service=tg&country=2')
  await page.getByRole('button', { name: /^Top up \d/ }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('an incomplete form is not sent, and says why', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const dialog = await openDialog(page, 'Register')
  await dialog.getByRole('button', { name: 'Send code' }).click()
  for (const words of ['Please fill in “E-mail”', 'Please fill in “Password”', 'To continue, check the box'])
    await dialog.getByText(words).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
  await dialog.getByLabel('E-mail').fill('nobody')
  await dialog.getByLabel('Password', { exact: true }).fill('short')
  await dialog.getByLabel('Repeat password').fill('other')
  await dialog.getByRole('button', { name: 'Send code' }).click()
  for (const words of [
    'This doesn’t look like an e-mail address',
    'Password: at least 8 characters',
    'The passwords don’t match',
  ])
    await dialog.getByText(words).waitFor()
  await dialog.getByLabel('E-mail').fill(newEmail())
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByLabel('Repeat password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await dialog.getByText('To continue, check the box').waitFor()
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  const again = await openDialog(page, 'Register')
  expect(await again.getByLabel('E-mail').inputValue()).toBe('')
  expect(await again.getByText('To continue, check the box').count()).toBe(0)
  expect(visit.complaints).toEqual([])
})

test('N-3: on a phone an alert lies over no control of the dialog, and a wrong code is said beside its boxes', async () => {
  await using visit = await browser.open(server.url, { width: 390, height: 844 })
  const { page } = visit
  const alert = page.getByRole('region', { name: 'Messages' }).locator('> div')
  const boxOf = async (place: Locator) => (await place.boundingBox()) ?? { y: Number.NaN, height: 0 }
  const leavesFree = async (words: string, dialog: Locator) => {
    await alert.getByText(words).waitFor()
    const [said, sheet] = await Promise.all([boxOf(alert.first()), boxOf(dialog)])
    expect(said.y + said.height).toBeLessThanOrEqual(sheet.y)
  }
  const dialog = await openDialog(page, 'Register')
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await leavesFree('Please fill in “E-mail”', dialog)
  const email = newEmail()
  await fillRegistration(dialog, { email, password: PASSWORD })
  const code = await mailedCode(server, email)
  await boxesReady(page)
  await page.keyboard.type(wrongCodeFor(code))
  await dialog.getByText('The code is wrong').waitFor()
  await leavesFree('The code is wrong', dialog)
})

test('a password the server finds weak is said under its field', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const dialog = await openDialog(page, 'Register')
  await fillRegistration(dialog, { email: newEmail(), password: 'password1' })
  const field = dialog.getByLabel('Password', { exact: true })
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  expect(await isFocused(field)).toBe(true)
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('a wrong code clears the boxes and brings the keyboard back', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const email = newEmail()
  await fillRegistration(await openDialog(page, 'Register'), { email, password: PASSWORD })
  const code = await mailedCode(server, email)
  await boxesReady(page)
  await page.keyboard.type(`a${wrongCodeFor(code).slice(0, 5)} b`)
  expect(await boxValues(page)).toBe(wrongCodeFor(code).slice(0, 5))
  await page.keyboard.press('Backspace')
  expect(await boxValues(page)).toBe(wrongCodeFor(code).slice(0, 4))
  await page.keyboard.type(wrongCodeFor(code).slice(4))
  await page.getByRole('dialog').getByText('The code is wrong').waitFor()
  await expect.poll(() => boxValues(page)).toBe('')
  await boxesReady(page)
  await page.keyboard.type(code)
  await expectSignedIn(page)
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('3.12, 4.4, 4.5: an unproved address goes on with its code after a reload, pasted, while the pause lasts', async () => {
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  const person = { email: newEmail(), password: PASSWORD }
  await fillRegistration(await openDialog(page, 'Register'), person)
  await page.getByText(/^You can request another code in 0:\d\d$/).waitFor()
  const cookie = (await context.cookies()).find(({ name }) => name === `repeat_code_${person.email}`)
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(60)
  const code = await mailedCode(server, person.email)
  await page.reload()
  await fillLogin(await openDialog(page, 'Log in'), person)
  await page.getByRole('heading', { name: 'Confirm your e-mail' }).waitFor()
  await page.getByText(/^You can request another code in 0:\d\d$/).waitFor()
  expect((await context.cookies()).find(({ name }) => name === cookie?.name)?.value).toBe(cookie?.value)
  await page.evaluate((text) => navigator.clipboard.writeText(text), `Code: ${code.slice(0, 3)} ${code.slice(3)}`)
  await boxes(page).first().focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect.poll(() => boxValues(page)).toBe(code)
  await expectSignedIn(page)
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('another code asked for too early is not sent, and the first one stays good', async () => {
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  const email = newEmail()
  await fillRegistration(await openDialog(page, 'Register'), { email, password: PASSWORD })
  await page.getByText(/^You can request another code in/).waitFor()
  // Only this browser forgets the pause between mails. The server still sends none for a minute.
  await context.clearCookies({ name: `repeat_code_${email}` })
  await page.getByRole('button', { name: 'Send another code' }).click()
  await page.getByText(/^You can request another code in/).waitFor()
  // The button for another code has gone, so the focus moves to the code's input boxes.
  await expect.poll(() => isFocused(boxes(page).first())).toBe(true)
  await page.keyboard.type(await mailedCode(server, email))
  await expectSignedIn(page)
  expect(await mailsTo(server, email)).toHaveLength(1)
  expect(visit.complaints).toEqual([])
})

test('3.12, 4.8: a link with ref opens the registration, keeps who sent first, and leaves the address', async () => {
  await using visit = await browser.open(`${server.url}/?ref=17&service=wa`)
  const { page, context } = visit
  const referral = async () => (await context.cookies()).find(({ name }) => name === 'referral_id')
  await page.getByRole('dialog', { name: 'Register' }).waitFor()
  expect(page.url()).toBe(`${server.url}/?service=wa`)
  expect((await referral())?.value).toBe('17')
  expect((await referral())?.expires).toBeGreaterThan(Date.now() / 1000 + 6.9 * 24 * 3600)
  await page.goto(`${server.url}/?ref=18`)
  const registered = page.waitForRequest('**/api/register')
  const email = newEmail()
  await fillRegistration(page.getByRole('dialog'), { email, password: PASSWORD })
  expect((await registered).postDataJSON()).toMatchObject({ referral_id: '17' })
  const verified = page.waitForRequest('**/api/verify-email')
  await boxes(page)
    .first()
    .pressSequentially(await mailedCode(server, email))
  expect((await verified).headers()).toMatchObject({ 'referral-id': '17' })
  await expectSignedIn(page)
  await page.goto(`${server.url}/?ref=19`)
  await expect.poll(() => page.url()).toBe(`${server.url}/`)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(visit.complaints).toEqual([])
})

test.each([
  ['shop', 'Register'],
  ['letter', 'Log in'],
])('3.12, 4.8: a link of the campaign %s is remembered, asks the server, and opens "%s"', async (source, title) => {
  const query = `utm_source=${source}&utm_term=${encodeURIComponent('номер')}`
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  const asked = page.waitForRequest('**/api/marketing-action?**')
  await page.goto(`${server.url}/?${query}`)
  await page.getByRole('dialog', { name: title }).waitFor()
  expect(page.url()).toBe(`${server.url}/`)
  const sent = new URL((await asked).url()).searchParams.get('utm-data')
  expect(JSON.parse(sent ?? '')).toEqual({ utm_source: source, utm_term: 'номер' })
  const cookie = (await context.cookies()).find(({ name }) => name === 'utm')
  expect(JSON.parse(decodeURIComponent(cookie?.value ?? ''))).toEqual({ utm_source: source, utm_term: 'номер' })
  expect(cookie?.expires).toBeGreaterThan(Date.now() / 1000 + 6.9 * 24 * 3600)
  expect(visit.complaints).toEqual([])
})

test('the keyboard alone registers, and Esc brings it back to where it was', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  const button = page.getByRole('banner').getByRole('button', { name: 'Register' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Register')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
  const email = newEmail()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const code = await mailedCode(server, email)
  await boxesReady(page)
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
  expect(visit.complaints).toEqual([])
})

test('a taken address is told nothing on the page; its owner is, by mail', async () => {
  const owner = 'demo@ringpost.test'
  await using visit = await browser.open(server.url)
  const { page } = visit
  await fillRegistration(await openDialog(page, 'Register'), { email: owner, password: PASSWORD })
  await page.getByText(/^You can request another code in/).waitFor()
  const [mail] = await mailsTo(server, owner)
  expect(mail?.text).not.toMatch(/\b\d{6}\b/)
  expect(visit.complaints).toEqual([])
})

test('axe finds nothing in the dialogs', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  const check = () => findingsOfViews(page, '[role="dialog"]')
  const login = await openDialog(page, 'Log in')
  expect(await check()).toEqual([])
  await login.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByRole('dialog', { name: 'Forgot your password?' }).waitFor()
  expect(await check()).toEqual([])
  await page.keyboard.press('Escape')
  const dialog = await openDialog(page, 'Register')
  await dialog.getByRole('button', { name: 'Send code' }).click()
  expect(await check()).toEqual([])
  await fillRegistration(dialog, { email: newEmail(), password: PASSWORD })
  await boxes(page).first().waitFor()
  expect(await check()).toEqual([])
  expect(visit.complaints).toEqual([])
})
