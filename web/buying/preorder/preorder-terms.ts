import type { CountryItem, OperatorItem } from '#contract/catalog.ts'
import { parseDecimal, toDecimal } from '#contract/money.ts'
import { DAY, SECOND } from '#contract/time.ts'

/**
 * An amount as people write it, with a comma or a point and spaces between thousands, as the wire's decimal: "1 240,5" is
 * "1240.50". null when it is no amount above zero.
 */
export function readAmount(text: string): string | null {
  const micros = parseDecimal(text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.'))
  return micros === null || micros <= 0n ? null : toDecimal(micros)
}

/** A wire decimal as the field shows it: "12.50" is "12,50" in Russian. */
export function writeAmount(decimal: string, locale: string): string {
  return locale.startsWith('ru') ? decimal.replace('.', ',') : decimal
}

type Priced = Pick<OperatorItem | CountryItem, 'price'>

/** What to begin with as the most to pay: the last price known of this choice, else the cheapest that is sold instead. */
export function suggestedPrice(lastKnown: string | null, alternatives: readonly Priced[]): string | null {
  if (lastKnown !== null) return lastKnown
  const prices = alternatives.flatMap(({ price }) => (price === null ? [] : [parseDecimal(price) ?? 0n]))
  const cheapest = prices.sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))[0]
  return cheapest === undefined ? null : toDecimal(cheapest)
}

const SECONDS_IN_DAY = DAY / SECOND

/** Seconds of a long wait as whole days and the rest, which a clock shows. */
export function waitParts(seconds: number): { days: number; rest: number } {
  return { days: Math.floor(seconds / SECONDS_IN_DAY), rest: seconds % SECONDS_IN_DAY }
}
