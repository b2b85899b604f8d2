import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { boxesReady, expectSignedIn, signInAs } from './accounts.ts'
import { axeFindings, overflowOf } from './axe.ts'
import { browser, type Look, type Visit } from './browser.ts'
import type { DemoServer } from './demo-server.ts'

const LOOKS: Look[] = [
  { locale: 'ru', theme: 'dark', width: 390, height: 844 },
  { locale: 'en', theme: 'light' },
]
const DESK = { support: 'support@ringpost.test', operator: 'operator@ringpost.test' } as const

type StaffRole = keyof typeof DESK

/** Returns functions that open the staff pages as staff do, and check their layout and accessibility. */
export function staffDesk(server: DemoServer) {
  const typed = new Map<StaffRole, string>()

  async function openDesk(role: StaffRole, path: string): Promise<Visit> {
    const visit = await browser.open(server.url)
    const { page } = visit
    await signInAs(page, { email: DESK[role], password: `${role}-password-1` })
    await boxesReady(page)
    await page.keyboard.type(await freshCode(role))
    await expectSignedIn(page)
    await page.goto(server.url + path)
    return visit
  }

  /** Returns an unused sign-in code, which may take 30 seconds, because a code works only once. */
  async function freshCode(role: StaffRole): Promise<string> {
    const codeNow = async () => (await server.cli('demo:code')).trim()
    await expect.poll(codeNow, { timeout: 60_000 }).not.toBe(typed.get(role))
    const code = await codeNow()
    typed.set(role, code)
    return code
  }

  /** Checks a page in each theme and size: no element is wider than the window, and axe finds nothing. */
  async function judge({ page, context }: Visit, path: string, name: string, looks = LOOKS): Promise<void> {
    for (const { locale = 'en', theme = 'light', width = 1440, height = 900 } of looks) {
      await context.addCookies([
        { name: 'theme', value: theme, url: server.url },
        { name: 'locale', value: locale, url: server.url },
      ])
      await page.setViewportSize({ width, height })
      await page.goto(server.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await shot(page, `${name}-${locale}-${theme}-${width}`)
      expect(await overflowOf(page), `${name} ${locale} ${width}`).toBeLessThanOrEqual(0)
      expect(await axeFindings(page), `${name} ${locale} ${theme}`).toEqual([])
      // The longest words of each language must fit on the narrowest screen.
      await page.setViewportSize({ width: 320, height })
      expect(await overflowOf(page), `${name} ${locale} 320`).toBeLessThanOrEqual(0)
    }
    await context.addCookies([
      { name: 'theme', value: 'light', url: server.url },
      { name: 'locale', value: 'en', url: server.url },
    ])
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  return { openDesk, judge, shot, LOOKS }
}

async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
