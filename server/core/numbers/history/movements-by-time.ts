import { MINUTE } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findTransferUpTo } from './movement-queries.ts'

/** Ids follow statement times only roughly; no movement is further out of order. */
export const DISORDER_MS = 5 * MINUTE
/** Above every id. */
export const NEWEST_ID = 9_000_000_000_000_000_000n

/** Binary search by id, because transfers have no index by time. Null when the user has none. */
export async function findNewest(
  db: Db,
  { userId, isBefore }: { userId: number; isBefore: (at: Date) => boolean },
): Promise<bigint | null> {
  const newest = await findTransferUpTo(db, { userId, id: NEWEST_ID })
  if (newest === null) return null
  if (isBefore(newest.at)) return newest.id
  // Invariant: the newest transfer up to `low` is before or missing; that up to `high` is not.
  let [low, high] = [0n, newest.id]
  while (low < high - 1n) {
    const middle = (low + high) / 2n
    const found = await findTransferUpTo(db, { userId, id: middle })
    if (found === null || isBefore(found.at)) low = middle
    else high = found.id
  }
  return low
}
