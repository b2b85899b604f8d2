import { expect, test } from 'vitest'
import { namedDays, namedHours, SCALE_STEPS } from './scale-steps.ts'

test.each([
  [1, 1, [0]],
  [7, 1, [0, 1, 2, 3, 4, 5, 6]],
  [7, 2, [0, 2, 4, 6]],
  [8, 3, [1, 4, 7]],
  [30, 7, [1, 8, 15, 22, 29]],
])('E-12: of %d days, %d apart, the last is named', (count, step, days) => {
  expect(namedDays(count, step)).toEqual(days)
})

test('E-12: a scale has no line between the figures that its labels can say', () => {
  for (const steps of [SCALE_STEPS.count, SCALE_STEPS.seconds]) {
    expect(steps.every(Number.isInteger)).toBe(true)
    expect([...steps].sort((a, b) => a - b)).toEqual(steps)
  }
  for (const share of SCALE_STEPS.share) expect(Number.isInteger(share * 100)).toBe(true)
})

test('hours are named from midnight on', () => {
  expect(namedHours(24, 6)).toEqual([0, 6, 12, 18])
  expect(namedHours(25, 12)).toEqual([0, 12, 24])
})
