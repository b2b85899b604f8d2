import { toDecimal } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import type { PricedOffer } from '#server/core/catalog/offers/price-offer.ts'
import { followPromotions } from '#server/core/catalog/prices/follow-promotions.ts'
import { type Quote, quote } from '#server/core/catalog/prices/quote.ts'
import { requireKind } from '#server/core/catalog/prices/require-kind.ts'
import { type RoutedQuote, routeQuote } from '#server/core/catalog/routing/route-quote.ts'
import { handOverEarly } from '#server/core/numbers/delivery/hand-over.ts'
import { explainUnheld } from '#server/core/numbers/limits/explain-unheld.ts'
import { limitsOf, MAX_HOLDS } from '#server/core/numbers/limits/limits.ts'
import { openNumber } from '#server/core/numbers/limits/open-number.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { sourceNumber } from '#server/core/numbers/sourcing/source-number.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { suppliersOf } from '#server/core/suppliers/registry.ts'
import { isPrefix } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import {
  badOperator,
  buyingStopped,
  maxPriceTooLow,
  noNumbers,
  priceChanged,
  repeatUnavailable,
} from '#server/house/errors/buying-errors.ts'
import { announceChange } from '../activations/announce.ts'
import { quoteRepeat } from '../activations/can-repeat.ts'
import { cancellableBefore, refusalToGiveBack } from '../activations/cancel.ts'
import { ACTIVATION_ORDER } from '../activations/order.ts'
import { PromotionFull, type Reservation, reserve } from '../activations/queries/purchase.ts'
import { findActivation, findAnyActivation } from '../activations/queries/read.ts'
import { reserveReplacing } from '../activations/queries/replace.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { findEarlier, hashInput } from './earlier-purchase.ts'
import { noneFor, type Purchase } from './purchase.ts'

/**
 * Buys one number: holds the money, asks the suppliers, settles. `repeated`: the same key bought it earlier. Throws
 * NO_NUMBERS, NO_BALANCE, PRICE_CHANGED, MAX_PRICE_TOO_LOW, BAD_SERVICE, BAD_COUNTRY, BAD_OPERATOR, REPEAT_UNAVAILABLE,
 * BLOCKED, BUYING_STOPPED, IDEMPOTENCY_CONFLICT, IN_PROGRESS, PAIR_PAUSED, TOO_MANY_OPEN_NUMBERS, SPEND_LIMIT_REACHED,
 * TOO_MANY_REQUESTS and SANDBOX_FULL in the sandbox, and for a replaced one what cancelling throws; then nothing is held.
 */
export async function buyActivation(
  ctx: Context,
  purchase: Purchase,
): Promise<{ activation: ActivationRow; repeated: boolean }> {
  const inputHash = hashInput(purchase)
  const earlier = await findEarlier(ctx, purchase, inputHash)
  if (earlier !== null) return { activation: earlier, repeated: true }
  if (purchase.replaces !== undefined) requireCancellable(ctx, purchase.replaces)
  if (buyingOf(ctx).stopped) throw buyingStopped()
  for (let round = 0; round < MAX_HOLDS; round += 1) {
    const offer = quotePurchase(ctx, purchase)
    const wanted = { userId: purchase.userId, kind: 'activation', replaces: purchase.replaces !== undefined } as const
    const reserved = await openNumber(ctx, wanted, () => hold(ctx, purchase, { offer, inputHash }))
    if (reserved !== null) {
      const activation = await completePurchase(ctx, reserved, offer.candidates, purchase.repeats?.phone ?? undefined)
      if (activation === null) throw noneFor(purchase)
      return { activation, repeated: false }
    }
    const sameKey = await findEarlier(ctx, purchase, inputHash)
    if (sameKey !== null) return { activation: sameKey, repeated: true }
    if (purchase.replaces !== undefined) await explainNotReplaced(ctx, purchase.replaces)
    await explainUnheld(ctx, { ...purchase, priceMicros: offer.priceMicros, opensNumber: true })
  }
  throw noneFor(purchase)
}

/**
 * From the hold to the number: sources, counts, tells the other tabs. Null when no supplier had one. `reserved` was
 * made by `reservingOf(ctx).make`; afterwards it is not under way any more.
 */
export async function completePurchase(
  ctx: Context,
  reserved: ActivationRow,
  candidates: readonly PricedOffer[],
  repeatOf?: string,
): Promise<ActivationRow | null> {
  try {
    const activation = await sourceNumber(ctx, ACTIVATION_ORDER, { reserved, candidates, repeatOf })
    ctx.metrics.purchases.inc({ result: activation === null ? 'no-numbers' : 'bought' })
    if (activation === null) return null
    // Not awaited: the answer must not wait for other tabs.
    ctx.background.run('announce', () => announceChange(ctx, activation))
    await handOverEarly(ctx, activation)
    return activation
  } finally {
    reservingOf(ctx).delete(reserved.id)
  }
}

