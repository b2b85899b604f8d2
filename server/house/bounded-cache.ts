import { LRUCache } from 'lru-cache'

export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>

/** An LRU cache. The library's own `max` reserves the room at once: 24 ms and 2 MB for a hundred thousand. */
export function boundedCache<Key extends {}, Value extends {}>(max: number, ttlMs?: number): BoundedCache<Key, Value> {
  return new LRUCache<Key, Value>({
    maxSize: max,
    sizeCalculation: () => 1,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
  })
}

/** What an entry costs besides its letters. */
const ENTRY_BYTES = 200
const LETTER_BYTES = 2

/** Texts differ in length by thousands, so their bytes are counted, about. */
export function boundedTextCache(maxBytes: number): BoundedCache<string, string> {
  return new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (value, key) => ENTRY_BYTES + LETTER_BYTES * (value.length + key.length),
  })
}
