import { expect, test } from 'vitest'
import { meanShares } from './mean-shares.ts'

const step = (codes: number, activations: number) => ({
  activations,
  success_share: activations === 0 ? null : codes / activations,
})

test('a step of one purchase moves the mean by one purchase', () => {
  expect(meanShares([step(9, 9), step(0, 1)])).toEqual([1, 0.9])
})

test('a step without purchases has no mean, and adds nothing to the next', () => {
  expect(meanShares([step(3, 4), step(0, 0), step(0, 1)])).toEqual([0.75, null, 0.6])
})

test('the mean has seven steps, and begins with those before the first', () => {
  const day = step(1, 1)
  expect(meanShares([step(0, 1), ...Array<typeof day>(7).fill(day)])).toEqual([
    0,
    ...[1, 2, 3, 4, 5, 6].map((codes) => codes / (codes + 1)),
    1,
  ])
  expect(meanShares([step(0, 1)], [step(0, 5), ...Array<typeof day>(6).fill(day)])).toEqual([6 / 7])
})
