import { type Currency, toDecimal } from '#contract/money.ts'
import type { Context } from '#server/house/context.ts'
import { badService, pairPaused, spendLimitReached, tooManyOpenNumbers } from '#server/house/errors/buying-errors.ts'
import type { AppError } from '#server/house/errors/errors.ts'
import type { PurchaseLimits } from './queries/limits-sql.ts'
import { findLimits, findPairState } from './queries.ts'

export function limitsOf(ctx: Pick<Context, 'config'>, currency: Currency): PurchaseLimits {
  const { maxOpenNumbers, maxDaySpendMicros } = ctx.config
  return { openNumbers: maxOpenNumbers, daySpendMicros: maxDaySpendMicros[currency] }
}

type Wanted = { userId: number; currency: Currency; serviceCode: string; countryId: number }

/** Returns BAD_SERVICE for a blocked service, PAIR_PAUSED if the buyer is paused for service and country, or null. */
export async function explainClosedPair(ctx: Context, wanted: Wanted): Promise<AppError | null> {
  const now = ctx.clock.now()
  const pair = await findPairState(ctx.db, { ...wanted, now })
  if (pair.blocked) return badService()
  return pair.pausedUntil === null ? null : pairPaused(pair.pausedUntil, now)
}

/**
 * Returns the error of the limit that refuses a purchase, or null if no limit does. An extension of a rental passes
 * `opensNumber` false. `besides` is the id of an activation that the same statement ends.
 */
export async function explainLimits(
  ctx: Context,
  wanted: Wanted & { priceMicros: bigint; opensNumber?: boolean; besides?: bigint | null },
): Promise<AppError | null> {
  // A blocked service or a pause stops purchases but not extensions of rentals.
  const closed = wanted.opensNumber === false ? null : await explainClosedPair(ctx, wanted)
  if (closed !== null) return closed
  const found = await findLimits(ctx.db, {
    userId: wanted.userId,
    priceMicros: wanted.priceMicros,
    opensNumber: wanted.opensNumber !== false,
    limits: limitsOf(ctx, wanted.currency),
    besides: wanted.besides ?? null,
    now: ctx.clock.now(),
  })
  switch (found.reached) {
    case 'open_numbers':
      return tooManyOpenNumbers(found.openLimit)
    case 'day_spend':
      return spendLimitReached({ limit: toDecimal(found.dayLimitMicros), spent: toDecimal(found.spentMicros) })
    case null:
      return null
    default:
      return found.reached satisfies never
  }
}
