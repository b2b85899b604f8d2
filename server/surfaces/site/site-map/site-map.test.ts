import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const ZONES = JSON.stringify([
  { name: 'ru', hosts: ['ringpost.test'], currency: 'rub', locales: ['ru'] },
  { name: 'com', hosts: ['ringpost.example'], currency: 'usd', locales: ['en'], indexing: false },
])
const environment = { PUBLIC_URL: 'https://ringpost.test', ZONES, INDEXING: 'index' }

async function text(t: TestApp, path: string, zone = 'ru') {
  const response = await t.fetch(path, { headers: { zone } })
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
}
const addresses = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1] ?? '')

test('search engines are led to every public page of an indexed zone', async () => {
  await using t = await startTestApp({ environment })
  const robots = await text(t, '/robots.txt')
  expect(robots.body).toContain('Sitemap: https://ringpost.test/sitemap.xml')
  const index = await text(t, '/sitemap.xml')
  expect(index.type).toContain('application/xml')
  const parts = await Promise.all(addresses(index.body).map((part) => text(t, new URL(part).pathname)))
  expect(parts.map(({ status }) => status)).toEqual(parts.map(() => 200))
  const all = parts.flatMap(({ body }) => addresses(body))
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(2_200)
  for (const path of [
    '',
    '/price',
    '/blog',
    '/faq/money/refund',
    '/service/telegram',
    '/country/russia',
    '/terms-of-use',
  ]) {
    expect(all).toContain(`https://ringpost.test${path}`)
  }
  for (const { body } of parts) expect(addresses(body).length).toBeLessThan(10_000)
  expect(parts.map(({ body }) => body).join('')).toContain('<lastmod>2026-')
  expect((await text(t, '/sitemaps/none.xml')).status).toBe(404)
})

test('a zone that is not indexed says so, and has no site map', async () => {
  await using t = await startTestApp({ environment })
  expect((await text(t, '/robots.txt', 'com')).body).toBe('User-agent: *\nDisallow: /\n')
  expect((await text(t, '/sitemap.xml', 'com')).status).toBe(404)
  expect((await text(t, '/sitemaps/pages.xml', 'com')).status).toBe(404)
})

test('closed pages are in no list', async () => {
  await using t = await startTestApp({ environment: { ...environment, CLOSED_PAGES: 'blog,service' } })
  const parts = addresses((await text(t, '/sitemap.xml')).body).map((part) => new URL(part).pathname)
  expect(parts).toEqual(['/sitemaps/pages.xml', '/sitemaps/faq.xml', '/sitemaps/countries.xml'])
  expect((await text(t, '/sitemaps/blog.xml')).status).toBe(404)
  const pages = addresses((await text(t, '/sitemaps/pages.xml')).body)
  expect(pages).not.toContain('https://ringpost.test/service')
  expect(pages).toContain('https://ringpost.test/country')
})

test('the feed has the articles of the language of its zone', async () => {
  await using t = await startTestApp({ environment })
  const russian = await text(t, '/blog/rss.xml')
  expect(russian.type).toContain('application/rss+xml')
  expect(russian.body).toContain('<title>Аренда или один код</title>')
  expect(russian.body).toContain('<link>https://ringpost.test/blog/guides/rent-or-one-code</link>')
  const english = await text(t, '/blog/rss.xml', 'com')
  expect(english.body).toContain('<title>A rental or one code?</title>')
  expect(english.body).toContain('<link>https://ringpost.example/blog/')
})
