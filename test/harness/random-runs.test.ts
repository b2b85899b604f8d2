import { expect, inject, test } from 'vitest'
import { drawSample } from './random-runs.ts'

const ITEMS = Array.from({ length: 30 }, (_, place) => place)

test.skipIf(inject('soak'))('a sample is a share in its order, the same for one name and another for another', () => {
  const drawn = drawSample(ITEMS, 'a purchase', 1 / 3)
  expect(drawn).toHaveLength(10)
  expect(drawn.toSorted((one, other) => one - other)).toEqual(drawn)
  expect(drawSample(ITEMS, 'a purchase', 1 / 3)).toEqual(drawn)
  expect(drawSample(ITEMS, 'a cancel', 1 / 3)).not.toEqual(drawn)
  expect(drawSample([7], 'a cancel', 1 / 3)).toEqual([7])
  expect(drawSample([], 'a cancel', 1 / 3)).toEqual([])
})
