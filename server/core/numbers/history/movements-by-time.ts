import { MINUTE } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findTransferUpTo } from './movement-queries.ts'

/** Transfer ids follow the times only roughly: a statement's time may be out of order by at most this. */
export const DISORDER_MS = 5 * MINUTE
export const NEWEST_ID = 9_000_000_000_000_000_000n

/** Finds the newest transfer with `isBefore` true by binary search, as times have no index. Null without transfers. */
export async function findNewest(
  db: Db,
  { userId, isBefore }: { userId: number; isBefore: (at: Date) => boolean },
): Promise<bigint | null> {
  const newest = await findTransferUpTo(db, { userId, id: NEWEST_ID })
  if (newest === null) return null
  if (isBefore(newest.at)) return newest.id
  // Invariant: the newest transfer up to id `low` is before or missing; the newest up to `high` is not before.
  let [low, high] = [0n, newest.id]
  while (low < high - 1n) {
    const middle = (low + high) / 2n
    const found = await findTransferUpTo(db, { userId, id: middle })
    if (found === null || isBefore(found.at)) low = middle
    else high = found.id
  }
  return low
}
