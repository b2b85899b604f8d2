import { limitsOf } from '#server/core/numbers/limits/limits.ts'
import { findLimits, listOpenPauses } from '#server/core/numbers/limits/queries.ts'
import type { Context } from '#server/house/context.ts'
import type { Member } from '#server/house/http/caller.ts'
import { isKeySpent } from '../queries/rating.ts'

/** The highest rating of 5sim. */
const FULL = 96
/** Each paused pair of service and country lowers the rating by this much. */
const OF_A_PAUSE = 4
const LEAST_THAT_BUYS = 1

/** Returns 0 exactly when each purchase would be refused with `not enough rating`. */
export async function ratingOf(ctx: Context, { userId, currency, key }: Member): Promise<number> {
  const now = ctx.clock.now()
  const [limits, pauses, keySpent] = await Promise.all([
    findLimits(ctx.db, {
      userId,
      priceMicros: 1n,
      opensNumber: true,
      besides: null,
      now,
      limits: limitsOf(ctx, currency),
    }),
    listOpenPauses(ctx.db, { userId, now }),
    key === null ? false : isKeySpent(ctx.db, { keyId: key.id, now }),
  ])
  if (limits.reached !== null || keySpent) return 0
  return Math.max(LEAST_THAT_BUYS, FULL - OF_A_PAUSE * pauses.length)
}
