import { expect, it } from 'vitest'
import { readAmount, writeAmount } from './amount-text.ts'

it.each([
  ['12,5', '12.50'],
  ['12.50', '12.50'],
  ['1\u00a0240,5', '1240.50'],
  [' 7 ', '7.00'],
  ['0.0067', '0.0067'],
  ['', null],
  ['0', null],
  ['-3', null],
  ['1e3', null],
  ['12,5,0', null],
  ['0,0000001', null],
])('"%s" is read as %s', (text, amount) => {
  for (const locale of ['ru', 'en']) expect(readAmount(text, locale)).toBe(amount)
})

it.each([
  ['1,000', '1000.00', '1.00'],
  ['100,000', '100000.00', '100.00'],
  ['1,000.50', '1000.50', null],
  ['1,234,567.5', '1234567.50', null],
  ['1,00', '1.00', '1.00'],
])('"%s" is what the pages of each language mean by it', (text, english, russian) => {
  expect([readAmount(text, 'en'), readAmount(text, 'ru')]).toEqual([english, russian])
})

it.each(['12.50', '0.0067'])('%s is read as it was written, in both languages', (amount) => {
  for (const locale of ['ru', 'en']) expect(readAmount(writeAmount(amount, locale), locale)).toBe(amount)
})
