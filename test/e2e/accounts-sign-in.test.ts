import { expect, test } from 'vitest'
import {
  boxesReady,
  boxValues,
  callApi,
  complaintsBut,
  expectSignedIn,
  expectSignedOut,
  fillLogin,
  mailsTo,
  newPerson,
  openDialog,
  type Person,
  signInAs,
  withTwoFactor,
  wrongCodeFor,
} from './support/accounts.ts'
import { browser, liveOpened } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

async function endOtherSessions({ token }: Person): Promise<void> {
  await callApi(server, 'DELETE /api/v1/user/sessions', null, token)
}

test('a page for members asks to log in, and comes after it', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(`${server.url}/activations?search=tg`)
  const { page } = visit
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.waitFor()
  expect(page.url()).toBe(`${server.url}/`)
  await fillLogin(dialog, person)
  await page.waitForURL('**/activations?search=tg')
  await expectSignedIn(page)
  expect(visit.complaints).toEqual([])
})

test('where a person wanted to go is remembered on the way through the registration', async () => {
  await using visit = await browser.open(`${server.url}/?login=1&redirect=%2Factivations`)
  const { page } = visit
  await page.getByRole('dialog').getByLabel('E-mail').fill('anna@example.org')
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  const registration = page.getByRole('dialog', { name: 'Register' })
  await expect.poll(() => registration.getByLabel('E-mail').inputValue()).toBe('anna@example.org')
  await registration.getByRole('button', { name: 'Log in' }).click()
  await fillLogin(page.getByRole('dialog', { name: 'Log in' }), await newPerson(server))
  await page.waitForURL('**/activations')
  expect(visit.complaints).toEqual([])
})

test('two-factor: a wrong code is cleared, the right one logs in', async () => {
  const person = await newPerson(server)
  const { nextCode } = await withTwoFactor(server, person)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signInAs(page, person)
  await page.getByRole('dialog', { name: 'Two-factor login' }).waitFor()
  await boxesReady(page)
  await page.keyboard.type(wrongCodeFor(nextCode))
  await page.getByRole('dialog').getByText('The code is wrong').waitFor()
  await expect.poll(() => boxValues(page)).toBe('')
  await boxesReady(page)
  await page.keyboard.type(nextCode)
  await expectSignedIn(page)
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('two-factor: a recovery code logs in, by the keyboard alone', async () => {
  const person = await newPerson(server)
  const { recoveryCodes } = await withTwoFactor(server, person)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signInAs(page, person)
  await page.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('one_time_password')
  await page.keyboard.type(recoveryCodes[0] ?? '')
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('a forgotten password is set anew through the mailed link', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page } = visit
  const login = await openDialog(page, 'Log in')
  await login.getByLabel('E-mail').fill(person.email)
  await login.getByRole('button', { name: 'Forgot your password?' }).click()
  const forgot = page.getByRole('dialog', { name: 'Forgot your password?' })
  await expect.poll(() => forgot.getByLabel('E-mail').inputValue()).toBe(person.email)
  await forgot.getByRole('button', { name: 'Send the link' }).click()
  await forgot.getByText('we’ve sent a link there').waitFor()
  const [mail] = await mailsTo(server, person.email)
  // The server does not know its port here, so only the path of the mailed link is used.
  const [path = ''] = /\/check\/reset-password\?\S+/.exec(mail?.text ?? '') ?? []
  const link = server.url + path
  const html = await (await fetch(link)).text()
  expect(html).toContain('<meta name="robots" content="noindex, nofollow"/>')
  await page.goto(link)
  const recovery = page.getByRole('dialog', { name: 'New password' })
  await recovery.waitFor()
  expect(page.url()).toBe(`${server.url}/`)
  const password = 'another-calm-bay-5'
  await recovery.getByLabel('New password', { exact: true }).fill(password)
  await recovery.getByLabel('Repeat password').fill(password)
  await recovery.getByRole('button', { name: 'Save password' }).click()
  const again = page.getByRole('dialog', { name: 'Log in' })
  await expect.poll(() => again.getByLabel('E-mail').inputValue()).toBe(person.email)
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
  expect(visit.complaints).toEqual([])
  await page.goto(link)
  await recovery.getByLabel('New password', { exact: true }).fill(password)
  await recovery.getByLabel('Repeat password').fill(password)
  await recovery.getByRole('button', { name: 'Save password' }).click()
  await page.getByText('This link no longer works').first().waitFor()
  expect(complaintsBut(visit, 422)).toEqual([])
})

test('a session ended elsewhere ends here by itself: home, the login dialog, and back after it', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(`${server.url}/activations?search=tg`)
  const { page } = visit
  const opened = liveOpened(page)
  await fillLogin(page.getByRole('dialog'), person)
  await page.waitForURL('**/activations?search=tg')
  await opened
  await endOtherSessions(person)
  const dialog = page.getByRole('dialog', { name: 'Log in' })
  await dialog.waitFor()
  await expectSignedOut(page)
  await page.waitForURL(`${server.url}/`)
  await fillLogin(dialog, person)
  await page.waitForURL('**/activations?search=tg')
  await expectSignedIn(page)
  expect(complaintsBut(visit, 401)).toEqual([])
})

test('4.16: a session ended elsewhere is noticed when the window is looked at', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page } = visit
  // The socket opens and stays silent on pages that are loaded from now on.
  await page.routeWebSocket(/./, () => undefined)
  await page.reload()
  await signInAs(page, person)
  await expectSignedIn(page)
  await endOtherSessions(person)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('dialog', { name: 'Log in' }).waitFor()
  await expectSignedOut(page)
  expect(complaintsBut(visit, 401)).toEqual([])
})

test('4.1, 4.2: two tabs log in and out together, each from where it is', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page, context } = visit
  const other = await context.newPage()
  await other.goto(`${server.url}/activations`)
  await other.getByRole('dialog', { name: 'Log in' }).waitFor()
  await signInAs(page, person)
  await expectSignedIn(page)
  await other.waitForURL('**/activations')
  await expectSignedIn(other)
  await other.reload()
  await expectSignedIn(other)
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expectSignedOut(page)
  await expectSignedOut(other)
  await expect.poll(() => other.url()).toBe(`${server.url}/`)
  expect(await other.getByRole('dialog').count()).toBe(0)
  expect(complaintsBut(visit, 401)).toEqual([])
})

test('4.7: an address that opens the login tells a signed-in person that there is no need', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signInAs(page, person)
  await expectSignedIn(page)
  await page.goto(`${server.url}/?login=1`)
  await page.getByText('You’re already logged in').waitFor()
  await page.waitForURL(`${server.url}/`)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(visit.complaints).toEqual([])
})

test('Esc and Enter and the order of Tab: logging in by the keyboard alone', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(server.url)
  const { page } = visit
  const button = page.getByRole('banner').getByRole('button', { name: 'Log in' })
  await button.press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
  await expect.poll(focused).toBe('email')
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('password')
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong e-mail or password').first().waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expectSignedIn(page)
  expect(complaintsBut(visit, 422)).toEqual([])
})
