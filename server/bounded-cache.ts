import { LRUCache } from 'lru-cache'

export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>

/**
 * Remembers at most `max` entries; of more, those that were used least recently are forgotten. `ttlMs`: how long each is
 * remembered at most; for good when not given. It grows as it fills: the library's own `max` reserves the room for all at
 * once, 24 ms and 2 MB for a hundred thousand.
 */
export function boundedCache<Key extends {}, Value extends {}>(max: number, ttlMs?: number): BoundedCache<Key, Value> {
  return new LRUCache<Key, Value>({
    maxSize: max,
    sizeCalculation: () => 1,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
  })
}
