import type { Currency } from '#contract/money.ts'
import { SECOND } from '#contract/time.ts'
import { followPromotions } from '#server/core/catalog/prices/follow-promotions.ts'
import type { RoutedQuote } from '#server/core/catalog/routing/route-quote.ts'
import { limitsOf } from '#server/core/numbers/limits/limits.ts'
import { openNumber } from '#server/core/numbers/limits/open-number.ts'
import type { Keyed } from '#server/core/numbers/sourcing/hold-once.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { announceChange } from '../activations/announce.ts'
import { cancellableBefore } from '../activations/cancel.ts'
import { PromotionFull, type Reservation, reserve } from '../activations/queries/purchase.ts'
import { findAnyActivation } from '../activations/queries/read.ts'
import { reserveReplacing } from '../activations/queries/replace.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { type Purchase, repeatedBy, replacedBy } from './purchase.ts'
import { sellOwnNumber } from './sell-from-stock.ts'

type Priced = { offer: RoutedQuote; keyed: Keyed }

/**
 * Holds the money of a purchase, and sells one of our own numbers in the same statement if it can. Returns null if there
 * is too little money, a limit refuses, a promotion is at its loss limit, or the number to be replaced got a code first.
 */
export async function holdPurchase(ctx: Context, purchase: Purchase, priced: Priced): Promise<ActivationRow | null> {
  const replaced = replacedBy(purchase)
  const wanted = { userId: purchase.userId, kind: 'activation', replaces: replaced !== undefined } as const
  const reserved = await openNumber(ctx, wanted, () => hold(ctx, purchase, priced))
  if (reserved !== null && replaced !== undefined) ctx.background.run('announce', () => announceEnd(ctx, replaced.id))
  return reserved
}

async function hold(ctx: Context, purchase: Purchase, { offer, keyed }: Priced): Promise<ActivationRow | null> {
  const reservation: Reservation = {
    ...keyed,
    ...termsOf(ctx, offer, purchase.currency),
    userId: purchase.userId,
    serviceCode: purchase.serviceCode,
    countryId: purchase.countryId,
    operatorWanted: purchase.operator,
    excludedPrefixes: purchase.excludedPrefixes ?? [],
    channel: purchase.channel,
    repeatOf: repeatedBy(purchase)?.id ?? null,
    apiKeyId: purchase.apiKeyId ?? null,
  }
  const { now } = reservation
  const replaced = replacedBy(purchase)
  const createdBefore = cancellableBefore(ctx, now)
  try {
    return await reservingOf(ctx).make(now, async () => {
      if (replaced !== undefined)
        return reserveReplacing(ctx.db, { ...reservation, replaced: replaced.id, createdBefore })
      const sold = reservation.repeatOf === null ? await sellOwnNumber(ctx, reservation, offer.candidates[0]) : null
      return sold ?? reserve(ctx.db, reservation)
    })
  } catch (error) {
    if (!(error instanceof PromotionFull)) throw error
    // The next try uses the price that is valid now, if the buyer agrees to it.
    await followPromotions(ctx)
    return null
  }
}

export function termsOf(ctx: Context, offer: RoutedQuote, currency: Currency) {
  const now = ctx.clock.now()
  const { priceMicros, promotionId, route, candidates } = offer
  const [first] = candidates
  return {
    priceMicros,
    currency,
    supplierId: first.supplierId,
    costLimitMicros: first.costMicros,
    costCurrency: first.currency,
    promotionId,
    route,
    limits: limitsOf(ctx, currency),
    nodeId: nodeOf(ctx).id,
    now,
    expiresAt: new Date(now.getTime() + ctx.config.activationSeconds * SECOND),
  }
}

async function announceEnd(ctx: Context, id: bigint): Promise<void> {
  const row = await findAnyActivation(ctx.db, id)
  if (row !== null) await announceChange(ctx, row)
}
