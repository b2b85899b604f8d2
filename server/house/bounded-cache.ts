import { LRUCache } from 'lru-cache'

export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>

/**
 * Creates an LRU cache. The library's own option `max` allocates all memory at once: 24 ms and 2 MB for a hundred
 * thousand entries.
 */
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

/** Creates a cache of texts with a limit in bytes (approximate), because texts differ in length by thousands. */
export function boundedTextCache(maxBytes: number): BoundedCache<string, string> {
  return new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + LETTER_BYTES * (value.length + key.length),
  })
}
