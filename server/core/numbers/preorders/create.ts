import { type Currency, toDecimal } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'
import { HOUR } from '#contract/time.ts'
import { isBlocked } from '#server/core/accounts/users/queries.ts'
import { isKnownOperator } from '#server/core/catalog/lists/known-operators.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { requireKind } from '#server/core/catalog/prices/require-kind.ts'
import { explainClosedPair } from '#server/core/numbers/limits/limits.ts'
import { throwKeyRefusal } from '#server/core/numbers/limits/throw-hold-refusal.ts'
import { requireBuying } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { holdOnce, type Keyed, type Repeat } from '#server/core/numbers/sourcing/hold-once.ts'
import type { Context } from '#server/house/context.ts'
import {
  badOperator,
  badService,
  idempotencyConflict,
  inDebt,
  noBalance,
  noNumbers,
  tooManyPreorders,
} from '#server/house/errors/buying-errors.ts'
import { blocked } from '#server/house/errors/errors.ts'
import { findAccount } from '#server/house/money/accounts.ts'
import { announcePreorder } from './announce.ts'
import { insertPreorder } from './queries/change.ts'
import { findByKey, listOpen } from './queries/read.ts'
import type { PreorderRow } from './queries/row.ts'
import { preorderSweepStateOf } from './sweep-state.ts'

export const MAX_OPEN_PREORDERS = 20

export type PreorderWish = {
  userId: number
  currency: Currency
  serviceCode: string
  countryId: number
  operator: string | null
  /** The maximum price, which is held now. The purchase costs the price at the time of buying. */
  maxPriceMicros: bigint
  hours: number
  idempotencyKey?: string | undefined
  /** The API key that ordered, or null. The maximum price counts against the API key's daily limit. */
  apiKeyId?: number | null
}

/**
 * Holds the price of a number until the deadline. A sweep buys the number within a second once it is available, and
 * checks the account's limits then. Throws NO_BALANCE, IN_DEBT, BAD_SERVICE, BAD_COUNTRY, BAD_OPERATOR,
 * TOO_MANY_PREORDERS, PAIR_PAUSED, BLOCKED, BUYING_STOPPED or IDEMPOTENCY_CONFLICT.
 */
export async function createPreorder(ctx: Context, wish: PreorderWish): Promise<PreorderRow> {
  const { serviceCode, countryId, operator, maxPriceMicros, hours } = wish
  const { earlier, held } = await holdOnce({
    key: wish.idempotencyKey,
    input: [serviceCode, countryId, operator, maxPriceMicros.toString(), hours],
    keyIndex: 'preorders_idempotency',
    earlier: (repeat) => findEarlier(ctx, wish, repeat),
    price: () => requireSold(ctx, wish),
    hold: (_, keyed) => hold(ctx, wish, keyed),
    explain: () => explainRefusal(ctx, wish),
    none: noNumbers,
  })
  if (earlier !== null) return earlier
  preorderSweepStateOf(ctx).lookAt = 0
  ctx.background.run('announce', () => announcePreorder(ctx, held))
  return held
}

async function findEarlier(ctx: Context, wish: PreorderWish, { key, inputHash }: Repeat): Promise<PreorderRow | null> {
  const earlier = await findByKey(ctx.db, { userId: wish.userId, key })
  if (earlier !== null && earlier.input_hash !== inputHash) throw idempotencyConflict()
  return earlier
}

/** Throws unless service, country and operator are sold. The price is not checked, as it is the buyer's maximum. */
function requireSold(ctx: Context, wish: PreorderWish): void {
  requireBuying(ctx)
  requireKind(ctx, wish)
  // A number for all services can only be rented.
  if (wish.serviceCode === FULL_NUMBER) throw badService()
  if (wish.operator !== null && !isKnownOperator(catalogOf(ctx), wish.countryId, wish.operator)) throw badOperator()
}

async function hold(ctx: Context, wish: PreorderWish, keyed: Keyed): Promise<PreorderRow | null> {
  const now = ctx.clock.now()
  return insertPreorder(ctx.db, {
    ...keyed,
    userId: wish.userId,
    serviceCode: wish.serviceCode,
    countryId: wish.countryId,
    operatorWanted: wish.operator,
    maxPriceMicros: wish.maxPriceMicros,
    currency: wish.currency,
    openLimit: MAX_OPEN_PREORDERS,
    apiKeyId: wish.apiKeyId ?? null,
    now,
    deadlineAt: new Date(now.getTime() + wish.hours * HOUR),
  })
}

/** Throws the reason why no money was held; returns if the reason has vanished by now. */
async function explainRefusal(ctx: Context, wish: PreorderWish): Promise<void> {
  if (await isBlocked(ctx.db, wish.userId)) throw blocked()
  const closed = await explainClosedPair(ctx, wish)
  if (closed !== null) throw closed
  if ((await listOpen(ctx.db, wish.userId)).length >= MAX_OPEN_PREORDERS) throw tooManyPreorders(MAX_OPEN_PREORDERS)
  await throwKeyRefusal(ctx, { apiKeyId: wish.apiKeyId, priceMicros: wish.maxPriceMicros })
  const account = await findAccount(ctx.db, wish.userId)
  if (account !== null && account.debtMicros > 0n) throw inDebt(toDecimal(account.debtMicros))
  const missing = wish.maxPriceMicros - (account?.availableMicros ?? 0n)
  if (missing <= 0n) return
  throw noBalance({ price: toDecimal(wish.maxPriceMicros), missing: toDecimal(missing) })
}
