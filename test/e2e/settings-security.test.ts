import { readFile } from 'node:fs/promises'
import { generate } from 'otplib'
import { expect, test } from 'vitest'
import {
  boxesReady,
  complaintsBut,
  expectSignedIn,
  expectSignedOut,
  mailedCode,
  newEmail,
  newPerson,
  type Person,
  signInAs,
} from './support/accounts.ts'
import { hasKeyboard, type Look, liveOpened, openWithoutScripts } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { alert, group, mailAbout, openSettings, signOut } from './support/settings-page.ts'

const server = demoOfWorker()

const NEW_PASSWORD = 'slow-lantern-63'
const openAs = (person: Pick<Person, 'id'>, path: string, look: Look = {}) =>
  openSettings(server, person, { path, ...look })

test('the password is changed: the current one must be right, and the new one logs in', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings/security')
  const { page } = visit
  const form = group(page, 'Password')
  const fill = async (current: string, fresh: string, repeated: string) => {
    await form.getByLabel('Current password').fill(current)
    await form.getByLabel('New password', { exact: true }).fill(fresh)
    await form.getByLabel('Repeat the new password').fill(repeated)
    await form.getByRole('button', { name: 'Change password' }).click()
  }
  const errorOf = async (label: string) => {
    const field = form.getByLabel(label, { exact: true })
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    return page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).innerText()
  }
  await fill(person.password, NEW_PASSWORD, 'something-else-1')
  expect(await errorOf('Repeat the new password')).toBe('The passwords don’t match')
  await fill('not-my-password-1', NEW_PASSWORD, NEW_PASSWORD)
  expect(await errorOf('Current password')).toBe('The current password is wrong')
  await fill(person.password, '12345678', '12345678')
  expect(await errorOf('New password')).not.toBe('')
  await fill(person.password, NEW_PASSWORD, NEW_PASSWORD)
  await alert(page, 'Password changed')
  await expect.poll(() => form.getByLabel('Current password').inputValue()).toBe('')
  await mailAbout(server, person.email, 'Пароль Ringpost изменён')
  await signOut(page)
  await signInAs(page, { ...person, password: NEW_PASSWORD })
  await expectSignedIn(page)
  expect(complaintsBut(visit, 401, 422)).toEqual([])
})

test('a form and a code that were typed before any script listened are sent as they were typed', async () => {
  const person = await newPerson(server)
  const email = newEmail()
  await using visit = await openAs(person, '/settings')
  const { page } = visit
  const security = await openWithoutScripts(page, `${server.url}/settings/security`)
  const password = group(page, 'Password')
  await password.getByLabel('Current password').fill(person.password)
  await password.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await password.getByLabel('Repeat the new password').fill(NEW_PASSWORD)
  await password.getByRole('button', { name: 'Change password' }).click()
  security.come()
  await alert(page, 'Password changed')
  const part = group(page, 'Change e-mail')
  await part.getByLabel('New e-mail').fill(email)
  await part.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await part.getByRole('button', { name: 'Send code' }).click()
  await part.getByText(/^You can request another code in/).waitFor()
  const code = await mailedCode(server, email)
  const confirmation = await openWithoutScripts(page, `${server.url}/settings/security`)
  await part.getByRole('group').getByRole('textbox').first().click()
  await page.keyboard.type(code)
  confirmation.come()
  await alert(page, `Your e-mail is now ${email}`)
})

test('two-factor is set up by its secret, asked for at login, and turned off again', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings/security')
  const { page } = visit
  const part = group(page, 'Two-factor login')
  await part.getByRole('button', { name: 'Turn on' }).click()
  const picture = part.getByRole('img', { name: /^QR code/ })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  const secret = (await part.locator('code').innerText()).replaceAll(' ', '')
  const epoch = Math.floor(Date.now() / 1000)
  await part.getByRole('group').getByRole('textbox').first().click()
  await page.keyboard.type(await generate({ secret, epoch }))
  await part.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const codes = await part.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await part.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    part.getByRole('button', { name: 'Download' }).click(),
  ])
  const file = await readFile(await download.path(), 'utf8')
  for (const code of codes) expect(file).toContain(code)
  await part.getByRole('button', { name: 'I’ve saved them' }).click()
  await part.getByText('10 recovery codes left').waitFor()
  expect(await part.getByRole('listitem').count()).toBe(0)

  await signOut(page)
  await signInAs(page, person)
  await page.getByRole('dialog', { name: 'Two-factor login' }).waitFor()
  await boxesReady(page)
  // The code of the current time step is already used, so the next one is typed.
  await page.keyboard.type(await generate({ secret, epoch: epoch + 30 }))
  await expectSignedIn(page)

  await page.goto(`${server.url}/settings/security`)
  await part.getByRole('button', { name: 'Turn off' }).click()
  await part.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.keyboard.type('wrong-wrong')
  await page.keyboard.press('Enter')
  await part.getByText('The code is wrong').waitFor()
  await part.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await part.getByRole('button', { name: 'Turn on' }).waitFor()
  expect(complaintsBut(visit, 401, 422)).toEqual([])
})

