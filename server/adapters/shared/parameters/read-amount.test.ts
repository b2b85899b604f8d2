import { expect, test } from 'vitest'
import { readAmount } from './read-amount.ts'

test.each([
  ['13.05', 13_050_000n],
  // Floats print the products 4.35 × 3 and 0.1 × 3 with rounding errors.
  [String(4.35 * 3), 13_050_000n],
  [String(0.1 * 3), 300_000n],
  // Amounts like 12.9999996 may be meant exactly, so a price limit is never rounded up.
  ['12.9999996', 12_999_999n],
  ['12.9999999999999', 12_999_999n],
  ['12.999999999999999', 13_000_000n],
  ['0.00000000000000000001', 0n],
  ['0.0000001', 0n],
  ['', null],
  ['-1', -1_000_000n],
  ['1e3', null],
  [`${'9'.repeat(12)}.${'9'.repeat(30)}`, null],
])('an amount %j is %s', (text, micros) => {
  expect(readAmount(text)).toBe(micros)
})