export function expiryOf(ctx: Context, now: Date): Date {
  return new Date(now.getTime() + ctx.config.activationSeconds * SECOND)
}

function requireCancellable(ctx: Context, row: ActivationRow): void {
  const now = ctx.clock.now()
  if (row.state !== 'waiting' || row.created_at > cancellableBefore(ctx, now)) throw refusalToGiveBack(ctx, row, now)
}

/** A code, or an end, may have come before the statement that replaces. */
async function explainNotReplaced(ctx: Context, { id, user_id: userId }: ActivationRow): Promise<void> {
  const current = await findActivation(ctx.db, { id: Number(id), userId })
  if (current?.state !== 'waiting') throw refusalToGiveBack(ctx, current, ctx.clock.now())
}

/** Throws unless the buyer agrees to the current price. */
function quotePurchase(ctx: Context, purchase: Purchase): RoutedQuote {
  const { repeats, shownPriceMicros } = purchase
  const maxPriceMicros = purchase.maxPriceMicros ?? purchase.standingMaxMicros
  const found = repeats === undefined ? quoteAny(ctx, purchase) : quoteRepeat(ctx, repeats)
  if (found === undefined) throw repeatUnavailable()
  const { priceMicros } = found
  if (maxPriceMicros !== undefined && maxPriceMicros < priceMicros) throw maxPriceTooLow(toDecimal(priceMicros))
  if (shownPriceMicros !== undefined && shownPriceMicros < priceMicros) throw priceChanged(toDecimal(priceMicros))
  return routeQuote(ctx, leaveOutIgnorant(ctx, purchase, found), purchase.userId)
}

/** What a supplier sells against the buyer's exclusions would be given back, and paid until then. */
function leaveOutIgnorant(ctx: Context, purchase: Purchase, found: Quote): Quote {
  if (purchase.excludedPrefixes?.some(isPrefix) !== true) return found
  const [best, ...rest] = found.candidates.filter(
    ({ supplierId }) => suppliersOf(ctx).get(supplierId)?.ignoresExclusions !== true,
  )
  if (best === undefined) throw noneFor(purchase)
  return { ...found, candidates: [best, ...rest] }
}

function quoteAny(ctx: Context, purchase: Purchase): Quote {
  requireKind(ctx, purchase)
  const asked = quote(catalogOf(ctx), purchase)
  if (typeof asked !== 'string') return asked
  if (purchase.operatorFallback !== true) throw asked === 'unknown-operator' ? badOperator() : noNumbers()
  const found = quote(catalogOf(ctx), { ...purchase, operator: null })
  if (typeof found === 'string') throw noNumbers()
  return found
}

async function hold(
  ctx: Context,
  purchase: Purchase,
  { offer, inputHash }: { offer: RoutedQuote; inputHash: string | null },
): Promise<ActivationRow | null> {
  const now = ctx.clock.now()
  const { replaces } = purchase
  const reservation: Reservation = {
    userId: purchase.userId,
    serviceCode: purchase.serviceCode,
    countryId: purchase.countryId,
    operatorWanted: purchase.operator,
    priceMicros: offer.priceMicros,
    currency: purchase.currency,
    supplierId: offer.candidates[0].supplierId,
    costLimitMicros: offer.candidates[0].costMicros,
    costCurrency: offer.candidates[0].currency,
    excludedPrefixes: purchase.excludedPrefixes ?? [],
    channel: purchase.channel,
    idempotencyKey: purchase.idempotencyKey ?? null,
    inputHash,
    repeatOf: purchase.repeats?.id ?? null,
    promotionId: offer.promotionId,
    apiKeyId: purchase.apiKeyId ?? null,
    route: offer.route,
    limits: limitsOf(ctx, purchase.currency),
    now,
    expiresAt: expiryOf(ctx, now),
  }
  const statement = () =>
    replaces === undefined
      ? reserve(ctx.db, reservation)
      : reserveReplacing(ctx.db, {
          ...reservation,
          replaced: replaces.id,
          createdBefore: cancellableBefore(ctx, now),
        })
  const reserved = await reservingOf(ctx)
    .make(now, { statement, idOf: ({ id }) => id })
    .catch(async (error: unknown) => {
      // A concurrent request with the same key won.
      if (isUniqueViolation(error, 'activations_idempotency')) return null
      if (!(error instanceof PromotionFull)) throw error
      // The next round is at the price that holds now, when the buyer agrees to it.
      await followPromotions(ctx)
      return null
    })
  if (reserved !== null && replaces !== undefined) ctx.background.run('announce', () => announceEnd(ctx, replaces.id))
  return reserved
}

async function announceEnd(ctx: Context, id: bigint): Promise<void> {
  const row = await findAnyActivation(ctx.db, id)
  if (row !== null) await announceChange(ctx, row)
}
