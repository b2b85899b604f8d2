import type { Db } from '#server/house/db/pool.ts'
import { insertNotifications, type Raised } from './queries/raise.ts'

/**
 * A person gets one notification for each `dedupeKey`. Returns false if it was sent before, or if the person has turned
 * off all channels of this category.
 */
export async function notify(db: Db, raised: Raised, now: Date): Promise<boolean> {
  return (await insertNotifications(db, [raised], now)) > 0
}
