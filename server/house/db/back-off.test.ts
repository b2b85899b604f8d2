import { expect, test } from 'vitest'
import { createBackOff } from './back-off.ts'

test('R-F: waits grow while it does not come up, also after a long life; a life that was long begins anew', () => {
  let now = 0
  const backOff = createBackOff(() => now)
  now += 61_000
  expect(Array.from({ length: 9 }, () => backOff.nextDelayMs())).toEqual([
    250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ])
  backOff.cameUp()
  now += 59_000
  expect(backOff.nextDelayMs()).toBe(30_000)
  backOff.cameUp()
  now += 61_000
  expect(backOff.nextDelayMs()).toBe(250)
  expect(backOff.nextDelayMs()).toBe(500)
})
