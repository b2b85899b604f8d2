import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

type Words = { footer: { link: Record<string, string> }; siteMap: { page: Record<string, string> } }

test.each(['ru', 'en'])('the site map and the footer name a page by the same words: %s', async (language) => {
  const file = new URL(`../../locales/${language}.json`, import.meta.url)
  const { footer, siteMap }: Words = JSON.parse(await readFile(file, 'utf8'))
  const shared = Object.keys(siteMap.page).filter((name) => name in footer.link)
  expect(shared).toContain('refund-policy')
  for (const name of shared) expect([name, siteMap.page[name]]).toEqual([name, footer.link[name]])
})
