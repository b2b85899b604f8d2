import type { CountryItem, OperatorItem } from '#contract/catalog.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { DAY, SECOND } from '#contract/time.ts'

type Priced = Pick<OperatorItem | CountryItem, 'price'>

export function suggestedPrice(lastKnown: string | null, alternatives: readonly Priced[]): string | null {
  if (lastKnown !== null) return lastKnown
  const prices = alternatives.flatMap(({ price }) => (price === null ? [] : [parseDecimal(price) ?? 0n]))
  const cheapest = prices.sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))[0]
  return cheapest === undefined ? null : toDecimal(cheapest)
}

/**
 * Returns the lowest and the median price of the offers in `sold`. Returns null for fewer than three prices, which say
 * too little.
 */
export function usualPrices(sold: readonly Priced[]): { lowest: string; middle: string } | null {
  const prices = sold.flatMap(({ price }) => (price === null ? [] : [parseDecimal(price) ?? 0n]))
  const ordered = prices.sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
  const [lowest, middle] = [ordered[0], ordered[Math.floor(ordered.length / 2)]]
  if (lowest === undefined || middle === undefined || ordered.length < 3) return null
  return { lowest: toDecimal(lowest), middle: toDecimal(middle) }
}

export function firstPrice(ceiling: string | null, asked: string | null): string | null {
  if (ceiling === null || asked === null) return ceiling ?? asked
  return (parseDecimal(ceiling) ?? 0n) < (parseDecimal(asked) ?? 0n) ? ceiling : asked
}

const SECONDS_IN_DAY = DAY / SECOND

export function waitParts(seconds: number): { days: number; rest: number } {
  return { days: Math.floor(seconds / SECONDS_IN_DAY), rest: seconds % SECONDS_IN_DAY }
}
