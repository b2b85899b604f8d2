import { expect, test } from 'vitest'
import { complaintsBut } from './support/accounts.ts'
import { browser, signIn } from './support/browser.ts'
import { demoOfFile, startDemoServer } from './support/demo-server.ts'

const ZONES = JSON.stringify([
  { name: 'ru', hosts: ['localhost', 'ringpost.test'], currency: 'rub', locales: ['ru', 'en'], indexing: true },
  { name: 'com', hosts: ['ringpost.example'], currency: 'usd', locales: ['en'], indexing: true },
])
const server = demoOfFile({ ZONES, PUBLIC_URL: 'http://ringpost.test' })

const ENGLISH = { cookie: 'locale=en' }

async function pageAt(path: string, headers: Record<string, string> = ENGLISH) {
  const reply = await fetch(server.url + path, { headers, redirect: 'manual' })
  return { status: reply.status, location: reply.headers.get('location'), html: await reply.text() }
}

/** Returns a page's structured data (JSON-LD) for search engines, by type. */
function thingsOf(html: string): Record<string, Record<string, unknown>> {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{"@graph":[]}'
  const { '@graph': things } = JSON.parse(text) as { '@graph': Record<string, unknown>[] }
  return Object.fromEntries(things.map((thing) => [String(thing['@type']), thing]))
}

