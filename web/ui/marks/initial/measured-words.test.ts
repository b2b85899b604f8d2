import { expect, it } from 'vitest'
import { formatCount, formatPercent } from './measured-words.ts'

it.each([
  [1, 'en', '100%'],
  [0.999, 'en', '99%'],
  [0.29, 'en', '29%'],
  [0, 'en', '0%'],
  [0.943, 'ru', '94\u00a0%'],
])('the share %d in %s is %s', (share, locale, text) => {
  expect(formatPercent(share, locale)).toBe(text)
})

it.each([
  [0, 'ru', '0'],
  [999, 'ru', '999'],
  [12345, 'ru', '12\u00a0345'],
  [1234567, 'en', '1,234,567'],
])('the count %d in %s is %s', (count, locale, text) => {
  expect(formatCount(count, locale)).toBe(text)
})
