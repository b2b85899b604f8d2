import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectSignedOut, mailsTo, type Person } from './accounts.ts'
import { browser, type Look, type Visit } from './browser.ts'
import type { DemoServer } from './demo-server.ts'

export async function openSettings(
  server: DemoServer,
  person: Pick<Person, 'id'>,
  { path, ...look }: Look & { path: string },
): Promise<Visit> {
  const visit = await browser.openAs(server, person, path, look)
  await visit.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
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
  await page.getByRole('heading', { name: 'No code, no charge' }).waitFor()
}
