import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { listLosing } from '../health/queries/losses.ts'
import { setAside } from './change-standing.ts'

/** A supplier is set aside for this many charged messages without a code within a day. */
const MOST_LOSSES = 20
/**
 * A large supplier has some losses every day: it stays on sale while it has fewer than one loss for this many codes.
 */
const CODES_OF_A_LOSS = 20

/**
 * Sets aside suppliers with too many losses; runs every minute. Trials bring them back, as after a low share of codes.
 */
export async function judgeLosses(ctx: Context): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - DAY)
  for (const { supplierId, losses } of await listLosing(ctx.db, { since, most: MOST_LOSSES, codes: CODES_OF_A_LOSS })) {
    const reason = `it charged ${losses} messages within a day that were no codes`
    await setAside(ctx, { supplierId, cause: 'share', reason })
  }
}
