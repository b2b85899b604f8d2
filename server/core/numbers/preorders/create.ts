import { type Currency, toDecimal } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { HOUR } from '#contract/time.ts'
import { isBlocked } from '#server/core/accounts/users/queries.ts'
import { isKnownOperator } from '#server/core/catalog/lists/known-operators.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { requireKind } from '#server/core/catalog/prices/require-kind.ts'
import { explainKey } from '#server/core/numbers/limits/explain-unheld.ts'
import { explainClosedPair, MAX_HOLDS } from '#server/core/numbers/limits/limits.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import {
  badOperator,
  badService,
  buyingStopped,
  idempotencyConflict,
  inDebt,
  noBalance,
  noNumbers,
  tooManyPreorders,
} from '#server/house/errors/buying-errors.ts'
import { blocked } from '#server/house/errors/errors.ts'
import { hashParts } from '#server/house/hash-parts.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { announcePreorder } from './announce.ts'
import { preorderLooksOf } from './looks.ts'
import { insertPreorder } from './queries/change.ts'
import { findByKey, listOpen } from './queries/read.ts'
import type { PreorderRow } from './queries/row.ts'

/** Per account. */
export const MAX_OPEN_PREORDERS = 20

export type PreorderWish = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  /** null: any operator. */
  operator: string | null
  /** Held at once; the purchase takes the current price. */
  maxPriceMicros: bigint
  hours: number
  idempotencyKey?: string | undefined
  /** Null: not by a key. The ceiling counts against its day. */
  apiKeyId?: number | null
}

/**
 * Holds the price of a number until the deadline; the sweep buys it within a second once it can be had. The limits of
 * the account apply to the purchase. Throws NO_BALANCE, IN_DEBT, BAD_SERVICE, BAD_COUNTRY, BAD_OPERATOR, TOO_MANY_PREORDERS,
 * PAIR_PAUSED, BLOCKED, BUYING_STOPPED, IDEMPOTENCY_CONFLICT.
 */
export async function createPreorder(ctx: Context, wish: PreorderWish): Promise<PreorderRow> {
  const inputHash = wish.idempotencyKey === undefined ? null : hashWish(wish)
  const earlier = await findEarlier(ctx, wish, inputHash)
  if (earlier !== null) return earlier
  if (buyingOf(ctx).stopped) throw buyingStopped()
  requireKind(ctx, wish)
  // The whole number is only for rent.
  if (wish.serviceCode === FULL_NUMBER) throw badService()
  if (wish.operator !== null && !isKnownOperator(catalogOf(ctx), wish.countryId, wish.operator)) throw badOperator()
  for (let round = 0; round < MAX_HOLDS; round += 1) {
    const made = await hold(ctx, wish, inputHash)
    if (made !== null) {
      preorderLooksOf(ctx).lookAt = 0
      ctx.background.run('announce', () => announcePreorder(ctx, made))
      return made
    }
    const sameKey = await findEarlier(ctx, wish, inputHash)
    if (sameKey !== null) return sameKey
    await explainRefusal(ctx, wish)
  }
  throw noNumbers()
}

async function hold(ctx: Context, wish: PreorderWish, inputHash: string | null): Promise<PreorderRow | null> {
  const now = ctx.clock.now()
  return insertPreorder(ctx.db, {
    userId: wish.userId,
    serviceCode: wish.serviceCode,
    countryId: wish.countryId,
    operatorWanted: wish.operator,
    maxPriceMicros: wish.maxPriceMicros,
    currency: wish.currency,
    idempotencyKey: wish.idempotencyKey ?? null,
    inputHash,
    openLimit: MAX_OPEN_PREORDERS,
    apiKeyId: wish.apiKeyId ?? null,
    now,
    deadlineAt: new Date(now.getTime() + wish.hours * HOUR),
  }).catch((error: unknown) => {
    if (isUniqueViolation(error, 'preorders_idempotency')) return null
    throw error
  })
}

/** Returns when no reason is left. */
async function explainRefusal(ctx: Context, wish: PreorderWish): Promise<void> {
  if (await isBlocked(ctx.db, wish.userId)) throw blocked()
  const closed = await explainClosedPair(ctx, wish)
  if (closed !== null) throw closed
  if ((await listOpen(ctx.db, wish.userId)).length >= MAX_OPEN_PREORDERS) throw tooManyPreorders(MAX_OPEN_PREORDERS)
  await explainKey(ctx, { apiKeyId: wish.apiKeyId, priceMicros: wish.maxPriceMicros })
  const account = await findAccount(ctx.db, wish.userId)
  if (account !== null && account.debtMicros > 0n) throw inDebt(toDecimal(account.debtMicros))
  const missing = wish.maxPriceMicros - (account?.availableMicros ?? 0n)
  if (missing <= 0n) return
  throw noBalance({ price: toDecimal(wish.maxPriceMicros), missing: toDecimal(missing) })
}

async function findEarlier(ctx: Context, wish: PreorderWish, inputHash: string | null): Promise<PreorderRow | null> {
  if (wish.idempotencyKey === undefined) return null
  const earlier = await findByKey(ctx.db, { userId: wish.userId, key: wish.idempotencyKey })
  if (earlier !== null && earlier.input_hash !== inputHash) throw idempotencyConflict()
  return earlier
}

function hashWish(wish: PreorderWish): string {
  const input = [wish.serviceCode, wish.countryId, wish.operator, wish.maxPriceMicros.toString(), wish.hours]
  return hashParts(input)
}
