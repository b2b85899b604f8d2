import { type Currency, toDecimal } from '#contract/money.ts'
import { type Measured, nothingMeasured } from './measured.ts'
import type { PricedRentOffer, RentIndex, RentPair } from './rent-index.ts'

type Wanted = { hours: number; currency: Currency }

/** Returns price and count of rental numbers, but no success share, because renters await different messages. */
export function measureRentPair(pair: RentPair | undefined, { hours, currency }: Wanted): Measured {
  const period = pair?.periods.get(hours)
  return period === undefined ? nothingMeasured : toFigures(period.prices[currency], period.count)
}

type Remembered = { version: number; figures: Map<string, WeakMap<ReadonlyMap<unknown, RentPair>, Measured>> }
const remembered = new WeakMap<RentIndex, Remembered>()

export function measureRentPairs(
  index: RentIndex,
  pairs: ReadonlyMap<unknown, RentPair>,
  { hours, currency }: Wanted,
): Measured {
  let known = remembered.get(index)
  if (known?.version !== index.version) {
    known = { version: index.version, figures: new Map() }
    remembered.set(index, known)
  }
  const key = `${hours} ${currency}`
  const sums = known.figures.get(key) ?? new WeakMap<ReadonlyMap<unknown, RentPair>, Measured>()
  known.figures.set(key, sums)
  const figures = sums.get(pairs) ?? sumPairs(pairs.values(), { hours, currency })
  sums.set(pairs, figures)
  return figures
}

function sumPairs(pairs: Iterable<RentPair>, { hours, currency }: Wanted): Measured {
  let lowest: bigint | null = null
  let count = 0
  for (const { periods } of pairs) {
    const period = periods.get(hours)
    if (period === undefined) continue
    const price = period.prices[currency]
    if (lowest === null || price < lowest) lowest = price
    count += period.count
  }
  return toFigures(lowest, count)
}

export function measureRentOffers(
  offers: Iterable<PricedRentOffer>,
  currency: Currency,
): Measured & { p90_seconds: null } {
  let lowest: bigint | null = null
  let count = 0
  for (const offer of offers) {
    const price = offer.prices[currency]
    if (lowest === null || price < lowest) lowest = price
    count += offer.stock
  }
  return { ...toFigures(lowest, count), p90_seconds: null }
}

function toFigures(priceMicros: bigint | null, count: number): Measured {
  return { ...nothingMeasured, price: priceMicros === null ? null : toDecimal(priceMicros), count }
}
