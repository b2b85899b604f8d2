import { toDecimal } from '#contract/money.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { type Quote, quote } from '#server/core/catalog/prices/quote.ts'
import { requireKind } from '#server/core/catalog/prices/require-kind.ts'
import { type RoutedQuote, routeQuote } from '#server/core/catalog/routing/route-quote.ts'
import { requireBuying } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { isPrefix } from '#server/core/suppliers/supplier.ts'
import type { Context } from '#server/house/context.ts'
import {
  badOperator,
  maxPriceTooLow,
  noNumbers,
  priceChanged,
  repeatUnavailable,
} from '#server/house/errors/buying-errors.ts'
import { quoteRepeat } from '../activations/can-repeat.ts'
import { cancellableBefore, refusalToGiveBack } from '../activations/cancel.ts'
import type { ActivationRow } from '../activations/queries/row.ts'
import { noneFor, type Purchase } from './purchase.ts'

/** Returns the current price. Throws unless the number may be bought and the buyer agrees to that price. */
export function pricePurchase(ctx: Context, purchase: Purchase): RoutedQuote {
  const { source, shownPriceMicros } = purchase
  const maxPriceMicros = purchase.maxPriceMicros ?? purchase.standingMaxMicros
  if (source?.from === 'replaced') requireCancellable(ctx, source.row)
  requireBuying(ctx)
  const found = source?.from === 'repeated' ? quoteRepeat(ctx, source.row) : quoteAny(ctx, purchase)
  if (found === undefined) throw repeatUnavailable()
  const { priceMicros } = found
  if (maxPriceMicros !== undefined && maxPriceMicros < priceMicros) throw maxPriceTooLow(toDecimal(priceMicros))
  if (shownPriceMicros !== undefined && shownPriceMicros < priceMicros) throw priceChanged(toDecimal(priceMicros))
  return routeQuote(ctx, leaveOutIgnorant(ctx, purchase, found), purchase.userId)
}

function requireCancellable(ctx: Context, row: ActivationRow): void {
  const now = ctx.clock.now()
  if (row.state !== 'waiting' || row.created_at > cancellableBefore(ctx, now)) throw refusalToGiveBack(ctx, row, now)
}

function quoteAny(ctx: Context, purchase: Purchase): Quote {
  requireKind(ctx, purchase)
  const { operatorFallback = false, isSupplierWanted } = purchase.source?.from === 'offers' ? purchase.source : {}
  const wanted = { ...purchase, isSupplierWanted }
  const asked = quote(catalogOf(ctx), wanted)
  if (typeof asked !== 'string') return asked
  if (!operatorFallback) throw asked === 'unknown-operator' ? badOperator() : noNumbers()
  const found = quote(catalogOf(ctx), { ...wanted, operator: null })
  if (typeof found === 'string') throw noNumbers()
  return found
}

/** Leaves out suppliers that ignore excluded prefixes, because we pay for a number until we give it back. */
function leaveOutIgnorant(ctx: Context, purchase: Purchase, found: Quote): Quote {
  if (purchase.excludedPrefixes?.some(isPrefix) !== true) return found
  const [best, ...rest] = found.candidates.filter(
    ({ supplierId }) => suppliersOf(ctx).get(supplierId)?.ignoresExclusions !== true,
  )
  if (best === undefined) throw noneFor(purchase)
  return { ...found, candidates: [best, ...rest] }
}
