import type { Currency } from '#contract/money.ts'
import type { PricedRentOffer, RentIndex } from '#server/core/catalog/offers/rent-index.ts'

export type RentQuote = { priceMicros: bigint; candidates: [PricedRentOffer, ...PricedRentOffer[]] }

/** Returns the lowest rental price without a loss, and the offers that can be sold at it, cheapest cost first. */
export function quoteRent(
  index: RentIndex,
  wanted: { serviceCode: string; countryId: number; operator: string | null; hours: number; currency: Currency },
): RentQuote | 'out-of-stock' | 'unknown-operator' {
  const { currency, hours, operator } = wanted
  const pair = index.pair(wanted.serviceCode, wanted.countryId)
  const ofPeriod = pair?.offers.filter((offer) => offer.hours === hours) ?? []
  if (ofPeriod.length === 0) return 'out-of-stock'
  const fitting = operator === null ? ofPeriod : ofPeriod.filter((offer) => offer.operator === operator)
  const first = fitting[0]
  if (first === undefined) {
    return index.hasOperator(wanted.countryId, (name) => name === operator) ? 'out-of-stock' : 'unknown-operator'
  }
  let priceMicros = first.prices[currency]
  for (const offer of fitting) if (offer.prices[currency] < priceMicros) priceMicros = offer.prices[currency]
  const [cheapest, ...rest] = fitting.filter(
    (offer) => index.convert(offer.costMicros, offer.currency, currency) <= priceMicros,
  )
  return cheapest === undefined ? 'out-of-stock' : { priceMicros, candidates: [cheapest, ...rest] }
}

/**
 * Returns an extension's price at the rental's own supplier, even if sold out. Returns null if the supplier is paused,
 * the service is not rented out in the country, or no such offer exists.
 */
export function priceExtension(
  index: RentIndex,
  wanted: {
    supplierId: number
    serviceCode: string
    countryId: number
    operator: string
    hours: number
    currency: Currency
  },
): { priceMicros: bigint; costMicros: bigint; costCurrency: Currency } | null {
  const offer = index.offerOf(wanted.supplierId, wanted)
  if (offer === undefined) return null
  return {
    priceMicros: offer.prices[wanted.currency],
    costMicros: offer.costMicros,
    costCurrency: offer.currency,
  }
}
