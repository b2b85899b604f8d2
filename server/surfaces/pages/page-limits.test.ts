import { expect, test, vi } from 'vitest'
import type { PageReply } from '#contract/page-request.ts'
import { FairQueue } from '#server/house/limits/fair-queue.ts'
import { startPages } from '#test/services/page-service.ts'

const html = (text: string): PageReply => ({ kind: 'page', status: 200, html: `<p>${text}</p>` })

function heldRenderer() {
  const begun: string[] = []
  const held: (() => void)[] = []
  const render = async ({ url }: { url: URL }) => {
    begun.push(url.pathname)
    await new Promise<void>((resolve) => held.push(resolve))
    return html(url.pathname)
  }
  const finishAll = () => {
    for (const resolve of held.splice(0)) resolve()
  }
  return { begun, render, finishAll }
}

// S-5: any made-up query value got its own page in the cache.
test('services and countries that do not exist make no page of their own, and free words are never kept', async () => {
  await using site = await startPages()
  for (let made = 0; made < 30; made += 1)
    expect((await site.get(`/?service=x${made}&country=${made}`)).statusCode).toBe(200)
  expect(site.rendered.map(({ url }) => url.search)).toEqual([''])
  await site.get('/?service=tg')
  await site.get('/?service=tg&country=nowhere')
  expect(site.rendered.map(({ url }) => url.search)).toEqual(['', '?service=tg'])
  for (let time = 0; time < 3; time += 1) await site.get('/?search=word')
  expect(site.rendered).toHaveLength(5)
  // On /price `service` and `country` are search words, so the renderer gets them and the page is not cached.
  for (let time = 0; time < 2; time += 1) await site.get('/price?service=telegram&country=kazakhstan')
  expect(site.rendered.slice(5).map(({ url }) => url.search)).toEqual(
    Array(2).fill('?country=kazakhstan&service=telegram'),
  )
})

// S-5: 24 connections from one address kept everybody else waiting.
test('an honest network gets its page before the queue of one that asks for very many', async () => {
  const { begun, render, finishAll } = heldRenderer()
  await using site = await startPages({ render })
  const hammer = Array.from({ length: 24 }, (_, number) => site.get(`/made-up-${number}`, from('203.0.113.66')))
  await expect.poll(() => begun.length).toBe(2)
  using asked = vi.spyOn(FairQueue.prototype, 'run')
  const honest = site.get('/', from('198.51.100.7'))
  // Further requests wait in the queue while the honest request is on its way.
  await expect.poll(() => asked.mock.lastCall?.[0].key).toBe('198.51.100.7')
  const waiting = [...hammer]
  while (!begun.includes('/')) {
    const count = begun.length
    finishAll()
    await expect.poll(() => begun.length).toBeGreaterThan(count)
  }
  // Two pages were rendering before the honest request came, and two more may have begun beside it.
  expect(begun.indexOf('/')).toBeLessThan(5)
  const served = Promise.allSettled([honest, ...waiting])
  const drain = setInterval(finishAll, 5)
  expect((await honest).statusCode).toBe(200)
  await served
  clearInterval(drain)
})

test('pages that have to be made are limited by network, kept ones are free, and the words cost nothing', async () => {
  await using site = await startPages({ config: { pagesPerSecond: 2 } })
  const ask = (path: string, headers = {}) => site.get(path, { ...from('2001:db8:7:7::1'), ...headers })
  const statuses: number[] = []
  for (let made = 0; made < 22; made += 1) statuses.push((await ask(`/made-up-${made}`)).statusCode)
  expect(statuses).toEqual([...Array(20).fill(200), 429, 429])
  const rendered = site.rendered.length
  const refused = await site.get('/made-up', { ...from('2001:db8:7:7:ffff::2'), cookie: 'locale=en' })
  expect([refused.statusCode, refused.headers['retry-after'], refused.headers['cache-control']]).toEqual([
    429,
    '1',
    'private, no-store',
  ])
  expect(refused.body).toContain('Too many requests')
  expect((await ask('/made-up/_payload.json')).json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect((await ask('/made-up-3')).statusCode).toBe(200)
  expect(site.rendered).toHaveLength(rendered)
  expect((await site.get('/made-up', from('198.51.100.7'))).statusCode).toBe(200)
  expect(site.log.lines.map(({ sentence }) => sentence)).toEqual(['refused'])
  site.passMs(1_000)
  expect((await ask('/made-up-21')).statusCode).toBe(200)
})

test('a signed-in account has a bucket of its own', async () => {
  await using site = await startPages({ config: { pagesPerSecond: 1 }, memberId: 7 })
  const mine = { ...from('203.0.113.66'), cookie: 'auth_token=anna; __Host-auth_token=anna' }
  for (let made = 0; made < 10; made += 1)
    expect((await site.get(`/made-up-${made}`, from('203.0.113.66'))).statusCode).toBe(200)
  expect((await site.get('/made-up', from('203.0.113.66'))).statusCode).toBe(429)
  for (let made = 0; made < 10; made += 1) expect((await site.get('/', mine)).statusCode).toBe(200)
  expect((await site.get('/', { ...mine, ...from('198.51.100.7') })).statusCode).toBe(429)
})

test('when too many networks wait, the next is told so at once by a page that costs nothing', async () => {
  const { begun, render, finishAll } = heldRenderer()
  await using site = await startPages({ render })
  const crowd = Array.from({ length: 202 }, (_, number) =>
    site.get(`/made-up-${number}`, from(`2001:db8:${number}::1`)),
  )
  await expect.poll(() => begun.length).toBe(2)
  // The last request finds the queue full and is answered first.
  const told = await Promise.race([...crowd, site.get('/', from('198.51.100.7'))])
  expect([told.statusCode, told.headers['retry-after']]).toEqual([503, '5'])
  expect(told.body).toContain('слишком много посетителей')
  const drain = setInterval(finishAll, 1)
  const statuses = (await Promise.all(crowd)).map(({ statusCode }) => statusCode)
  clearInterval(drain)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(201)
})

// H-2: uncompressed bodies were held for each request: 501 MB, of which the limit counted 4.
test('made-up cookies and clients without encodings hold nothing', async () => {
  await using site = await startPages({ render: ({ locale }) => html(locale) })
  const get = (headers: Record<string, string>) => site.get('/', { 'accept-encoding': 'gzip', ...headers })
  // A cookie parser finds a language in `locale = en`, but the quick regular expression does not, so the page is not
  // shared.
  const odd = await get({ cookie: 'locale = en' })
  const first = await get({})
  expect(odd.headers.etag).not.toBe(first.headers.etag)
  expect(site.kept()).toBe(0)
  await get({ cookie: 'a=1' })
  await get({ cookie: 'b=2; theme=; x=locale=en' })
  expect((await get({ cookie: 'c=3' })).headers.etag).toBe(first.headers.etag)
  expect(site.kept()).toBe(3)
  for (let time = 0; time < 2; time += 1) expect((await site.get('/')).body).toBe('<p>ru</p>')
  expect(site.kept()).toBe(3)
})

function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}
