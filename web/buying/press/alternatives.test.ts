import { expect, it } from 'vitest'
import type { CountryItem, OperatorItem } from '#contract/catalog.ts'
import { nearestAlternatives } from './out-of-stock.tsx'

const measured = { success_share: null, median_seconds: null, p90_seconds: null }
function operator(id: string, price: string | null, count: number): OperatorItem {
  return { id, name: id, price, count, ...measured }
}
function country(id: number, price: string | null, count: number): CountryItem {
  return { id, name: String(id), iso2: 'KZ', dial: '7', is_favorite: false, price, count, ...measured }
}
const choice = { countryId: 2, operatorId: 'swift' }

it('offers other operators and countries in stock, cheapest first, three of each', () => {
  const found = nearestAlternatives(choice, {
    operators: [
      operator('any', '9.00', 5),
      operator('swift', '1.00', 1),
      operator('steady', '12.00', 3),
      operator('late', '9.50', 1),
    ],
    countries: [
      country(2, '1.00', 9),
      country(0, '100.00', 9),
      country(6, '9.10', 9),
      country(7, '9.0999', 9),
      country(8, '2.00', 0),
      country(9, null, 4),
      country(10, '20.00', 1),
    ],
  })
  expect(found.operators.map(({ id }) => id)).toEqual(['late', 'steady'])
  expect(found.countries.map(({ id }) => id)).toEqual([7, 6, 10])
})

it('offers nothing where nothing is left', () => {
  expect(nearestAlternatives(choice, { operators: [operator('steady', null, 0)], countries: [] })).toEqual({
    operators: [],
    countries: [],
  })
})