test('the blog is read by category, and searched', async () => {
  await using visit = await browser.open(`${server.url}/blog`)
  const { page } = visit
  await page
    .getByRole('navigation', { name: 'Categories' })
    .getByRole('link', { name: /^Guides/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor()
  await page.getByRole('link', { name: 'A rental or one code?' }).click()
  await page.getByRole('heading', { level: 1, name: 'A rental or one code?' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/blog/guides/rent-or-one-code')
  expect(await page.title()).toBe('A rental or one code? — Ringpost')
  await page.getByRole('searchbox', { name: 'Search articles' }).fill('  rentals ')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Search: rentals' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/blog/search/rentals')
  await page.locator('main mark').first().waitFor()
  await page.getByRole('main').getByRole('link', { name: 'A rental or one code?' }).click()
  await page.getByRole('heading', { level: 1, name: 'A rental or one code?' }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('an answer is found, leads on within the site, and says to search engines what it is', async () => {
  await using visit = await browser.open(`${server.url}/faq`)
  const { page } = visit
  await page.getByRole('searchbox').fill('money back')
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
  const answer = page.getByRole('main').getByRole('link', { name: 'When and how do I get my money back?' })
  await answer.click()
  await page.getByRole('heading', { level: 1, name: 'When and how do I get my money back?' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/faq/money/refund')
  await page.evaluate(() => document.documentElement.setAttribute('data-seen', 'yes'))
  await page.locator('.prose').getByRole('link', { name: 'here', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /refund/i }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/refund-policy')
  expect(await page.evaluate(() => document.documentElement.getAttribute('data-seen'))).toBe('yes')
  expect(visit.complaints).toEqual([])
  const { FAQPage } = thingsOf((await pageAt('/faq/money/refund')).html)
  expect(FAQPage?.mainEntity).toMatchObject([{ name: 'When and how do I get my money back?' }])
})

test('a link pressed right after the last key of a search opens its page', async () => {
  await using visit = await browser.open(`${server.url}/faq`)
  const { page } = visit
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/v1/content/answers/money/refund**', async (route) => {
    await released
    await route.continue()
  })
  await page.clock.install()
  await page.getByRole('searchbox').fill('money back')
  await page.getByRole('main').getByRole('link', { name: 'When and how do I get my money back?' }).click()
  await page.clock.runFor(1000)
  release()
  await page.getByRole('heading', { level: 1, name: 'When and how do I get my money back?' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/faq/money/refund')
  expect(visit.complaints).toEqual([])
})

test('answers are found while one types, by groups with counts, and their addresses are copied', async () => {
  await using visit = await browser.open(`${server.url}/faq`)
  const { page } = visit
  const groups = page.getByRole('navigation', { name: 'Groups of questions' }).getByRole('link')
  const counts = await groups.evaluateAll((all) => all.map((link) => Number(link.textContent?.match(/\d+$/)?.[0])))
  const listed = await page
    .locator('section[aria-labelledby]')
    .evaluateAll((all) => all.map((section) => section.querySelectorAll('ul a').length))
  expect(counts).toEqual(listed)
  const toMoney = page.getByRole('link', { name: 'Link to “Money”' })
  expect(await toMoney.getAttribute('href')).toBe('#money')
  const opacity = () => toMoney.evaluate((link) => getComputedStyle(link).opacity)
  expect(await opacity()).toBe('0')
  await toMoney.hover()
  expect(await opacity()).toBe('1')
  await groups.filter({ hasText: 'Your account' }).click()
  await page.waitForURL(`${server.url}/faq#account`)
  const field = page.getByRole('searchbox')
  await field.pressSequentially('card declined')
  await page.waitForURL(`${server.url}/faq?search=card+declined`)
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.getByRole('link', { name: 'My card was declined. What can I do?' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^https?:\/\/[^/]+\/faq\/money\/card-declined$/)
  const [answer, related] = await Promise.all([
    page.locator('.prose').boundingBox(),
    page.getByRole('region', { name: 'Money' }).boundingBox(),
  ])
  expect(answer?.width).toBeLessThan(640)
  expect((related?.x ?? 0) + (related?.width ?? 0)).toBeGreaterThan(1200)
  expect(visit.complaints).toEqual([])
})

test('a code is found in the tables of the documentation, and copied', async () => {
  await using visit = await browser.open(`${server.url}/doc/services`)
  const { page } = visit
  await page.getByRole('main').getByRole('searchbox').pressSequentially('telegram')
  await page.waitForURL('**/doc/services?search=telegram')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Telegram', exact: true }) })
  await row.getByRole('button', { name: 'Copy tg' }).click()
  await row.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('tg')
  await page.goto(`${server.url}/doc/countries`)
  await page.getByRole('button', { name: 'Copy table' }).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  expect(lines.length).toBeGreaterThan(150)
  expect(lines).toContain('2\tKazakhstan')
  await page.goto(`${server.url}/doc/operators?search=kazakhstan`)
  const countries = page.getByRole('main').getByRole('heading', { level: 2 })
  expect(await countries.getByRole('link').allInnerTexts()).toEqual([expect.stringMatching(/^Kazakhstan\s+2$/)])
  expect(visit.complaints).toEqual([])
})

test('what is searched for is found before any script runs', async () => {
  await using visit = await browser.open(`${server.url}/doc/services`, { scripts: false })
  const { page } = visit
  const main = page.getByRole('main')
  await main.getByRole('searchbox').fill('whatsapp')
  await main.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL('**/doc/services?search=whatsapp')
  await main.getByRole('cell', { name: 'wa' }).first().waitFor()
  await page.goto(`${server.url}/blog`)
  await main.getByRole('searchbox').fill('rental')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/blog/search/rental')
  await main.getByRole('link', { name: 'A rental or one code?' }).waitFor()
})

test('the page of a service says its prices to people and to search engines, and leads to its countries', async () => {
  await using visit = await browser.open(`${server.url}/service/telegram`)
  const { page } = visit
  const { Product, FAQPage, BreadcrumbList } = thingsOf(await page.content())
  const offers = Product?.offers as Record<string, string | number>
  expect(offers).toMatchObject({ '@type': 'AggregateOffer', priceCurrency: 'RUB' })
  const lowest = await page.getByRole('row').nth(1).locator('.board-price').innerText()
  expect(lowest).toContain(offers.lowPrice)
  expect(await page.locator('tr.board-row').count()).toBe(Number(offers.offerCount))
  await page.getByRole('form', { name: 'Buy a number' }).getByText('Telegram', { exact: true }).first().waitFor()
  // The board lists the countries, so the panel beside it does not.
  expect(await page.getByRole('list', { name: 'Country' }).count()).toBe(0)
  expect(FAQPage?.mainEntity).toHaveLength(3)
  expect(BreadcrumbList?.itemListElement).toHaveLength(3)
  await page.getByRole('link', { name: /^Show all/ }).click()
  await page.getByRole('rowheader').getByRole('link', { name: 'Kazakhstan' }).click()
  await page.getByRole('heading', { level: 1, name: /Kazakhstan/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/country/kazakhstan')
  await page.getByRole('link', { name: /^Show all/ }).click()
  await page.getByRole('rowheader').getByRole('link', { name: 'Telegram', exact: true }).waitFor()
  expect(visit.complaints).toEqual([])
})

test('zones of different languages name each other, and each is canonical on its own host', async () => {
  const linksOf = (html: string) =>
    [...html.matchAll(/<link rel="(?:canonical|alternate)"[^>]*>/g)].map(([link]) => link)
  for (const path of ['/service/telegram', '/blog/guides/rent-or-one-code']) {
    const russian = await pageAt(path, {})
    const foreign = await pageAt(path, { zone: 'com' })
    expect(russian.html).toContain('<html lang="ru"')
    expect(foreign.html).toContain('<html lang="en"')
    const [ownCanonical = '', ...ownAlternates] = linksOf(russian.html)
    const [canonical = '', ...alternates] = linksOf(foreign.html)
    expect(ownCanonical).toContain(`href="http://ringpost.test${path}"`)
    expect(canonical).toContain(`href="http://ringpost.example${path}"`)
    expect(ownAlternates).toHaveLength(2)
    expect(alternates).toEqual(ownAlternates)
    for (const locale of ['ru', 'en']) expect(alternates.join()).toMatch(new RegExp(`hreflang="${locale}"`, 'i'))
    expect(russian.html).not.toContain('name="yandex"')
    expect(foreign.html).toContain('<meta name="yandex" content="noindex"/>')
  }
})

test('1.4, 1.12, 1.18: the zone com is in dollars and in its one language, whatever was chosen elsewhere', async () => {
  const chosen = { cookie: 'locale=ru' }
  const textOf = (html: string) => html.replace(/<script.*?<\/script>/gs, '').replaceAll('\u00a0', ' ')
  for (const path of ['/service/telegram', '/loyalty']) {
    const roubles = textOf((await pageAt(path, chosen)).html)
    const dollars = textOf((await pageAt(path, { ...chosen, zone: 'com' })).html)
    expect(roubles).toMatch(/\d ₽/)
    expect(roubles).not.toMatch(/\$\d/)
    expect(dollars).toMatch(/\$\d/)
    expect(dollars).not.toContain('₽')
    expect([/<html lang="(..)"/.exec(roubles)?.[1], /<html lang="(..)"/.exec(dollars)?.[1]]).toEqual(['ru', 'en'])
    expect([/aria-label="Язык/.test(roubles), /aria-label="Language/.test(dollars)]).toEqual([true, false])
  }
})

test.each([
  '/blog/none',
  '/blog/guides/none',
  '/blog/none/rent-or-one-code',
  '/faq/none',
  '/faq/money/none',
  '/service/none',
  '/country/none',
  '/doc/none',
])('%s is not there', async (path) => {
  const { status, html } = await pageAt(path)
  expect(status).toBe(404)
  expect(html).toContain('<meta name="robots" content="noindex')
  expect(html).toMatch(/<title>[^<]+<\/title>/)
})

test.each([
  '/service?page=0',
  '/country?page=99',
  '/blog?page=99',
  '/blog/search/number?page=99',
  '/doc/services?page=-1',
])('surprise of the walk: %s has no page', async (path) => {
  expect((await pageAt(path)).status).toBe(404)
})

test('surprise of the walk: a letter that no name begins with leads to the whole list', async () => {
  for (const query of ['letter=ZZ', 'letter=%D0%AF']) {
    expect(await pageAt(`/country?${query}`)).toMatchObject({ status: 302, location: '/country' })
  }
  const { status, html } = await pageAt('/country?letter=Z')
  expect([status, /<title>([^<]*)/.exec(html)?.[1]]).toEqual([200, 'Countries: Z — Ringpost'])
})

test('E-4: the panel and the pages find by nickname and in the other layout', async () => {
  await using visit = await browser.open(server.url)
  const { page } = visit
  await page.locator('[data-panel-search="service"]').pressSequentially('телега')
  const services = page.getByRole('list', { name: 'Service' }).getByRole('button')
  await expect.poll(async () => (await services.allInnerTexts())[0]).toMatch(/^Telegram\n/)
  expect(visit.complaints).toEqual([])
  const linksAt = async (path: string) => (await pageAt(path)).html
  const found = await linksAt('/service?search=ntktuhfv')
  expect(found).toContain('href="/service/telegram"')
  expect(found).toContain('Results for “ntktuhfv”')
  expect(await linksAt(`/country?search=${encodeURIComponent('англия')}`)).toContain('href="/country/united-kingdom"')
  expect(await linksAt(`/price?service=${encodeURIComponent('телега')}`)).toContain('href="/service/telegram"')
  expect(await linksAt(`/doc/services?search=${encodeURIComponent('телега')}`)).toContain('href="/service/telegram"')
  expect(await linksAt(`/faq?search=${encodeURIComponent('телега')}`)).toContain('href="/service/telegram"')
})

test('2.2, 2.11: closed pages are not there: neither they, nor their data, nor what led to them, but for the list', async () => {
  const demo = { email: 'demo@ringpost.test', password: 'demo-password-1' }
  const body = JSON.stringify(demo)
  const headers = { 'content-type': 'application/json' }
  const { user } = await (await fetch(`${server.url}/api/login`, { method: 'POST', headers, body })).json()
  const settings = { CLOSED_PAGES: 'blog,faq,rent', CLOSED_PAGES_USER_IDS: String(user.id), INDEXING: 'index' }
  await using closed = await startDemoServer(settings)
  const statusOf = async (path: string) => (await fetch(closed.url + path, { headers: ENGLISH })).status
  const paths = ['/blog', '/blog/guides', '/blog/guides/rent-or-one-code', '/blog/search/code', '/blog/rss.xml']
  for (const path of [...paths, '/blog/_payload.json', '/api/v1/content/articles']) {
    expect([path, await statusOf(path)]).toEqual([path, 404])
  }
  const text = async (path: string) => (await fetch(closed.url + path, { headers: ENGLISH })).text()
  for (const path of ['/', '/sitemap', '/service']) {
    expect([path, await statusOf(path)]).toEqual([path, 200])
    expect(await text(path)).not.toMatch(/href="\/(blog|faq|rent)\b/)
  }
  expect(await text('/sitemaps/pages.xml')).not.toContain('/blog')
  await using visit = await browser.open(`${closed.url}/blog`)
  const { page } = visit
  const link = page.getByRole('banner').getByRole('link', { name: 'Blog' })
  await page.getByRole('heading', { name: 'This page doesn’t exist' }).waitFor()
  expect(await link.count()).toBe(0)
  await signIn(page)
  await page.getByRole('heading', { level: 1, name: 'Blog' }).waitFor()
  await link.waitFor()
})

test('E-8: every public page is reached from the footer, signed in or not, and the way out is in the settings too', async () => {
  const paths = ['contacts', 'partners', 'sitemap', 'doc', 'loyalty', 'service', 'country', 'price', 'acceptable-use']
  const [, footer = ''] = /<footer(.*)<\/footer>/s.exec((await pageAt('/')).html) ?? []
  for (const path of paths) expect(footer).toContain(`href="/${path}"`)
  await using visit = await browser.open(server.url)
  const { page } = visit
  await signIn(page)
  const links = page.getByRole('contentinfo').getByRole('link')
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  for (const path of paths) expect(hrefs).toContain(`/${path}`)
  await links.filter({ hasText: 'Loyalty program' }).click()
  await page.getByRole('heading', { level: 1, name: 'Loyalty program' }).waitFor()
  await page.getByRole('contentinfo').getByRole('button', { name: 'System' }).waitFor()
  await page.goto(`${server.url}/settings/sessions`)
  await page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('banner').getByRole('button', { name: 'Log in' }).waitFor()
  expect(complaintsBut(visit, 401)).toEqual([])
})
