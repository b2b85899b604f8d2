import { type Currency, toDecimal } from '#contract/money.ts'
import {
  addOutcomes,
  medianSeconds,
  noOutcomes,
  type Outcomes,
  p90Seconds,
  successShare,
} from '../health/outcome-bounds.ts'
import type { CatalogIndex } from './catalog-index.ts'
import type { Pair, PricedOffer } from './price-offer.ts'

export type Measured = {
  price: string | null
  count: number
  success_share: number | null
  median_seconds: number | null
}

export const nothingMeasured: Measured = { price: null, count: 0, success_share: null, median_seconds: null }

export function measurePair(pair: Pair | undefined, currency: Currency): Measured {
  if (pair === undefined) return nothingMeasured
  return measured({ priceMicros: pair.prices[currency], count: pair.count, outcomes: pair.outcomes })
}

type Remembered = { version: number; figures: Record<Currency, WeakMap<ReadonlyMap<unknown, Pair>, Measured>> }
const remembered = new WeakMap<CatalogIndex, Remembered>()

/** Returns the lowest price, count and success share over pairs of service and country, cached for every page. */
export function measurePairs(catalog: CatalogIndex, pairs: ReadonlyMap<unknown, Pair>, currency: Currency): Measured {
  let known = remembered.get(catalog)
  if (known?.version !== catalog.version) {
    known = { version: catalog.version, figures: { rub: new WeakMap(), usd: new WeakMap() } }
    remembered.set(catalog, known)
  }
  const figures = known.figures[currency].get(pairs) ?? sumPairs(pairs.values(), currency)
  known.figures[currency].set(pairs, figures)
  return figures
}

function sumPairs(pairs: Iterable<Pair>, currency: Currency): Measured {
  let priceMicros: bigint | null = null
  let count = 0
  const outcomes = noOutcomes()
  for (const pair of pairs) {
    const price = pair.prices[currency]
    if (priceMicros === null || price < priceMicros) priceMicros = price
    count += pair.count
    addOutcomes(outcomes, pair.outcomes)
  }
  return measured({ priceMicros, count, outcomes })
}

export function measureOffers(
  offers: Iterable<PricedOffer>,
  currency: Currency,
): Measured & { p90_seconds: number | null } {
  let priceMicros: bigint | null = null
  let count = 0
  const outcomes = noOutcomes()
  for (const offer of offers) {
    const price = offer.prices[currency]
    if (priceMicros === null || price < priceMicros) priceMicros = price
    count += offer.stock
    addOutcomes(outcomes, offer.outcomes)
  }
  return { ...measured({ priceMicros, count, outcomes }), p90_seconds: p90Seconds(outcomes) }
}

function measured(sum: { priceMicros: bigint | null; count: number; outcomes: Outcomes }): Measured {
  return {
    price: sum.priceMicros === null ? null : toDecimal(sum.priceMicros),
    count: sum.count,
    success_share: successShare(sum.outcomes),
    median_seconds: medianSeconds(sum.outcomes),
  }
}
