import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { complaintsBut, expectSignedIn, newPerson, openDialog, type Person, withTwoFactor } from './support/accounts.ts'
import { findingsOfViews } from './support/axe.ts'
import { browser, type Look, type Visit } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'
import { alert, group, mailAbout, openSettings, signOut } from './support/settings-page.ts'

const server = demoOfWorker()

/** Adds a virtual authenticator to the browser. It agrees at once, unless `setYes` tells it to refuse. */
async function withDevice(page: Page): Promise<{ setYes: (yes: boolean) => Promise<void> }> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setYes: async (yes) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: yes })
    },
  }
}

const openSecurity = (person: Person, look: Look = {}): Promise<Visit> =>
  openSettings(server, person, { path: '/settings/security', ...look })

async function addPasskey(page: Page): Promise<void> {
  await group(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click()
  await alert(page, 'Passkey added')
}

test('a passkey is added, named, signs in alone, and is removed after a question', async () => {
  const person = await newPerson(server)
  await using visit = await openSecurity(person)
  const { page } = visit
  await withDevice(page)
  const part = group(page, 'Passkeys')
  await part.getByText('No passkeys yet').waitFor()
  await addPasskey(page)
  await mailAbout(server, person.email, 'В Ringpost добавлен ключ доступа')
  await part.getByRole('button', { name: 'Rename: Passkey 1' }).press('Enter')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Work laptop')
  await page.keyboard.press('Enter')
  await part.getByText('Work laptop').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Rename: Work laptop')
  await part.getByRole('button', { name: 'Add a passkey' }).click()
  await alert(page, 'This device already has a passkey for this account')
  await signOut(page)
  const dialog = await openDialog(page, 'Log in')
  await dialog.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expectSignedIn(page)
  await page.goto(`${server.url}/settings/security`)
  await part.getByText(/last used/).waitFor()
  await part.getByRole('button', { name: 'Remove: Work laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await part.getByText('No passkeys yet').waitFor()
  await mailAbout(server, person.email, 'Из Ringpost удалён ключ доступа')
  await signOut(page)
  await (await openDialog(page, 'Log in')).getByRole('button', { name: 'Log in with a passkey' }).click()
  await alert(page, 'We couldn’t accept this passkey')
  expect(complaintsBut(visit, 401, 422)).toEqual([])
})

test('a passkey stands for the code of two-factor, and who thinks better of it stays where they were', async () => {
  const person = await newPerson(server)
  const { nextCode } = await withTwoFactor(server, person)
  await using visit = await browser.open(server.url)
  const { page } = visit
  const device = await withDevice(page)
  const login = async () => {
    const dialog = await openDialog(page, 'Log in')
    await dialog.getByLabel('E-mail').fill(person.email)
    await dialog.getByLabel('Password', { exact: true }).fill(person.password)
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('dialog', { name: 'Two-factor login' }).waitFor()
  }
  await login()
  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
  await page.getByRole('dialog').getByRole('group').getByRole('textbox').first().click()
  await page.keyboard.type(nextCode)
  await expectSignedIn(page)
  await page.goto(`${server.url}/settings/security`)
  await addPasskey(page)
  await signOut(page)
  await device.setYes(false)
  await (await openDialog(page, 'Log in')).getByRole('button', { name: 'Log in with a passkey' }).click()
  const asked = page.getByRole('dialog', { name: 'Log in' })
  await expect
    .poll(() => asked.getByRole('button', { name: 'Log in with a passkey' }).getAttribute('aria-busy'))
    .toBe('false')
  await device.setYes(true)
  await page.keyboard.press('Escape')
  await login()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expectSignedIn(page)
  expect(complaintsBut(visit, 401, 422)).toEqual([])
})

test('at a bare address the page says why there are no passkeys, and where there are', async () => {
  const person = await newPerson(server)
  const address = server.url.replace('localhost', '127.0.0.1')
  const path = '/settings/security'
  await using visit = await openSettings({ ...server, url: address }, person, { path })
  const keys = group(visit.page, 'Passkeys')
  await keys.getByText('Passkeys need a domain name').waitFor()
  expect(await keys.getByRole('link').getAttribute('href')).toBe(server.url + path)
  expect(await keys.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
})

test('axe finds nothing around passkeys', async () => {
  const person = await newPerson(server)
  await using visit = await openSecurity(person)
  const { page } = visit
  await withDevice(page)
  await addPasskey(page)
  await group(page, 'Passkeys').getByRole('button', { name: 'Rename: Passkey 1' }).waitFor()
  expect(await findingsOfViews(page)).toEqual([])
  await group(page, 'Passkeys').getByRole('button', { name: 'Rename: Passkey 1' }).click()
  expect(await findingsOfViews(page)).toEqual([])
  expect(visit.complaints).toEqual([])
})
