import { expect, test } from 'vitest'
import { readCbrRate, readDecimalRate, readJsonRate } from './read-rate.ts'

test('a rate is read digit by digit, and what is none is none', () => {
  expect(['90.5', '90,1234567', '0.000001', ' 1 '].map(readDecimalRate)).toEqual([
    90_500_000n,
    90_123_456n,
    1n,
    1_000_000n,
  ])
  const none = ['0', '-1', '', 'abc', '1e3', '1.2.3', '0.0000001', '1'.repeat(13), 'NaN', '1 000']
  expect(none.map(readDecimalRate)).toEqual(none.map(() => null))
})

test('JSON: a text or a number at the pointer; no float comes between', () => {
  const body = '{"data":{"amount":"91.25","n":91.1000000000000000001,"a/b":{"~":"7"},"list":[{"p":"3"}]},"x":null}'
  expect(readJsonRate(body, '/data/amount')).toBe(91_250_000n)
  expect(readJsonRate(body, '/data/n')).toBe(91_100_000n)
  expect(readJsonRate(body, '/data/a~1b/~0')).toBe(7_000_000n)
  expect(readJsonRate(body, '/data/list/0/p')).toBe(3_000_000n)
  for (const pointer of ['/data', '/x', '/nothing', '/data/amount/0', '/constructor', '/__proto__/x'])
    expect([pointer, readJsonRate(body, pointer)]).toEqual([pointer, null])
})

const LIST = `<?xml version="1.0" encoding="windows-1251"?><ValCurs Date="24.11.2026" name="Foreign Currency Market">
<Valute ID="R01060"><NumCode>051</NumCode><CharCode>AMD</CharCode><Nominal>100</Nominal><Name>X</Name><Value>24,1234</Value></Valute>
<Valute ID="R01235"><NumCode>840</NumCode><CharCode>USD</CharCode><Nominal>1</Nominal><Name>Y</Name><Value>91,2345</Value></Valute></ValCurs>`

test('the Bank of Russia: a decimal comma, the nominal, and the charset it declares', () => {
  const cyrillic = Buffer.concat([
    Buffer.from(LIST.split('Y')[0] ?? ''),
    // The word "Доллар" in windows-1251.
    Buffer.from([0xc4, 0xee, 0xeb, 0xeb, 0xe0, 0xf0]),
    Buffer.from(LIST.split('Y')[1] ?? ''),
  ])
  expect(readCbrRate(cyrillic, 'USD')).toBe(91_234_500n)
  expect(readCbrRate(cyrillic, 'AMD')).toBe(241_234n)
  expect(readCbrRate(cyrillic, 'EUR')).toBe(null)
  expect(readCbrRate(Buffer.from('<html>busy</html>'), 'USD')).toBe(null)
  expect(readCbrRate(Buffer.from(LIST.replace('windows-1251', 'UTF-8')), 'USD')).toBe(91_234_500n)
})
