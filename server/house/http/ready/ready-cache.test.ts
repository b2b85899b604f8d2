import { expect, test } from 'vitest'
import { createReadyCache, type Packed } from './ready-cache.ts'

const packed = (text: string): Packed => ({ etag: text, bodies: { br: Buffer.from(text) } })
const FOREVER_MS = Number.POSITIVE_INFINITY

function newCache(maxBytes?: number) {
  let time = 0
  let version = 1
  const cache = createReadyCache({
    clock: { now: () => new Date(time) },
    version: () => version,
    ...(maxBytes !== undefined && { maxBytes }),
  })
  let made = 0
  return {
    cache,
    made: () => made,
    make: (cachedMs = 10_000) => {
      made += 1
      return Promise.resolve({ entry: packed(`entry ${made}`), cachedMs })
    },
    passMs: (ms: number) => {
      time += ms
    },
    changePrices: () => {
      version += 1
    },
  }
}

test('what is kept grows old with the clock and is made again', async () => {
  const { cache, made, make, passMs } = newCache()
  await cache.take('a', () => make())
  passMs(9_999)
  await cache.take('a', () => make())
  expect(made()).toBe(1)
  passMs(1)
  expect((await cache.take('a', () => make())).etag).toBe('entry 2')
})

test('its time begins with its making: what it shows is as old as that', async () => {
  const { cache, make, passMs } = newCache()
  const begun = Promise.withResolvers<void>()
  const taken = cache.take('a', async () => {
    await begun.promise
    return make()
  })
  passMs(9_999)
  begun.resolve()
  await taken
  expect(cache.find('a')).toBeDefined()
  passMs(1)
  expect(cache.find('a')).toBeUndefined()
})

test('many who ask for what is being made wait for the same one', async () => {
  const { cache, made, make } = newCache()
  const taken = await Promise.all(Array.from({ length: 20 }, () => cache.take('a', () => make())))
  expect([made(), new Set(taken).size]).toEqual([1, 1])
})

test('what may not be kept, and what failed, is made again', async () => {
  const { cache, make } = newCache()
  await cache.take('a', () => make(0))
  await expect(Promise.resolve(cache.take('a', () => Promise.reject(new Error('broken'))))).rejects.toThrow('broken')
  expect((await cache.take('a', () => make())).etag).toBe('entry 2')
})

test('it never holds more than its bytes: what was not asked for longest leaves', async () => {
  const { cache, made, make } = newCache(1_300)
  for (const key of ['a', 'b', 'a', 'c']) await cache.take(key, () => make(FOREVER_MS))
  expect(made()).toBe(3)
  await cache.take('a', () => make())
  expect(made()).toBe(3)
  await cache.take('b', () => make())
  expect(made()).toBe(4)
})

test('an answer goes out again until its body grows old or prices change', async () => {
  const { cache, make, passMs, changePrices } = newCache()
  const { bodies } = await cache.take('a', () => make())
  const answer = { status: 200, headers: { vary: 'Cookie' }, body: bodies.br ?? null }
  cache.remember('request', 'a', answer, 1)
  cache.remember('known', 'a', { ...answer, status: 304, body: null }, 1)
  expect([cache.again('request'), cache.again('known')?.status]).toEqual([answer, 304])
  changePrices()
  expect(cache.again('request')).toBeUndefined()
  cache.remember('request', 'a', answer, 2)
  expect(cache.again('request')).toBe(answer)
  passMs(10_000)
  expect(cache.again('request')).toBeUndefined()
})

// Regression test for H-2: uncompressed pages were cached for each request, and no limit counted them.
test('H-2: an answer with a body of its own, or of what is not kept, is not held', async () => {
  const { cache, make } = newCache()
  await cache.take('a', () => make())
  cache.remember('request', 'a', { status: 200, headers: {}, body: Buffer.from('unpacked') }, 1)
  expect(cache.again('request')).toBeUndefined()
  const { bodies } = await cache.take('b', () => make(0))
  cache.remember('request', 'b', { status: 200, headers: {}, body: bodies.br ?? null }, 1)
  expect(cache.again('request')).toBeUndefined()
})
