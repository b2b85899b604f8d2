import { expect, test } from 'vitest'
import { Crawl } from './support/crawl.ts'
import { type DemoServer, demoOfFile } from './support/demo-server.ts'
import { screenAddresses } from './support/site-addresses.ts'

const PUBLIC_URL = 'http://ringpost.test'
const server = demoOfFile({ INDEXING: 'index', PUBLIC_URL, API_REQUESTS_PER_SECOND: '100000' })

const MINUTES = 60_000

test.each(['ru', 'en'] as const)('no link leads nowhere, in %s', { timeout: 5 * MINUTES }, async (locale) => {
  const crawl = new Crawl({ site: server.url, publicUrl: PUBLIC_URL, locale })
  for (const path of ['/', ...screenAddresses('public').filter((path) => path !== '/no/such/page')]) {
    crawl.find(path, 'web/navigation/routes.ts')
  }
  for (const path of await siteMapPaths(server)) crawl.find(path, 'sitemap.xml')
  await crawl.finish()
  expect(crawl.dead).toEqual([])
  expect(crawl.asked).toBeGreaterThan(2_000)
  // Links to other sites are not requested, but their scheme must be https or mailto.
  expect([...crawl.external].filter((link) => !/^(https:|mailto:)/.test(link))).toEqual([])
})

async function siteMapPaths(server: DemoServer): Promise<string[]> {
  const addressesOf = async (path: string) => {
    const reply = await fetch(server.url + path)
    expect([path, reply.status]).toEqual([path, 200])
    return [...(await reply.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => new URL(url ?? '').pathname)
  }
  const parts = await addressesOf('/sitemap.xml')
  return (await Promise.all(parts.map(addressesOf))).flat()
}
