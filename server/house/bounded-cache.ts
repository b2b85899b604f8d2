import { LRUCache } from 'lru-cache'

export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>

/** Creates an LRU cache. The library's option `max` is not used, because it allocates all memory at once. */
export function boundedCache<Key extends {}, Value extends {}>(max: number, ttlMs?: number): BoundedCache<Key, Value> {
  return new LRUCache<Key, Value>({
    maxSize: max,
    sizeCalculation: () => 1,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
  })
}

/** The approximate size of a cache entry in bytes, without the text that it holds. */
const ENTRY_BYTES = 200
const LETTER_BYTES = 2

/** Creates a cache of texts that is limited in bytes (approximately), because the texts differ much in length. */
export function boundedTextCache(maxBytes: number): BoundedCache<string, string> {
  return new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + LETTER_BYTES * (value.length + key.length),
  })
}
