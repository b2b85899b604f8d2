import { source } from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What axe finds wrong on a page: one line for each rule, with its places. `part`: only what this selector names. `colours`:
 * false where the same page is judged elsewhere in the same colours, because contrast takes as long as all the rest.
 */
export async function axeFindings(page: Page, { part = 'html', colours = true } = {}): Promise<string[]> {
  // Once for a document: axe itself is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ([selector, contrast]) => {
      // It would measure colours in the middle of their change: one may begin at any time, as what moves under the mouse is hovered.
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

/** How many pixels of a page are beyond the right edge of its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

declare global {
  interface Window {
    axe: typeof import('axe-core')
  }
}
