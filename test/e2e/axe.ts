import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds wrong on a page, or in the part of it that a selector names: one line for each rule, with its places. */
export async function axeFindings(page: Page, part?: string): Promise<string[]> {
  // Our pages have no frames; with them out of the question axe needs no page of its own for its results.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** How many pixels of a page are beyond the right edge of its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
