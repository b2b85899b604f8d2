import type { Currency } from '#contract/money.ts'
import type { PricedRentOffer, RentIndex } from '#server/catalog/offers/rent-index.ts'

/** What a rental would cost, and whom to ask, in order. */
export type RentQuote = { priceMicros: bigint; candidates: [PricedRentOffer, ...PricedRentOffer[]] }

/**
 * The lowest price of renting a number of a service (or `full`) in a country for so many hours, from one operator or any,
 * and every offer that may serve at that price without a loss, cheapest first. `out-of-stock` when nobody has one for
 * that long, `unknown-operator` when others do.
 */
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
  if (first === undefined) return 'unknown-operator'
  let priceMicros = first.prices[currency]
  for (const offer of fitting) if (offer.prices[currency] < priceMicros) priceMicros = offer.prices[currency]
  const [cheapest, ...rest] = fitting.filter(
    (offer) => index.convert(offer.costMicros, offer.currency, currency) <= priceMicros,
  )
  return cheapest === undefined ? 'out-of-stock' : { priceMicros, candidates: [cheapest, ...rest] }
}

/**
 * What it costs to keep a rented number for so many hours more: by the offer of its supplier and operator, whatever the
 * stock, because the number is the buyer's already. null: that supplier offers no such length, or may not sell now.
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
