import type { Currency } from '#contract/money.ts'
import type { CatalogIndex } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair, PairPromotion, PricedOffer } from '#server/core/catalog/offers/price-offer.ts'

/** `candidates` are in the order of purchase attempts. `promotionId` is set if some candidates sell below cost. */
export type Quote = {
  priceMicros: bigint
  candidates: [PricedOffer, ...PricedOffer[]]
  promotionId: number | null
}

type Wanted = {
  serviceCode: string
  countryId: number
  currency: Currency
  operator: string | null
  isSupplierWanted?: ((supplierId: number) => boolean) | undefined
}

/** Returns the lowest price without a loss, or a promotion's price, and the offers that can be sold at it. */
export function quote(catalog: CatalogIndex, wanted: Wanted): Quote | 'out-of-stock' | 'unknown-operator' {
  const { currency, operator, isSupplierWanted } = wanted
  const pair = catalog.pair(wanted.serviceCode, wanted.countryId)
  if (pair === undefined) return 'out-of-stock'
  const promotion = catalog.promotionOf(wanted.serviceCode, wanted.countryId)
  if (operator === null && isSupplierWanted === undefined) return quoteOfPair(pair, currency, promotion)
  const given = pair.offers.filter(({ supplierId }) => isSupplierWanted?.(supplierId) !== false)
  if (given.length === 0) return 'out-of-stock'
  if (operator === null) return quoteOf(given, currency, promotion)
  const fitting = given.filter((offer) => offer.operator === operator)
  if (fitting.length > 0) return quoteOf(fitting, currency, promotion)
  return catalog.hasOperator(wanted.countryId, (name) => name === operator) ? 'out-of-stock' : 'unknown-operator'
}

/**
 * Cached quotes are never outdated, because the catalogue makes a new Pair object for each change of offers or prices.
 */
const quotes = new WeakMap<Pair, Partial<Record<Currency, Quote | 'out-of-stock'>>>()

function quoteOfPair(pair: Pair, currency: Currency, promotion: PairPromotion | undefined): Quote | 'out-of-stock' {
  const known = quotes.get(pair) ?? {}
  const found = known[currency]
  if (found !== undefined) return found
  const made = quoteOf(pair.offers, currency, promotion)
  quotes.set(pair, { ...known, [currency]: made })
  return made
}

function quoteOf(
  offers: readonly PricedOffer[],
  currency: Currency,
  promotion: PairPromotion | undefined,
): Quote | 'out-of-stock' {
  const priceMicros = offers.map(({ prices }) => prices[currency]).reduce((one, other) => (other < one ? other : one))
  const most = priceMicros + (promotion?.saleLimits[currency] ?? 0n)
  const [best, ...rest] = offers.filter(({ costs }) => costs[currency] <= most)
  return best === undefined ? 'out-of-stock' : withPromotion(priceMicros, [best, ...rest], { currency, promotion })
}

/** Quotes one offer at its own price. Returns undefined if the offer would be sold below cost. */
export function quoteOffer(catalog: CatalogIndex, offer: PricedOffer, currency: Currency): Quote | undefined {
  const promotion = catalog.promotionOf(offer.serviceCode, offer.countryId)
  const priceMicros = offer.prices[currency]
  if (offer.costs[currency] > priceMicros + (promotion?.saleLimits[currency] ?? 0n)) return undefined
  return withPromotion(priceMicros, [offer], { currency, promotion })
}

function withPromotion(
  priceMicros: bigint,
  candidates: Quote['candidates'],
  { currency, promotion }: { currency: Currency; promotion: PairPromotion | undefined },
): Quote {
  const isBelowCost = candidates.some(({ costs }) => costs[currency] > priceMicros)
  return { priceMicros, candidates, promotionId: isBelowCost ? (promotion?.id ?? null) : null }
}
