import { expect, test } from 'vitest'
import { loadMessages } from '#web/locales/messages.ts'

test.each(['ru', 'en'] as const)('the site map and the footer name a page by the same words: %s', async (language) => {
  const { footer, siteMap } = await loadMessages(language, 'all')
  const inFooter: Record<string, string> = footer.link
  const shared = Object.entries(siteMap.page).filter(([name]) => name in inFooter)
  expect(shared.map(([name]) => name)).toContain('refund-policy')
  for (const [name, words] of shared) expect([name, words]).toEqual([name, inFooter[name]])
})
