import { MINUTE } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findTransferUpTo } from './movement-queries.ts'

/** In the order of transfer ids, times may go back by this many ms, because statements run concurrently. */
export const DISORDER_MS = 5 * MINUTE
export const NEWEST_ID = 9_000_000_000_000_000_000n

/**
 * Returns an id that divides a user's transfers. Up to this id, `isBefore` is true for their times; above, it is false.
 * Returns null if the user has no transfers. Uses binary search over ids, because times have no index.
 */
export async function findNewest(
  db: Db,
  { userId, isBefore }: { userId: number; isBefore: (at: Date) => boolean },
): Promise<bigint | null> {
  const newest = await findTransferUpTo(db, { userId, id: NEWEST_ID })
  if (newest === null) return null
  if (isBefore(newest.at)) return newest.id
  // Invariant: the newest transfer with an id up to `low` is before the wanted time or missing. The newest with an id
  // up to `high` is not before the wanted time.
  let [low, high] = [0n, newest.id]
  while (low < high - 1n) {
    const middle = (low + high) / 2n
    const found = await findTransferUpTo(db, { userId, id: middle })
    if (found === null || isBefore(found.at)) low = middle
    else high = found.id
  }
  return low
}
