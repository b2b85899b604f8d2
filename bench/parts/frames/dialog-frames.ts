import type { Browser } from 'playwright-core'
import { judge, median, takeTurns } from '../rounds.ts'

/** The openers stand in the header of a visitor's page, so their dialogs load late and no account is needed. */
const OPENERS = ['Log in', 'Register'] as const
const ROUNDS = 7
/** A pointer rests on a button about this long before it presses. The page loads the dialog meanwhile. */
const HOVER_MS = 150
const LONGEST_MS = 100

/** Measures the time from the press of a button to the frame that shows its dialog, in new profiles without a cache. */
export async function measureDialogs(browser: Browser, url: string, slowDown: number): Promise<void> {
  const turns = OPENERS.map((name) => [name, () => openOnce(browser, { url, name, slowDown })] as const)
  console.log(`dialogs, processor ${slowDown} times slower, ${ROUNDS} rounds; ms from the press to the dialog's frame`)
  for (const [name, rounds] of Object.entries(await takeTurns(ROUNDS, Object.fromEntries(turns)))) {
    const usual = median(rounds)
    console.log(`  ${name.padEnd(26)} median ${usual.toFixed(1)}, ${judge(usual, { atMost: LONGEST_MS })}`)
  }
}

async function openOnce(
  browser: Browser,
  { url, name, slowDown }: { url: string; name: string; slowDown: number },
): Promise<number> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    const button = page.getByRole('banner').getByRole('button', { name, exact: true })
    await button.hover()
    await page.waitForTimeout(HOVER_MS)
    const shown = page.evaluate(timeToDialog)
    await button.click()
    return await shown
  } finally {
    await context.close()
  }
}

/** Runs in the page. Returns the milliseconds from the next press to the frame after a dialog is in the page. */
function timeToDialog(): Promise<number> {
  return new Promise((resolve) => {
    addEventListener(
      'pointerdown',
      ({ timeStamp }) => {
        const look = (): void => {
          if (document.querySelector('[role=dialog]') === null) requestAnimationFrame(look)
          else requestAnimationFrame((drawnAt) => resolve(drawnAt - timeStamp))
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
}
