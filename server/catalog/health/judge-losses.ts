import { DAY } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { setAside } from './change-standing.ts'
import { listLosing } from './queries/losses.ts'

/** Of one day: the most that a supplier may cost us by messages that it charges and nobody pays for. */
const MOST_LOSSES = 20
/** Whoever sells much has some: below one in so many codes he stays. */
const CODES_OF_A_LOSS = 20

/** Runs each minute. Trials bring it back, as after a fall of its share. */
export async function judgeLosses(ctx: Context): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - DAY)
  for (const { supplierId, losses } of await listLosing(ctx.db, { since, most: MOST_LOSSES, codes: CODES_OF_A_LOSS })) {
    const reason = `it charged ${losses} messages within a day that were no codes`
    await setAside(ctx, { supplierId, cause: 'share', reason })
  }
}
