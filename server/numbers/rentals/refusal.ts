import { type Currency, toDecimal } from '#contract/money.ts'
import { isBlocked } from '#server/accounts/users/queries.ts'
import { noBalance } from '#server/buying-errors.ts'
import type { Context } from '#server/context.ts'
import { type AppError, blocked } from '#server/errors.ts'
import { findAccount } from '#server/money/accounts.ts'
import { explainLimits } from '#server/numbers/limits/limits.ts'

/** Why the money for a rental or an extension was not held: BLOCKED, a limit, NO_BALANCE. Null when none is so any more. */
export async function explainUnheld(
  ctx: Context,
  wanted: {
    userId: number
    currency: Currency
    serviceCode: string
    countryId: number
    priceMicros: bigint
    opensNumber: boolean
  },
): Promise<AppError | null> {
  if (await isBlocked(ctx.db, wanted.userId)) return blocked()
  const limited = await explainLimits(ctx, wanted)
  if (limited !== null) {
    ctx.metrics.purchases.inc({ result: 'limit' })
    return limited
  }
  const account = await findAccount(ctx.db, wanted.userId)
  const missing = wanted.priceMicros - (account?.availableMicros ?? 0n)
  if (missing <= 0n) return null
  ctx.metrics.purchases.inc({ result: 'no-balance' })
  return noBalance({ price: toDecimal(wanted.priceMicros), missing: toDecimal(missing) })
}
