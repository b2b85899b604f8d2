import type { Currency } from '#contract/money.ts'
import type { CatalogIndex, PricedOffer } from '#server/catalog/offers/catalog-index.ts'

/** `candidates` in the order in which they are asked. */
export type Quote = { priceMicros: bigint; candidates: [PricedOffer, ...PricedOffer[]] }

/** Candidates sell at the lowest price without a loss, best expected cost first. */
export function quote(
  catalog: CatalogIndex,
  wanted: { serviceCode: string; countryId: number; currency: Currency; operator: string | null },
): Quote | 'out-of-stock' | 'unknown-operator' {
  const pair = catalog.pair(wanted.serviceCode, wanted.countryId)
  if (pair === undefined) return 'out-of-stock'
  const fitting =
    wanted.operator === null ? pair.offers : pair.offers.filter((offer) => offer.operator === wanted.operator)
  const first = fitting[0]
  if (first === undefined) return 'unknown-operator'
  let priceMicros = first.prices[wanted.currency]
  for (const offer of fitting) {
    if (offer.prices[wanted.currency] < priceMicros) priceMicros = offer.prices[wanted.currency]
  }
  const [best, ...rest] = fitting.filter(
    (offer) => catalog.convert(offer.costMicros, offer.currency, wanted.currency) <= priceMicros,
  )
  return best === undefined ? 'out-of-stock' : { priceMicros, candidates: [best, ...rest] }
}
