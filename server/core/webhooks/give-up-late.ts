import type { Context } from '#server/house/context.ts'
import { giveUpLate } from './queries/sending.ts'
import { LATE_AFTER_MS } from './sending/schedule.ts'

const BATCH = 5_000

/** Gives up a batch of deliveries that could not be sent for a day and are useless by then. */
export async function giveUpLateDeliveries(ctx: Context): Promise<number> {
  return giveUpLate(ctx.db, { before: new Date(ctx.clock.now().getTime() - LATE_AFTER_MS), limit: BATCH })
}
