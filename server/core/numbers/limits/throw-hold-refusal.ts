import { type Currency, toDecimal } from '#contract/money.ts'
import { findKeySpend } from '#server/core/accounts/api-keys/queries.ts'
import { isBlocked } from '#server/core/accounts/users/queries.ts'
import type { Context } from '#server/house/context.ts'
import { inDebt, keySpendLimitReached, noBalance } from '#server/house/errors/buying-errors.ts'
import { blocked, unauthenticated } from '#server/house/errors/errors.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { explainLimits } from './limits.ts'

/**
 * Explains why no money could be held. Throws BLOCKED, a limit error, UNAUTHENTICATED (revoked API key), IN_DEBT or
 * NO_BALANCE. Returns if the reason has vanished by now. The price of the activation in `replaces` counts as available
 * money.
 */
export async function throwHoldRefusal(
  ctx: Context,
  wanted: {
    userId: number
    currency: Currency
    serviceCode: string
    countryId: number
    priceMicros: bigint
    /** False for an extension of a rental, because an extension opens no new number. */
    opensNumber: boolean
    replaces?: { id: bigint; price_micros: bigint } | undefined
    apiKeyId?: number | null | undefined
  },
): Promise<void> {
  const { userId, priceMicros, replaces } = wanted
  if (await isBlocked(ctx.db, userId)) throw blocked()
  const limited = await explainLimits(ctx, { ...wanted, besides: replaces?.id ?? null })
  if (limited !== null) {
    ctx.metrics.purchases.inc({ result: 'limit' })
    throw limited
  }
  await throwKeyRefusal(ctx, { ...wanted, besides: replaces?.id ?? null })
  const account = await findAccount(ctx.db, userId)
  if (account !== null && account.debtMicros > 0n) throw inDebt(toDecimal(account.debtMicros))
  const missing = priceMicros - (account?.availableMicros ?? 0n) - (replaces?.price_micros ?? 0n)
  if (missing <= 0n) return
  ctx.metrics.purchases.inc({ result: 'no-balance' })
  throw noBalance({ price: toDecimal(priceMicros), missing: toDecimal(missing) })
}

/** Throws UNAUTHENTICATED for a revoked API key and SPEND_LIMIT_REACHED for an exhausted one; otherwise returns. */
export async function throwKeyRefusal(
  ctx: Context,
  wanted: { apiKeyId?: number | null | undefined; priceMicros: bigint; besides?: bigint | null },
): Promise<void> {
  const { apiKeyId: keyId, priceMicros, besides = null } = wanted
  if (keyId === undefined || keyId === null) return
  const { revoked, limitMicros, spentMicros } = await findKeySpend(ctx.db, { keyId, besides, now: ctx.clock.now() })
  if (revoked) throw unauthenticated()
  if (limitMicros === null || spentMicros + priceMicros <= limitMicros) return
  ctx.metrics.purchases.inc({ result: 'limit' })
  throw keySpendLimitReached({ limit: toDecimal(limitMicros), spent: toDecimal(spentMicros) })
}
