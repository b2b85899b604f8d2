import type { CountryItem, OperatorItem } from '#contract/catalog.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { DAY, SECOND } from '#contract/time.ts'

type Priced = Pick<OperatorItem | CountryItem, 'price'>

export function suggestedPrice(lastKnown: string | null, alternatives: readonly Priced[]): string | null {
  return lastKnown ?? lowestPrice(alternatives)
}

export function lowestPrice(offers: readonly Priced[]): string | null {
  const prices = offers.flatMap(({ price }) => (price === null ? [] : [parseDecimal(price) ?? 0n]))
  const lowest = prices.sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))[0]
  return lowest === undefined ? null : toDecimal(lowest)
}

/**
 * Returns the price that the form begins with: the buyer's own limit, or a lower price that is known. Without a limit
 * the form begins empty, because a figure that nobody chose would hold that much money.
 */
export function firstPrice(ceiling: string | null, asked: string | null): string | null {
  if (ceiling === null || asked === null) return ceiling
  return (parseDecimal(ceiling) ?? 0n) < (parseDecimal(asked) ?? 0n) ? ceiling : asked
}

const SECONDS_IN_DAY = DAY / SECOND

export function waitParts(seconds: number): { days: number; rest: number } {
  return { days: Math.floor(seconds / SECONDS_IN_DAY), rest: seconds % SECONDS_IN_DAY }
}
