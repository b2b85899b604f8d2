import { CURRENCIES, type Currency } from '#contract/money.ts'

type Compared = { expectedCost: number; costMicros: bigint; supplierId: number }
type Priced = { prices: Record<Currency, bigint> }

export function compareOffers(a: Compared, b: Compared): number {
  if (a.expectedCost !== b.expectedCost) return a.expectedCost - b.expectedCost
  return a.costMicros < b.costMicros ? -1 : a.costMicros > b.costMicros ? 1 : a.supplierId - b.supplierId
}

export function lowestPrices(offers: readonly Priced[], first: Priced): Record<Currency, bigint> {
  const lowest = { ...first.prices }
  for (const offer of offers) {
    for (const currency of CURRENCIES) {
      if (offer.prices[currency] < lowest[currency]) lowest[currency] = offer.prices[currency]
    }
  }
  return lowest
}
