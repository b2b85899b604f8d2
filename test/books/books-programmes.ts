import { DAY } from '#contract/time.ts'
import type { Pool } from '#server/db/pool.ts'
import { transaction } from '#server/db/transaction.ts'
import { insertPeriod, insertRanks } from '#server/programmes/loyalty/queries.ts'
import { settleReward } from '#server/programmes/loyalty/settle-reward.ts'
import { BOOKS_START } from './books.ts'

/** A week of loyalty around the payments of the books, paid to the user. */
export async function fillLoyalty(pool: Pool, userId: number): Promise<void> {
  const bounds = { begins_at: new Date(BOOKS_START.getTime() - DAY), ends_at: new Date(BOOKS_START.getTime() + DAY) }
  const id = await insertPeriod(pool, { ...bounds, period: 'week', timeZone: 'UTC' })
  if (id === null) throw new Error('the books have that week already')
  const ranks = [
    { topUpMicros: 100_000_000n, points: 400 },
    { topUpMicros: 1_000_000_000n, points: 850 },
  ]
  await insertRanks(pool, { periodId: id, currency: 'rub', ranks })
  const period = { ...bounds, id, kind: 'week', time_zone: 'UTC' } as const
  await transaction(pool, (tx) => settleReward(tx, { userId, period, now: bounds.ends_at }))
}
