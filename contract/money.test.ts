import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoney, parseDecimal, toDecimal } from '#contract/money.ts'

test.each([
  ['0', 0n],
  ['12.5', 12_500_000n],
  ['0.0067', 6_700n],
  ['-1.000001', -1_000_001n],
  ['999999999999.999999', 999_999_999_999_999_999n],
])('%s is %s micros', (text, micros) => {
  expect(parseDecimal(text)).toBe(micros)
})

test.each([
  '',
  ' 1',
  '1 ',
  '1,5',
  '1e3',
  '.5',
  '5.',
  '+1',
  '--1',
  '1.0000001',
  '1000000000000',
  'NaN',
  'Infinity',
  '0x1',
  '１',
  '1\n',
  '1.5\0',
])('%j is no amount', (text) => {
  expect(parseDecimal(text)).toBeNull()
})

test.each([
  [12_500_000n, '12.50'],
  [6_700n, '0.0067'],
  [0n, '0.00'],
  [-1n, '-0.000001'],
  [1_240_500_000n, '1240.50'],
])('%s micros are written %s', (micros, text) => {
  expect(toDecimal(micros)).toBe(text)
})

test('no amount changes on its way over the wire', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), (micros) => {
      expect(parseDecimal(toDecimal(micros))).toBe(micros)
    }),
  )
})

// Checklist 1.4 wants the rouble sign after the amount and the dollar sign before it.
test.each([
  ['100.00', 'rub', 'ru', '100,00\u00a0₽'],
  ['1240.50', 'rub', 'ru', '1\u00a0240,50\u00a0₽'],
  ['1240.50', 'usd', 'en', '$1,240.50'],
  ['1.00', 'usd', 'en', '$1.00'],
  ['-0.0067', 'usd', 'en', '−$0.0067'],
  ['-1234567.50', 'rub', 'en', '−1,234,567.50\u00a0₽'],
] as const)('%s %s in %s is read as %s', (decimal, currency, locale, text) => {
  expect(formatMoney(decimal, currency, locale)).toBe(text)
})
