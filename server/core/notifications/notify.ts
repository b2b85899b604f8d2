import type { Db } from '#server/house/db/pool.ts'
import { insertNotifications, type Raised } from './queries/raise.ts'

/**
 * Stores a notification, one for each user and `dedupeKey`. Returns false if it was stored before, or if the user
 * turned off all channels of its category.
 */
export async function notify(db: Db, raised: Raised, now: Date): Promise<boolean> {
  return (await insertNotifications(db, [raised], now)) > 0
}
