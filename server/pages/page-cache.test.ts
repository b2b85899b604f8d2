import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bodyOf, type FreshPage, PageCache, packPage } from './page-cache.ts'

const page = (body: string, changes: Partial<FreshPage> = {}): FreshPage => ({
  status: 200,
  contentType: 'text/html',
  body,
  keep: true,
  location: null,
  ...changes,
})

function newCache(maxBytes = 1_000_000) {
  let time = 0
  const cache = new PageCache({ clock: { now: () => new Date(time) }, maxBytes, maxAgeMs: 10_000 })
  return { cache, passMs: (ms: number) => (time += ms) }
}

/** A page whose making is ended by the test. */
function heldPage(body: string) {
  const { promise, resolve } = Promise.withResolvers<FreshPage>()
  return { make: () => promise, finish: () => resolve(page(body)) }
}

test('a kept page is made once and sent in both encodings', async () => {
  const { cache } = newCache()
  let made = 0
  const make = async () => page(`page ${++made}`)
  await cache.take('a', make)
  const taken = await cache.take('a', make)
  expect(made).toBe(1)
  expect(brotliDecompressSync(taken.br).toString()).toBe('page 1')
  expect(gunzipSync(taken.gzip).toString()).toBe('page 1')
  expect((await bodyOf(taken, 'identity')).toString()).toBe('page 1')
})

test('a page grows old with the clock and is made again', async () => {
  const { cache, passMs } = newCache()
  let made = 0
  const make = async () => page(`page ${++made}`)
  await cache.take('a', make)
  passMs(9_999)
  await cache.take('a', make)
  expect(made).toBe(1)
  passMs(1)
  await cache.take('a', make)
  expect(made).toBe(2)
})

test('many asking for a page that is being made wait for the same one', async () => {
  const { cache } = newCache()
  const held = heldPage('one')
  let made = 0
  const make = () => {
    made += 1
    return held.make()
  }
  const asking = Promise.all(Array.from({ length: 20 }, () => cache.take('a', make)))
  held.finish()
  const taken = await asking
  expect(made).toBe(1)
  expect(new Set(taken).size).toBe(1)
})

test('a page begun before clear() answers who asked for it and is not kept', async () => {
  const { cache } = newCache()
  const held = heldPage('old prices')
  const asked = cache.take('a', held.make)
  cache.clear()
  const after = cache.take('a', async () => page('new prices'))
  held.finish()
  expect((await bodyOf(await asked, 'identity')).toString()).toBe('old prices')
  expect((await bodyOf(await after, 'identity')).toString()).toBe('new prices')
  const kept = await cache.take('a', async () => page('made a third time'))
  expect((await bodyOf(kept, 'identity')).toString()).toBe('new prices')
})

test('a page that may not be kept, and one that failed, are made again', async () => {
  const { cache } = newCache()
  await cache.take('a', async () => page('lost', { status: 404, keep: false }))
  await expect(cache.take('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const taken = await cache.take('a', async () => page('found'))
  expect(taken.status).toBe(200)
})

test('it never holds more than its bytes: the page not asked for longest leaves', async () => {
  const { cache } = newCache(1_500)
  let made = 0
  const make = async () => page(`page ${++made}`)
  for (const key of ['a', 'b', 'a', 'c']) await cache.take(key, make)
  expect(made).toBe(3)
  await cache.take('a', make)
  expect(made).toBe(3)
  await cache.take('b', make)
  expect(made).toBe(4)
})

test('the etag tells pages apart and not encodings', async () => {
  const [one, same, other] = await Promise.all([packPage(page('x')), packPage(page('x')), packPage(page('y'))])
  expect(one.etag).toBe(same.etag)
  expect(one.etag).not.toBe(other.etag)
})
