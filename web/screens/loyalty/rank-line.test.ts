import { expect, test } from 'vitest'
import { placesOf } from './rank-line.tsx'

const RANKS = [
  { top_up: '1000.00', percent: '4' },
  { top_up: '4000.00', percent: '5.5' },
  { top_up: '15000.00', percent: '6' },
]
const line = (toppedUp: string | null) =>
  placesOf(RANKS, toppedUp).map(({ state, filledPercent, missing }) => `${state} ${filledPercent} ${missing ?? '-'}`)

test('the line is filled as far as one has come, and only the next rank says what is missing', () => {
  expect(line(null)).toEqual(['ahead 0 -', 'ahead 0 -', 'ahead 0 -'])
  expect(line('0.00')).toEqual(['ahead 0 1000.00', 'ahead 0 -', 'ahead 0 -'])
  expect(line('999.99')).toEqual(['ahead 99 0.01', 'ahead 0 -', 'ahead 0 -'])
  expect(line('1000.00')).toEqual(['here 100 -', 'ahead 0 3000.00', 'ahead 0 -'])
  expect(line('2500.00')).toEqual(['here 100 -', 'ahead 50 1500.00', 'ahead 0 -'])
  expect(line('999999999999.00')).toEqual(['reached 100 -', 'reached 100 -', 'here 100 -'])
})
