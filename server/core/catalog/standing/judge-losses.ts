import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { listLosing } from '../health/queries/losses.ts'
import { setAside } from './change-standing.ts'

/** A supplier that charges us for so many messages without a code within a day is taken off sale. */
const MOST_LOSSES = 20
/**
 * A supplier stays on sale if it has more than this number of codes for each loss, because large suppliers have losses
 * every day.
 */
const CODES_OF_A_LOSS = 20

/**
 * Takes suppliers off sale if they charged for too many messages without a code. Trial purchases bring them back. Runs
 * every minute.
 */
export async function judgeLosses(ctx: Context): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - DAY)
  for (const { supplierId, losses } of await listLosing(ctx.db, { since, most: MOST_LOSSES, codes: CODES_OF_A_LOSS })) {
    const reason = `it charged ${losses} messages within a day that were no codes`
    await setAside(ctx, { supplierId, cause: 'share', reason })
  }
}
