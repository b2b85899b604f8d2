import type { CountryItem, OperatorItem } from '#contract/catalog.ts'
import { parseDecimal } from '#contract/money.ts'
import { ANY_OPERATOR, type Choice } from '#web/buying/initial/choice.ts'

export const ALTERNATIVES_SHOWN = 3

export type Alternatives = { operators: OperatorItem[]; countries: CountryItem[] }

/** Returns other operators of the same pair and other countries of the same service, in stock, cheapest first. */
export function nearestAlternatives(
  choice: Pick<Choice, 'countryId' | 'operatorId'>,
  offers: { operators: readonly OperatorItem[]; countries: readonly CountryItem[] },
): Alternatives {
  const operators = offers.operators.filter(({ id }) => id !== choice.operatorId && id !== ANY_OPERATOR)
  const countries = offers.countries.filter(({ id }) => id !== choice.countryId)
  return { operators: cheapestInStock(operators), countries: cheapestInStock(countries) }
}

function cheapestInStock<Item extends { price: string | null; count: number }>(items: readonly Item[]): Item[] {
  return items
    .flatMap((item) => {
      const micros = item.price === null ? null : parseDecimal(item.price)
      return item.count > 0 && micros !== null ? [{ item, micros }] : []
    })
    .sort((left, right) => (left.micros < right.micros ? -1 : left.micros > right.micros ? 1 : 0))
    .slice(0, ALTERNATIVES_SHOWN)
    .map(({ item }) => item)
}
