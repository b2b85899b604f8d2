import type { Context } from '#server/house/context.ts'
import { giveUpLate } from './queries/sending.ts'
import { LATE_AFTER_MS } from './sending/schedule.ts'

const BATCH = 5_000

/** What could not be tried for a day: it is of no use to a program any more. What is left is for the next run. */
export async function giveUpLateDeliveries(ctx: Context): Promise<number> {
  return giveUpLate(ctx.db, { before: new Date(ctx.clock.now().getTime() - LATE_AFTER_MS), limit: BATCH })
}
