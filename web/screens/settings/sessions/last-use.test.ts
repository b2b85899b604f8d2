import { expect, test } from 'vitest'
import { ageOf } from './last-use-time.tsx'

test.each([
  [-1, null],
  [0, null],
  [1, { unit: 'minute', count: 1 }],
  [59, { unit: 'minute', count: 59 }],
  [60, { unit: 'hour', count: 1 }],
  [1_439, { unit: 'hour', count: 23 }],
  [1_440, { unit: 'day', count: 1 }],
  [43_200, { unit: 'day', count: 30 }],
])('what was used %s minutes ago', (minutes, age) => {
  expect(ageOf(minutes)).toEqual(age)
})
