import type { Db } from '#server/house/db/pool.ts'
import { insertNotifications, type Raised } from './queries/raise.ts'

/**
 * Tells somebody of something, in the caller's transaction or by itself. The same `dedupeKey` is told once to each person.
 * False: it was told before, or its reader wants to hear nothing of this category.
 */
export async function notify(db: Db, raised: Raised, now: Date): Promise<boolean> {
  return (await insertNotifications(db, [raised], now)) > 0
}
