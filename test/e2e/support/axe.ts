import { source } from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Runs the accessibility checker axe on a page. Returns a line for each broken rule. `part` is a CSS selector.
 * `colours: false` skips the contrast, which takes as long as all other rules.
 */
export async function axeFindings(page: Page, { part = 'html', colours = true } = {}): Promise<string[]> {
  // The script of axe is half a megabyte, so each document loads it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ([selector, contrast]) => {
      // A hover may start a transition at any time, and axe would measure colours in the middle of it.
      const still = new CSSStyleSheet()
      still.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(still)
      const { violations } = await window.axe.run(selector, {
        resultTypes: ['violations'],
        rules: { 'color-contrast': { enabled: contrast } },
      })
      document.adoptedStyleSheets.splice(document.adoptedStyleSheets.indexOf(still), 1)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    },
    [part, colours] as const,
  )
}

const VIEWS = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
] as const
/** The narrowest screen on which everything must fit (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 640 }

/** Checks a page with axe on a light desktop and a dark phone, and for overflow on the narrowest screen. */
export async function findingsOfViews(page: Page, part = 'html'): Promise<string[]> {
  const before = await page.evaluate(() => [innerWidth, innerHeight, document.documentElement.className] as const)
  const found: string[] = []
  for (const { width, height, theme } of VIEWS) {
    await page.setViewportSize({ width, height })
    await wear(page, theme)
    found.push(...(await axeFindings(page, { part })).map((finding) => `${width} ${theme}: ${finding}`))
    found.push(...(await widthFindings(page, width)))
  }
  await page.setViewportSize(NARROW)
  found.push(...(await widthFindings(page, NARROW.width)))
  await page.setViewportSize({ width: before[0], height: before[1] })
  await wear(page, before[2])
  return found
}

async function widthFindings(page: Page, width: number): Promise<string[]> {
  const beyond = await overflowOf(page)
  return beyond > 0 ? [`${width}: ${beyond} px too wide`] : []
}

function wear(page: Page, theme: string): Promise<void> {
  return page.evaluate((name) => {
    document.documentElement.className = name
  }, theme)
}

export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}
