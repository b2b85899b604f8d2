import { toDecimal } from '#contract/money.ts'
import {
  badCountry,
  badOperator,
  badService,
  maxPriceTooLow,
  noNumbers,
  priceChanged,
  repeatUnavailable,
} from '#server/buying-errors.ts'
import { type Quote, quote } from '#server/catalog/prices/quote.ts'
import type { Context } from '#server/context.ts'
import { findRepeatOffer } from './can-repeat.ts'
import type { Purchase } from './purchase.ts'

/**
 * What a purchase costs now and whom to ask, when the buyer agrees to that price. Throws NO_NUMBERS, REPEAT_UNAVAILABLE,
 * PRICE_CHANGED, MAX_PRICE_TOO_LOW, BAD_SERVICE, BAD_COUNTRY, BAD_OPERATOR.
 */
export function findQuote(ctx: Context, purchase: Purchase): Quote {
  const found = purchase.repeats === undefined ? quoteAny(ctx, purchase) : quoteRepeat(ctx, purchase, purchase.repeats)
  if (purchase.maxPriceMicros !== undefined && purchase.maxPriceMicros < found.priceMicros) {
    throw maxPriceTooLow(toDecimal(found.priceMicros))
  }
  if (purchase.shownPriceMicros !== undefined && purchase.shownPriceMicros < found.priceMicros) {
    throw priceChanged(toDecimal(found.priceMicros))
  }
  return found
}

function quoteAny(ctx: Context, purchase: Purchase): Quote {
  const { serviceCode, countryId, currency } = purchase
  requireKind(ctx, purchase)
  const asked = quote(ctx.catalog, { serviceCode, countryId, currency, operator: purchase.operator })
  if (asked === 'unknown-operator' && purchase.operatorFallback !== true) throw badOperator()
  const found =
    typeof asked === 'string' && purchase.operatorFallback === true
      ? quote(ctx.catalog, { serviceCode, countryId, currency, operator: null })
      : asked
  if (typeof found === 'string') throw noNumbers()
  return found
}

function quoteRepeat(ctx: Context, { currency }: Purchase, repeated: NonNullable<Purchase['repeats']>): Quote {
  const offer = findRepeatOffer(ctx, repeated)
  if (offer === undefined) throw repeatUnavailable()
  return { priceMicros: offer.prices[currency], candidates: [offer] }
}

/** Whether there is such a service, and it may be sold, and such a country. Throws BAD_SERVICE, BAD_COUNTRY. */
export function requireKind(ctx: Context, kind: { serviceCode: string; countryId: number }): void {
  const service = ctx.catalog.services.get(kind.serviceCode)
  if (service === undefined || service.blocked_at !== null) throw badService()
  if (!ctx.catalog.countries.has(kind.countryId)) throw badCountry()
}
