import { createTranslator } from 'use-intl'
import { expect, test } from 'vitest'
import statistic from '#web/locales/en/lazy/past/statistic.json' with { type: 'json' }
import { dayFormat, formatDuration, formatScaleMoney, spansYears, spentPerPurchase } from './figures.ts'

const t = createTranslator({ locale: 'en', messages: { statistic }, namespace: 'statistic' })
const sum = { activations: 3, codes: 0, success_share: null, median_seconds: null, p90_seconds: null }

test('a time is told in the units people count in', () => {
  const told = [0.2, 8.4, 99, 100, 120, 3599, 7300].map((seconds) => formatDuration(t, seconds))
  expect(told).toEqual(['1 s', '8 s', '99 s', '1 min 40 s', '2 min', '59 min 59 s', '2 h'])
})

test('a day is the one the server named, whatever zone the reader is in', () => {
  expect(dayFormat('en', false)('2026-03-05')).toBe('Mar 5')
  expect(dayFormat('en', true)('2025-12-31')).toBe('Dec 31, 2025')
  expect(spansYears([{ day: '2025-12-20' }, { day: '2026-01-10' }])).toBe(false)
  expect(spansYears([{ day: '2025-03-11' }, { day: '2026-03-10' }])).toBe(true)
  expect(spansYears([])).toBe(false)
})

test('the average is exact to the hundredth', () => {
  expect(spentPerPurchase({ ...sum, spent: '10.00', purchases: 3 })).toBe('3.33')
  expect(spentPerPurchase({ ...sum, spent: '20.00', purchases: 3 })).toBe('6.67')
  expect(spentPerPurchase({ ...sum, spent: '0.00', purchases: 0 })).toBeNull()
})

test('a scale says no hundredths that are not there', () => {
  expect(formatScaleMoney(1200, 'rub', 'ru')).toBe('1\u00a0200\u00a0₽')
  expect(formatScaleMoney(0.25, 'usd', 'en')).toBe('$0.25')
  expect(formatScaleMoney(0, 'usd', 'en')).toBe('$0')
})
