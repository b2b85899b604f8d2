import type { Context } from '#server/house/context.ts'
import { forgetLowBalances, tellLowBalances } from './queries/settings.ts'

const BATCH = 500

/** Once for each fall below the limit. A look every few seconds costs a purchase nothing. */
export async function watchBalances(ctx: Context): Promise<void> {
  await forgetLowBalances(ctx.db)
  await tellLowBalances(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
