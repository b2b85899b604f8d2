import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { newPerson } from './support/accounts.ts'
import { axeFindings } from './support/axe.ts'
import { hasKeyboard } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { alert, group, mailAbout, openSettings } from './support/settings-page.ts'

const server = demoOfWorker()
const PHONE = { width: 390, height: 844 }

test('the file with all of one’s data is made, told of by mail, and fetched', async () => {
  const person = await newPerson(server)
  await using visit = await openSettings(server, person, { path: '/settings/privacy' })
  const { page } = visit
  const part = group(page, 'All your data')
  await part.getByRole('button', { name: 'Prepare the file' }).click()
  await part.getByText('Your file is ready', { exact: true }).waitFor()
  await mailAbout(server, person.email, 'Ваши данные из Ringpost готовы')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    part.getByRole('button', { name: 'Download the file' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^ringpost-data-[\d-]+\.zip$/)
  const files = unzipSync(await readFile(await download.path()))
  expect(Buffer.from(files['json/users.json'] ?? []).toString()).toContain(person.email)
  await group(page, 'What you’ve agreed to').getByRole('link', { name: 'Privacy policy' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('money is given up by typing its sum alone, at the beginning and later', async () => {
  const person = await newPerson(server, { balance: '1234.50' })
  await using visit = await openSettings(server, person, { path: '/settings/privacy' })
  const { page } = visit
  const asked: unknown[] = []
  page.on('request', (sent) => {
    if (sent.method() === 'POST' && sent.url().endsWith('/privacy/deletion')) asked.push(sent.postDataJSON())
  })
  const part = group(page, 'Delete your account')
  await part.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByText(/^You have 1,234\.50\s₽ on your balance\.$/).waitFor()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Next' }).click()
  const second = page.getByRole('dialog', { name: /^Give up 1,234\.50/ })
  await second.getByLabel('Type the amount').fill('1234')
  await second.getByRole('button', { name: /^Give up/ }).click()
  await second.getByText(/exactly as shown$/).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await second.getByRole('button', { name: 'Keep my balance' }).click()
  expect(asked).toEqual([])
  await part.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await part.getByRole('button', { name: /^Give up 1,234\.50/ }).click()
  await second.getByLabel('Type the amount').fill('1,234.5')
  await second.getByRole('button', { name: /^Give up/ }).click()
  await part.getByText(/lose up to 1,234\.50\s₽ of your balance/).waitFor()
  expect(asked).toEqual([{}, { give_up: '1234.50' }])
})

test('an account that is to be deleted says so on each page, and is kept by one press', async () => {
  const person = await newPerson(server)
  await using visit = await openSettings(server, person, { path: '/settings/privacy', ...PHONE })
  const { page } = visit
  const part = group(page, 'Delete your account')
  await part.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.waitFor()
  expect(await axeFindings(page)).toEqual([])
  await hasKeyboard(dialog)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await part.getByRole('button', { name: 'Delete my account' }).click()
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await part.getByText('Will be deleted after').waitFor()
  // An alert would cover the button that keeps the account.
  expect(await page.getByRole('region', { name: 'Messages' }).locator('> div').count()).toBe(0)
  await mailAbout(server, person.email, 'Аккаунт Ringpost будет удалён')
  await page.goto(`${server.url}/history`)
  const banner = page.getByRole('region', { name: 'About your account' })
  await banner.getByText('Your account will be deleted.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await banner.getByRole('button', { name: 'Keep my account' }).click()
  await alert(page, 'We won’t delete your account')
  const said = await page.getByRole('region', { name: 'Messages' }).locator('> div').first().boundingBox()
  for (const place of [page.getByRole('banner'), page.getByRole('navigation').last()]) {
    const other = await place.boundingBox()
    if (said === null || other === null) throw new Error('it is not shown')
    expect(said.y + said.height <= other.y || said.y >= other.y + other.height).toBe(true)
  }
  await banner.waitFor({ state: 'detached' })
  await page.goto(`${server.url}/settings/privacy`)
  await part.getByRole('button', { name: 'Delete my account' }).waitFor()
  expect(visit.complaints).toEqual([])
})
