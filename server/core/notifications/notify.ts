import type { Db } from '#server/house/db/pool.ts'
import { insertNotifications, type Raised } from './queries/raise.ts'

/**
 * Stores a notification for a user. Returns false if one with its `dedupeKey` exists, or the user turned off all
 * channels of its category.
 */
export async function notify(db: Db, raised: Raised, now: Date): Promise<boolean> {
  return (await insertNotifications(db, [raised], now)) > 0
}
