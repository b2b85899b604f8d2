import type { Context } from '#server/house/context.ts'
import { forgetLowBalances, tellLowBalances } from './queries/settings.ts'

const BATCH = 500

/** Polls balances, so purchases have no extra work. Notifies a user once for each fall below the limit. */
export async function watchBalances(ctx: Context): Promise<void> {
  await forgetLowBalances(ctx.db)
  await tellLowBalances(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