test('recovery codes are made anew: the former ones end', async () => {
  const person = await newPerson(server)
  await using visit = await openAs(person, '/settings/security')
  const { page } = visit
  const part = group(page, 'Two-factor login')
  await part.getByRole('button', { name: 'Turn on' }).click()
  const secret = (await part.locator('code').innerText()).replaceAll(' ', '')
  await part.getByRole('group').getByRole('textbox').first().click()
  await page.keyboard.type(await generate({ secret }))
  await part.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const [former = ''] = await part.getByRole('listitem').allInnerTexts()
  await part.getByRole('button', { name: 'I’ve saved them' }).click()
  await part.getByRole('button', { name: 'Get new recovery codes' }).click()
  await part.getByRole('button', { name: 'Use a recovery code' }).click()
  await part.getByLabel('Recovery code').fill(former)
  await page.keyboard.press('Enter')
  await part.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const fresh = await part.getByRole('listitem').allInnerTexts()
  expect(fresh).toHaveLength(10)
  expect(fresh).not.toContain(former)
  await part.getByRole('button', { name: 'I’ve saved them' }).click()
  await part.getByText('10 recovery codes left').waitFor()
  expect(visit.complaints).toEqual([])
})

test('a session that is ended elsewhere signs its page out by itself', async () => {
  const person = await newPerson(server)
  await using stranger = await openAs(person, '/settings')
  const opened = liveOpened(stranger.page)
  await stranger.page.reload()
  await opened
  await using visit = await openAs(person, '/settings/sessions')
  const { page } = visit
  const others = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^End/ }) })
  await expect.poll(() => others.count()).toBe(2)
  await others.first().getByText('127.0.0.1').waitFor()
  await others.first().getByRole('button').click()
  await expect.poll(() => others.count()).toBe(1)
  await expectSignedOut(stranger.page)
  await stranger.page.getByRole('dialog').waitFor()
  expect(complaintsBut(stranger, 401)).toEqual([])
  expect(visit.complaints).toEqual([])
})

test('all other sessions are ended at once, after a question when the person wants to be asked', async () => {
  const person = await newPerson(server)
  await using other = await openAs(person, '/settings')
  await using visit = await openAs(person, '/settings/other')
  const { page } = visit
  await page.getByRole('switch', { name: 'Ask for confirmation' }).press('Space')
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('button', { name: 'End other sessions' }).click()
  await page.getByRole('dialog').getByText('End 2 sessions? You’ll stay logged in here.').waitFor()
  await hasKeyboard(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: /^End the session/ }).count()).toBe(2)
  await page.getByRole('button', { name: 'End other sessions' }).click()
  const question = page.getByRole('dialog').getByRole('button', { name: 'End other sessions' })
  await expect.poll(() => question.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('You’re not logged in anywhere else').waitFor()
  await expectSignedIn(page)
  await other.page.reload()
  await expectSignedOut(other.page)
  expect(visit.complaints).toEqual([])
})

test('the e-mail is changed by a code that goes to the new address', async () => {
  const person = await newPerson(server)
  const email = newEmail()
  await using visit = await openAs(person, '/settings/security')
  const { page } = visit
  const part = group(page, 'Change e-mail')
  await part.getByLabel('New e-mail').fill(email)
  await part.getByLabel('Password', { exact: true }).fill('not-my-password-1')
  await part.getByRole('button', { name: 'Send code' }).click()
  await part.getByText('The current password is wrong').waitFor()
  await part.getByLabel('Password', { exact: true }).fill(person.password)
  await part.getByRole('button', { name: 'Send code' }).click()
  await part.getByText(/^You can request another code in/).waitFor()
  const code = await mailedCode(server, email)
  await page.reload()
  await part.getByText(email).waitFor()
  const first = part.getByRole('group').getByRole('textbox').first()
  await first.click()
  await page.keyboard.type(code === '000000' ? '111111' : '000000')
  await part.getByText('The code is wrong').waitFor()
  await expect.poll(() => first.evaluate((box) => box === document.activeElement)).toBe(true)
  await page.keyboard.type(code)
  await alert(page, `Your e-mail is now ${email}`)
  await part.getByLabel('New e-mail').waitFor()
  await page.getByRole('link', { name: 'Account' }).click()
  await group(page, 'Your account').getByText(email).waitFor()
  await mailAbout(server, person.email, 'Адрес аккаунта Ringpost изменён')
  await signOut(page)
  await signInAs(page, { ...person, email })
  await expectSignedIn(page)
  expect(complaintsBut(visit, 401, 422)).toEqual([])
})
