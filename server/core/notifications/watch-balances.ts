import type { Context } from '#server/house/context.ts'
import { forgetLowBalances, tellLowBalances } from './queries/settings.ts'

const BATCH = 500

/** Notifies each user once for each fall of the balance below the limit. A poll adds no cost to purchases. */
export async function watchBalances(ctx: Context): Promise<void> {
  await forgetLowBalances(ctx.db)
  await tellLowBalances(ctx.db, { now: ctx.clock.now(), limit: BATCH })
}
