import { LRUCache } from 'lru-cache'
import { MEBIBYTE } from '#contract/time.ts'
import type { Clock } from '#server/house/clock.ts'
import type { Encoding } from '#server/house/http/door/content-encoding.ts'
import type { ReadyAnswer } from './answer.ts'

export type Packed = { etag: string; bodies: Partial<Record<Encoding, Buffer>> }

type Made<Entry> = { entry: Entry; cachedMs: number }

type Kept<Entry> = { entry: Entry; freshUntil: number }
type KeptAnswer = { answer: ReadyAnswer; version: number; freshUntil: number }

export type ReadyCache = {
  /** Returns a number that grows with every change of a price, a stock or a name. */
  version(): number
  /** Returns a cached or pending entry. `key` begins with the entry's kind and names all that the entry depends on. */
  find<Entry extends Packed>(key: string): Entry | Promise<Entry> | undefined
  /** Returns the cached entry or makes it. Concurrent requests for a key share one call of `make`. */
  take<Entry extends Packed>(key: string, make: () => Promise<Made<Entry>>): Entry | Promise<Entry>
  again(requestKey: string): ReadyAnswer | undefined
  remember(requestKey: string, key: string, answer: ReadyAnswer, version: number): void
}

type ReadyCacheOptions = {
  clock: Pick<Clock, 'now'>
  version(): number
  maxBytes?: number
}

const BODIES_MAX_BYTES = 48 * MEBIBYTE
/** The size limit of cached replies. Only keys and headers count, because replies share their bodies with entries. */
const ANSWERS_MAX_BYTES = 6 * MEBIBYTE
const ENTRY_BYTES = 600

export function createReadyCache({ clock, version, maxBytes = BODIES_MAX_BYTES }: ReadyCacheOptions): ReadyCache {
  const bodies = new LRUCache<string, Kept<Packed>>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: ANSWERS_MAX_BYTES,
    sizeCalculation: ({ answer }, key) => key.length + JSON.stringify(answer.headers).length + ENTRY_BYTES,
  })
  const pending = new Map<string, Promise<Packed>>()
  const now = () => clock.now().getTime()
  const fresh = <Value extends { freshUntil: number }>(kept: Value | undefined) =>
    kept !== undefined && kept.freshUntil > now() ? kept : undefined

  async function make<Entry extends Packed>(key: string, making: () => Promise<Made<Entry>>): Promise<Entry> {
    const begunAt = now()
    const { entry, cachedMs } = await making()
    if (cachedMs > 0) bodies.set(key, { entry, freshUntil: begunAt + cachedMs })
    return entry
  }

  const cache: ReadyCache = {
    version,
    // The cast is safe: a key begins with its kind, and all entries of a kind have one type.
    find: <Entry extends Packed>(key: string) =>
      (fresh(bodies.get(key))?.entry ?? pending.get(key)) as Entry | Promise<Entry> | undefined,
    take: <Entry extends Packed>(key: string, making: () => Promise<Made<Entry>>) => {
      const found = cache.find<Entry>(key)
      if (found !== undefined) return found
      const made = make(key, making).finally(() => pending.delete(key))
      pending.set(key, made)
      return made
    },
    again: (requestKey) => {
      const kept = fresh(answers.get(requestKey))
      return kept?.version === version() ? kept.answer : undefined
    },
    remember: (requestKey, key, answer, madeAtVersion) => {
      const kept = fresh(bodies.get(key))
      // Only a reply that shares its body with an entry is cached. Other bodies would exceed the size limit.
      if (kept === undefined || !isOneOf(answer.body, kept.entry)) return
      answers.set(requestKey, { answer, version: madeAtVersion, freshUntil: kept.freshUntil })
    },
  }
  return cache
}

function bytesOf({ entry }: Kept<Packed>, key: string): number {
  const lengths = Object.values(entry.bodies).map((body) => body.length)
  return lengths.reduce((sum, length) => sum + length, key.length + ENTRY_BYTES)
}

function isOneOf(body: Buffer | null, { bodies }: Packed): boolean {
  return body === null || Object.values(bodies).includes(body)
}
