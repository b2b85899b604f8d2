import { expect, it } from 'vitest'
import { pricePerDay } from './per-day.ts'

it.each([
  ['37.55', 4, null],
  ['93.86', 24, null],
  ['225.27', 72, '75.09'],
  ['422.37', 168, '60.34'],
  ['2252.65', 1440, '37.54'],
  ['0.01', 1440, '0.00'],
])('%s for %i hours', (price, hours, perDay) => {
  expect(pricePerDay(price, hours)).toBe(perDay)
})
