import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectSignedOut, fillLogin, mailsTo, type Person } from './accounts.ts'
import type { browserOfFile, Look, Visit } from './browser.ts'
import type { DemoServer } from './demo-server.ts'

/** Where the settings are walked: a browser, and the server it looks at. */
export type SettingsWalk = { browser: ReturnType<typeof browserOfFile>; server: DemoServer }

/** Opens a screen of the settings as somebody does who has to log in for it. */
export async function openSettings(
  { browser, server }: SettingsWalk,
  person: Pick<Person, 'email' | 'password'>,
  { path, ...look }: Look & { path: string },
): Promise<Visit> {
  const visit = await browser.open(server.url + path, look)
  const { page } = visit
  await fillLogin(page.getByRole('dialog'), person)
  await page.waitForURL(server.url + path)
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  return visit
}

export const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
export const alert = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

export async function mailAbout(server: DemoServer, email: string, subject: string): Promise<void> {
  const subjects = async () => (await mailsTo(server, email)).map((mail) => mail.subject)
  await expect.poll(subjects).toContain(subject)
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
  await expectSignedOut(page)
  // Home again, with what only visitors are told.
  await page.getByTitle('Choose Telegram').waitFor()
}
