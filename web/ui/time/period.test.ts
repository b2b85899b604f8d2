import { expect, it } from 'vitest'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { leftParts, periodParts } from './period.ts'

it('tells periods in hours below a day and in days from one on', () => {
  const words = RENT_PERIODS_HOURS.map(periodParts).map(({ unit, count }) => `${count} ${unit}`)
  expect(words).toEqual(['4 hours', '1 days', '3 days', '7 days', '14 days', '30 days', '60 days'])
})

it.each([
  [60 * 86_400, { unit: 'days', days: 60, hours: 0 }],
  [86_400 + 3_599, { unit: 'days', days: 1, hours: 0 }],
  [86_399, { unit: 'hours', hours: 23, minutes: 59 }],
  [3_600, { unit: 'hours', hours: 1, minutes: 0 }],
  [3_599, { unit: 'seconds', seconds: 3_599 }],
  [0, { unit: 'seconds', seconds: 0 }],
])('%i seconds are left', (seconds, parts) => {
  expect(leftParts(seconds)).toEqual(parts)
})
