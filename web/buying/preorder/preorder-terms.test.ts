import { expect, it } from 'vitest'
import { firstPrice, suggestedPrice, waitParts } from './preorder-terms.ts'

it('suggests the last known price, else the cheapest alternative, else nothing', () => {
  const alternatives = [{ price: '14.00' }, { price: null }, { price: '9.50' }]
  expect(suggestedPrice('12.00', alternatives)).toBe('12.00')
  expect(suggestedPrice(null, alternatives)).toBe('9.50')
  expect(suggestedPrice(null, [{ price: null }])).toBeNull()
})

it('N-16: begins with the own limit or a lower known price, and without a limit with nothing', () => {
  expect(firstPrice('100.00', '3.00')).toBe('3.00')
  expect(firstPrice('2.00', '3.00')).toBe('2.00')
  expect(firstPrice('100.00', null)).toBe('100.00')
  expect(firstPrice(null, '3.00')).toBeNull()
})

it.each([
  [3_599, 0, 3_599],
  [86_400, 1, 0],
  [604_799, 6, 86_399],
])('%i seconds are %i days and %i seconds', (seconds, days, rest) => {
  expect(waitParts(seconds)).toEqual({ days, rest })
})
