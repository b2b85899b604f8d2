import type { Currency } from '#contract/money.ts'
import { type Outcomes, successShare } from '#server/core/catalog/health/outcome-bounds.ts'
import type { CatalogIndex } from '#server/core/catalog/offers/catalog-index.ts'
import type { Pair, PricedOffer } from '#server/core/catalog/offers/price-offer.ts'
import type { PricedRentOffer, RentIndex } from '#server/core/catalog/offers/rent-index.ts'
import { operatorSlug } from '#server/house/seed/slugs.ts'

/** `count` is the stock at `cost`. `share` (0 to 1) of purchases got a code; null after too few purchases. */
export type SoldOperator = { cost: bigint; count: number; share: number | null }

/**
 * Groups offers by operator slug. A purchase pays the operator's lowest price, so more expensive stock is not counted.
 */
export function operatorsOf(
  catalog: CatalogIndex,
  { serviceCode, countryId, offers }: Pair,
  currency: Currency,
): Map<string, SoldOperator> {
  const mayLose = catalog.promotionOf(serviceCode, countryId)?.saleLimits[currency] ?? 0n
  return bySlug(offers, {
    currency,
    mayLose,
    costOf: ({ costs }) => costs[currency],
    outcomesOf: (offer) => offer.outcomes,
  })
}

export function rentOperatorsOf(
  index: RentIndex,
  { serviceCode, countryId, hours }: { serviceCode: string; countryId: number; hours: number },
  currency: Currency,
): Map<string, SoldOperator> {
  const offers = index.pair(serviceCode, countryId)?.offers.filter((offer) => offer.hours === hours) ?? []
  const costOf = (offer: PricedRentOffer) => index.convert(offer.costMicros, offer.currency, currency)
  return bySlug(offers, { currency, mayLose: 0n, costOf, outcomesOf: () => null })
}

type Priced = Pick<PricedOffer, 'operator' | 'stock' | 'prices'>
type Reading<Offer> = {
  currency: Currency
  mayLose: bigint
  costOf(offer: Offer): bigint
  outcomesOf(offer: Offer): Outcomes | null
}

function bySlug<Offer extends Priced>(offers: readonly Offer[], reading: Reading<Offer>): Map<string, SoldOperator> {
  const { currency, mayLose, costOf, outcomesOf } = reading
  const lowest = new Map<string, bigint>()
  for (const { operator, prices } of offers) {
    const slug = operatorSlug(operator)
    const had = lowest.get(slug)
    if (had === undefined || prices[currency] < had) lowest.set(slug, prices[currency])
  }
  const sold = new Map<string, SoldOperator>()
  for (const [slug, cost] of lowest) {
    const sum = { count: 0, purchases: 0, codes: 0 }
    for (const offer of offers) {
      if (operatorSlug(offer.operator) !== slug) continue
      if (costOf(offer) <= cost + mayLose) sum.count += offer.stock
      sum.purchases += outcomesOf(offer)?.purchases ?? 0
      sum.codes += outcomesOf(offer)?.codes ?? 0
    }
    const { count, ...outcomes } = sum
    if (count > 0) sold.set(slug, { cost, count, share: successShare({ ...outcomes, secondsCounts: [] }) })
  }
  return sold
}
