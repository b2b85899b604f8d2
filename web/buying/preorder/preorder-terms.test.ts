import { expect, it } from 'vitest'
import { suggestedPrice, waitParts } from './preorder-terms.ts'

it('begins with the last known price, else with the cheapest alternative, else with nothing', () => {
  const alternatives = [{ price: '14.00' }, { price: null }, { price: '9.50' }]
  expect(suggestedPrice('12.00', alternatives)).toBe('12.00')
  expect(suggestedPrice(null, alternatives)).toBe('9.50')
  expect(suggestedPrice(null, [{ price: null }])).toBeNull()
})

it.each([
  [3_599, 0, 3_599],
  [86_400, 1, 0],
  [604_799, 6, 86_399],
])('%i seconds are %i days and %i seconds', (seconds, days, rest) => {
  expect(waitParts(seconds)).toEqual({ days, rest })
})
