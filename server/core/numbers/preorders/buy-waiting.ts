import { MINUTE, SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { followPromotions } from '#server/core/catalog/prices/follow-promotions.ts'
import { quote } from '#server/core/catalog/prices/quote.ts'
import { routeQuote } from '#server/core/catalog/routing/route-quote.ts'
import { ACTIVATION_ORDER } from '#server/core/numbers/activations/order.ts'
import { PromotionFull } from '#server/core/numbers/activations/queries/purchase.ts'
import { completeOrder } from '#server/core/numbers/purchase/complete-order.ts'
import { termsOf } from '#server/core/numbers/purchase/hold-purchase.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import type { Context } from '#server/house/context.ts'
import { announcePreorder } from './announce.ts'
import { holdAgain, markBought, postpone, postponeKind, reserveForPreorder } from './queries/change.ts'
import type { PreorderRow } from './queries/row.ts'

/** The first retry delay after a failed purchase. Each further failure doubles the delay, up to a maximum. */
const FIRST_RETRY_MS = 10 * SECOND
const LONGEST_RETRY_MS = 5 * MINUTE
/** The retry delay for a buyer who is blocked, paused or at a limit. */
const REFUSED_RETRY_MS = MINUTE

/**
 * Buys a number for a waiting pre-order at the current price. `none` means that no supplier had a number, `passed` that
 * no supplier was called. `triesBefore` is the number of tries of the first pre-order in the queue, if the given
 * pre-order is tried in its place.
 */
export async function buyWaiting(
  ctx: Context,
  row: PreorderRow,
  triesBefore = row.tries,
): Promise<'bought' | 'none' | 'passed'> {
  const { service_code: serviceCode, country_id: countryId, currency, operator_wanted: operator } = row
  const asked = quote(catalogOf(ctx), { serviceCode, countryId, currency, operator })
  if (typeof asked === 'string' || asked.priceMicros > row.max_price_micros || buyingOf(ctx).stopped) return 'passed'
  const found = routeQuote(ctx, asked, row.user_id)
  const reservation = {
    ...termsOf(ctx, found, currency),
    userId: row.user_id,
    serviceCode,
    countryId,
    operatorWanted: operator,
    excludedPrefixes: [],
    channel: 'site',
    idempotencyKey: null,
    inputHash: null,
    preorderId: row.id,
  } as const
  const { now } = reservation
  const reserved = await reservingOf(ctx)
    .make(now, () => reserveForPreorder(ctx.db, reservation))
    .catch((error: unknown) => {
      if (error instanceof PromotionFull) return 'full' as const
      throw error
    })
  if (reserved === 'full') {
    // The promotion's loss limit is reached. The next sweep uses the price without the promotion.
    await followPromotions(ctx)
    return 'passed'
  }
  if (reserved === null) {
    await postpone(ctx.db, { id: row.id, until: new Date(now.getTime() + REFUSED_RETRY_MS) })
    return 'passed'
  }
  // The announcement is awaited, so that tabs get the changes in order.
  await announcePreorder(ctx, { ...row, state: 'buying', activation_id: reserved.id })
  await completeOrder(ctx, ACTIVATION_ORDER, { reserved, candidates: found.candidates })
  return settlePreorder(ctx, { id: row.id, tries: Math.max(row.tries, triesBefore) })
}

/** Marks a pre-order as bought or, if its purchase failed, holds its price again. A sweep does so after a crash. */
export async function settlePreorder(
  ctx: Context,
  { id, tries }: Pick<PreorderRow, 'id' | 'tries'>,
): Promise<'bought' | 'none' | 'passed'> {
  const now = ctx.clock.now()
  const bought = await markBought(ctx.db, { id, now })
  if (bought !== null) {
    await announcePreorder(ctx, bought)
    return 'bought'
  }
  const delayMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 10))
  const settled = await holdAgain(ctx.db, { id, now, nextTryAt: new Date(now.getTime() + delayMs) })
  if (settled === null) return 'passed'
  await announcePreorder(ctx, settled)
  if (settled.state === 'waiting') await postponeKind(ctx.db, settled)
  return 'none'
}
