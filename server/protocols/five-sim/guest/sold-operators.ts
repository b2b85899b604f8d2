import type { Currency } from '#contract/money.ts'
import type { CatalogIndex, Pair } from '#server/catalog/offers/catalog-index.ts'
import { type Outcomes, successShare } from '#server/catalog/offers/outcome-bounds.ts'
import type { RentIndex } from '#server/catalog/offers/rent-index.ts'
import { operatorSlug } from '#server/seed/slugs.ts'

/** `count`: as many are sold at this price. `share`: of codes that came, 0 to 1; null: too few were bought. */
export type SoldOperator = { cost: bigint; count: number; share: number | null }

type Offered = { operator: string; price: bigint; stock: number; cost: bigint; outcomes: Outcomes | null }

/** By slug. A purchase pays the lowest price of its operator, so what costs us more is not counted. */
export function operatorsOf(
  catalog: CatalogIndex,
  { serviceCode, countryId, offers }: Pair,
  currency: Currency,
): Map<string, SoldOperator> {
  const mayLose = catalog.promotionOf(serviceCode, countryId)?.saleLimits[currency] ?? 0n
  const offered = offers.map(({ operator, prices, costs, stock, outcomes }) => ({
    ...{ operator, price: prices[currency], cost: costs[currency], stock, outcomes },
  }))
  return bySlug(offered, mayLose)
}

/** Of rentals of one length. */
export function rentOperatorsOf(
  index: RentIndex,
  { serviceCode, countryId, hours }: { serviceCode: string; countryId: number; hours: number },
  currency: Currency,
): Map<string, SoldOperator> {
  const offers = index.pair(serviceCode, countryId)?.offers.filter((offer) => offer.hours === hours) ?? []
  const offered = offers.map((offer) => ({
    ...{ operator: offer.operator, price: offer.prices[currency], stock: offer.stock, outcomes: null },
    cost: index.convert(offer.costMicros, offer.currency, currency),
  }))
  return bySlug(offered, 0n)
}

function bySlug(offered: readonly Offered[], mayLose: bigint): Map<string, SoldOperator> {
  const sold = new Map<string, SoldOperator>()
  for (const [slug, offers] of Map.groupBy(offered, ({ operator }) => operatorSlug(operator))) {
    const cost = lowest(offers)
    const count = offers.reduce((sum, offer) => (offer.cost <= cost + mayLose ? sum + offer.stock : sum), 0)
    if (count > 0) sold.set(slug, { cost, count, share: shareOf(offers) })
  }
  return sold
}

function lowest(offers: readonly Offered[]): bigint {
  const [first, ...rest] = offers.map(({ price }) => price)
  return rest.reduce((low, price) => (price < low ? price : low), first ?? 0n)
}

function shareOf(offers: readonly Offered[]): number | null {
  let purchases = 0
  let codes = 0
  for (const { outcomes } of offers) {
    purchases += outcomes?.purchases ?? 0
    codes += outcomes?.codes ?? 0
  }
  return successShare({ purchases, codes, secondsCounts: [] })
}
