import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newBuyer } from './support/accounts.ts'
import { balance, browser, expectBalance } from './support/browser.ts'
import { demoOfWorker } from './support/demo-server.ts'

const server = demoOfWorker()

const PRESSES = 150

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const seen: string[] = []
  for (let press = 0; press < PRESSES; press += 1) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
    })
    if (name.test(found)) return
    seen.push(found.slice(0, 30))
  }
  throw new Error(`Tab never comes to ${name}, only to ${[...new Set(seen)].join(' | ')}`)
}

test('the keyboard alone buys a number, copies its code, and cancels another that got a notice', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/?service=tg&country=2&operator=swift')
  const { page } = visit
  await tabTo(page, /^Buy for/)
  await page.keyboard.press('Enter')
  const code = page.getByRole('article').first().locator('.ticket-code')
  await code.waitFor({ timeout: 20_000 })
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await tabTo(page, /Code copied/)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(await code.innerText())
  await page.goto(`${server.url}/?service=wa&country=2&operator=notice`)
  const before = await balance(page)
  await tabTo(page, /^Buy for/)
  await page.keyboard.press('Enter')
  const ticket = page.getByRole('article').filter({ hasText: 'WhatsApp' }).first()
  await ticket.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
  const notice = ticket.getByRole('region', { name: 'A notice without a code arrived' })
  await notice.waitFor({ timeout: 20_000 })
  await page.reload()
  await notice.waitFor()
  await tabTo(page, /^Read notice ·/)
  await tabTo(page, /^Cancel$/)
  await page.keyboard.press('Enter')
  await ticket.getByText('Refunded:').waitFor()
  await ticket.getByText('You weren’t charged').waitFor()
  await expectBalance(page, before)
  expect(visit.complaints).toEqual([])
})

test('N-1, N-4: nothing moves for somebody who asked for that, a phone is one line, and / begins anew', async () => {
  await using visit = await browser.openAs(server, await newBuyer(server), '/?service=vi&country=2&operator=silent')
  const { page } = visit
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await page.getByRole('article').first().getByText('Waiting for SMS').waitFor()
  const moving = () =>
    page.evaluate(() => {
      const lasts = (durations: string) => durations.split(', ').some((text) => Number.parseFloat(text) > 0.001)
      return [...document.querySelectorAll('*')].filter((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element)
        return lasts(animationDuration) || lasts(transitionDuration)
      }).length
    })
  expect(await moving()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await moving()).toBe(0)
  // The phone number is what buyers pay for, so even the narrowest page shows all of it in one line.
  await page.goto(`${server.url}/activations`)
  for (const width of [320, 390, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    const lines = await page
      .locator('.ticket-phone')
      .first()
      .evaluate((phone) => {
        const range = document.createRange()
        range.selectNodeContents(phone)
        const ticket = phone.closest('.ticket-body')?.getBoundingClientRect().right ?? 0
        return { count: range.getClientRects().length, room: ticket - phone.getBoundingClientRect().right > 0 }
      })
    expect([width, lines]).toEqual([width, { count: 1, room: true }])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(server.url)
  await page.waitForURL(/service=vi/)
  await page.locator('body').press('/')
  await page.keyboard.type('whatsapp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/service=wa/)
  await page.keyboard.type('indo')
  await page.keyboard.press('Enter')
  await page.waitForURL(/country=6/)
  await page.getByRole('button', { name: /^Buy for/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('article', { name: 'WhatsApp' }).getByText('Waiting for SMS').waitFor()
})
