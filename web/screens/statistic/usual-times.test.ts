import { expect, test } from 'vitest'
import { usualTimes } from './usual-times.ts'

const step = (codes: number, seconds: number | null) => ({ codes, median_seconds: seconds })

test('a day with one slow code is no peak', () => {
  expect(usualTimes([step(9, 8), step(1, 300), step(5, 10)])).toEqual([8, 8, 8])
})

test('a day without codes has no time, and adds nothing to the next', () => {
  expect(usualTimes([step(2, 8), step(0, null), step(5, 20)])).toEqual([8, null, 20])
})

test('seven days count, and those before the first too', () => {
  const days = [step(9, 8), ...Array.from({ length: 7 }, () => step(1, 30))]
  expect(usualTimes(days).slice(-2)).toEqual([8, 30])
  expect(usualTimes([step(1, 30)], [step(4, 8)])).toEqual([8])
})
