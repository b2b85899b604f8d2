import { MINUTE } from '#contract/time.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findTransferUpTo } from './movement-queries.ts'

/** Transfer ids follow the times only roughly: a statement's time may be out of order by at most this. */
export const DISORDER_MS = 5 * MINUTE
/** An id above every real id. */
export const NEWEST_ID = 9_000_000_000_000_000_000n

/**
 * Returns the id of the user's newest transfer for which `isBefore` is true, or null if the user has no transfers.
 * Transfers have no index by time, so this is a binary search by id.
 */
export async function findNewest(
  db: Db,
  { userId, isBefore }: { userId: number; isBefore: (at: Date) => boolean },
): Promise<bigint | null> {
  const newest = await findTransferUpTo(db, { userId, id: NEWEST_ID })
  if (newest === null) return null
  if (isBefore(newest.at)) return newest.id
  // Invariant: the newest transfer with an id up to `low` is before or does not exist; the newest up to `high` is not
  // before.
  let [low, high] = [0n, newest.id]
  while (low < high - 1n) {
    const middle = (low + high) / 2n
    const found = await findTransferUpTo(db, { userId, id: middle })
    if (found === null || isBefore(found.at)) low = middle
    else high = found.id
  }
  return low
}
