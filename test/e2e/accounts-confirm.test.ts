import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { boxes, complaintsBut, expectSignedIn, mailedCode, newEmail, newPerson, PASSWORD } from './support/accounts.ts'
import { axeFindings } from './support/axe.ts'
import { browser, hasKeyboard } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

/** These tests read Russian pages, because most other browser tests read English pages. */
const WORDS = {
  register: 'Регистрация',
  logIn: 'Войти',
  otherBrowser: 'Вы начали регистрацию в другом браузере. Введите пароль, который задали тогда.',
  wrongPassword: 'Пароль неверный, или регистрация устарела. Если устарела, зарегистрируйтесь заново',
  turnOn: 'Включить',
  confirm: 'Подтвердите, что это вы',
  wrongCurrent: 'Текущий пароль неверный',
} as const

async function open(page: Page, name: string): Promise<Locator> {
  await page.getByRole('banner').getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  return dialog
}

/** Fills form fields by their input names, which are the same in every language. */
async function fill(dialog: Locator, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await dialog.locator(`input[name="${name}"]:visible`).fill(value)
  await dialog.locator('button[type="submit"]').click()
}

test('who registers enters the code alone; in another browser the password is asked for', async () => {
  const email = newEmail()
  const register = async (page: Page, password: string) => {
    const dialog = await open(page, WORDS.register)
    await dialog.getByRole('checkbox').check()
    await fill(dialog, { email, password, password_confirmation: password })
    await boxes(page).first().waitFor()
  }
  await using own = await browser.open(server.url, { locale: 'ru' })
  await register(own.page, PASSWORD)
  const code = await mailedCode(server, email)
  await using stranger = await browser.open(server.url, { locale: 'ru' })
  await register(stranger.page, 'password-of-a-stranger')

  await using other = await browser.open(server.url, { locale: 'ru', width: 390, height: 844 })
  await fill(await open(other.page, WORDS.logIn), { email, password: PASSWORD })
  await boxes(other.page).first().waitFor()
  await other.context.clearCookies({ name: 'registration' })
  await boxes(other.page).first().pressSequentially(code)
  const dialog = other.page.getByRole('dialog')
  await dialog.getByText(WORDS.otherBrowser).waitFor()
  await expect.poll(() => other.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
  await fill(dialog, { password: 'password-of-a-guess' })
  await dialog.getByText(WORDS.wrongPassword).waitFor()
  expect(await axeFindings(other.page, { part: '[role="dialog"]' })).toEqual([])
  await fill(dialog, { password: PASSWORD })
  await expectSignedIn(other.page)
  expect(complaintsBut(other, 422)).toEqual([])

  await using fresh = await browser.open(server.url, { locale: 'ru' })
  const next = newEmail()
  const form = await open(fresh.page, WORDS.register)
  await form.getByRole('checkbox').check()
  await fill(form, { email: next, password: PASSWORD, password_confirmation: PASSWORD })
  await boxes(fresh.page)
    .first()
    .pressSequentially(await mailedCode(server, next))
  await expectSignedIn(fresh.page)
  expect([...own.complaints, ...stranger.complaints, ...fresh.complaints]).toEqual([])
})

/** Refuses one call as the server does in a session that began long ago. Later calls are real. */
async function refuseNext(page: Page, path: string): Promise<void> {
  const data = { action: 'confirm-password', by: 'password' }
  const json = { status: false, code: 'CONFIRM_PASSWORD', message: 'Confirm it’s you, then try again', data }
  await page.route(`**${path}`, (route) => route.fulfill({ status: 403, json }), { times: 1 })
}

test('a change of how one logs in asks for the password, and then goes on', async () => {
  const person = await newPerson(server)
  await using visit = await browser.open(`${server.url}/settings/security`, { locale: 'ru', width: 390, height: 844 })
  const { page } = visit
  await fill(page.getByRole('dialog'), { email: person.email, password: person.password })
  const turnOn = page.getByRole('button', { name: WORDS.turnOn, exact: true })
  await turnOn.waitFor()
  await refuseNext(page, '/api/v1/user/two-factor')
  await turnOn.click()
  const dialog = page.getByRole('dialog', { name: WORDS.confirm })
  await hasKeyboard(dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await refuseNext(page, '/api/v1/user/two-factor')
  await turnOn.click()
  await dialog.waitFor()
  await fill(dialog, { password: 'not-my-password-1' })
  await dialog.getByText(WORDS.wrongCurrent).waitFor()
  expect(await axeFindings(page, { part: '[role="dialog"]' })).toEqual([])
  await fill(dialog, { password: person.password })
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('img', { name: /QR/ }).waitFor()
  expect(complaintsBut(visit, 403, 422)).toEqual([])
})
