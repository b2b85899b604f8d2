import { DAY } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import { listLosing } from '../health/queries/losses.ts'
import { setAside } from './change-standing.ts'

/** A supplier may cost us fewer messages of a day that were no codes. */
const MOST_LOSSES = 20
/** A large one has some every day: below one for so many codes it stays. */
const CODES_OF_A_LOSS = 20

/** Runs each minute. Trials bring it back, as after a fall of its share. */
export async function judgeLosses(ctx: Context): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - DAY)
  for (const { supplierId, losses } of await listLosing(ctx.db, { since, most: MOST_LOSSES, codes: CODES_OF_A_LOSS })) {
    const reason = `it charged ${losses} messages within a day that were no codes`
    await setAside(ctx, { supplierId, cause: 'share', reason })
  }
}
