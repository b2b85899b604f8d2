import type { Context } from '#server/house/context.ts'
import { forgetLowBalances, tellLowBalances } from './queries/settings.ts'

const BATCH = 500

/**
 * Notifies users whose balance fell below the limit that they set, once for each fall. Polls balances, so that
 * purchases have no extra work.
 */
export async function watchBalances(ctx: Context): Promise<void> {
  await forgetLowBalances(ctx.db)
  await tellLowBalances(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
