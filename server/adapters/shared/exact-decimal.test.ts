import { expect, test } from 'vitest'
import {
  atMost,
  boughtAt,
  isLess,
  minus,
  parseExact,
  plus,
  scaled,
  shareOf,
  toMicros,
  toText,
} from './exact-decimal.ts'

const exact = (text: string) => parseExact(text) ?? expect.fail(`${text} is a decimal`)

test('decimals of vendors are read whole: eighteen places, exponents, negative ones', () => {
  expect(exact('12.50')).toEqual({ units: 1_250n, places: 2 })
  expect(exact('1.0E-8')).toEqual({ units: 10n, places: 9 })
  expect(exact('2e3')).toEqual({ units: 2_000n, places: 0 })
  expect(exact('-0.5').units).toBe(-5n)
  expect(exact('0.000000000000000001')).toEqual({ units: 1n, places: 18 })
  for (const text of ['', ' 1', '1,5', '0x10', 'NaN', '1.', '.5', '1e999', '9'.repeat(31)]) {
    expect(parseExact(text)).toBeNull()
  }
})

test('sums, shares and what a rate buys are exact, and never round in the payer’s favour', () => {
  expect(toText(plus(exact('0.1'), exact('0.20')))).toBe('0.3')
  expect(toText(minus(exact('1'), exact('0.999999999999999999')))).toBe('0.000000000000000001')
  expect([toText(exact('15.75000000')), toText(exact('20')), toText(exact('0.00'))]).toEqual(['15.75', '20', '0'])
  expect(shareOf(10_000_000n, exact('1'), exact('3'))).toBe(3_333_333n)
  expect(shareOf(20_000_000n, exact('0.00031060'), exact('0.0003106'))).toBe(20_000_000n)
  expect([isLess(exact('0.1'), exact('0.10')), isLess(exact('-1'), exact('0.001'))]).toEqual([false, true])
  expect(toText(atMost(exact('0.25'), exact('0.3')))).toBe('0.25')
  expect(toText(scaled(exact('0.0000001'), { part: exact('10'), whole: exact('15.0') }, 8))).toBe('0.00000006')
  expect(toMicros(exact('500.00000000'))).toBe(500_000_000n)
  expect(toMicros(exact('0.0000001'))).toBeNull()
  // At 64 392.23 dollars, $20 are 31 059.64 satoshis, so the payer pays 31 060.
  expect(toText(boughtAt(20_000_000n, exact('64392.23'), 8))).toBe('0.0003106')
  expect(toText(boughtAt(20_000_000n, exact('50000'), 8))).toBe('0.0004')
})
