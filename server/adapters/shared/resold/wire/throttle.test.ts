import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { createThrottle, type Throttle } from './throttle.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function flood(throttle: Throttle, count: number, wisher?: string) {
  const told = { passed: 0, refused: 0 }
  for (let place = 0; place < count; place += 1) {
    throttle.pass(wisher).then(
      () => {
        told.passed += 1
      },
      () => {
        told.refused += 1
      },
    )
  }
  return told
}

test('a flood of wishes takes half of the calls, and delays no look', async () => {
  const throttle = createThrottle(10)
  const flooded = ['anna', 'boris', 'clara'].map((name) => flood(throttle, 100, name))
  const looked = flood(throttle, 5)
  await vi.advanceTimersByTimeAsync(0)
  expect(looked).toEqual({ passed: 5, refused: 0 })
  const passed = () => flooded.reduce((sum, told) => sum + told.passed, 0)
  const atOnce = passed()
  await vi.advanceTimersByTimeAsync(SECOND)
  expect([atOnce, passed()]).toEqual([5, 10])
})

test('looks use what wishes leave', async () => {
  const throttle = createThrottle(10)
  const looked = flood(throttle, 10)
  await vi.advanceTimersByTimeAsync(0)
  expect(looked.passed).toBe(10)
})

test('one buyer has half of the places in which wishes wait, and another still buys', async () => {
  const throttle = createThrottle(10)
  const thief = flood(throttle, 100, 'thief')
  const honest = flood(throttle, 1, 'honest')
  await vi.advanceTimersByTimeAsync(0)
  // The flooding buyer gets five calls at once, and ten of the twenty waiting places.
  expect(thief).toEqual({ passed: 5, refused: 85 })
  await vi.advanceTimersByTimeAsync(4 * SECOND)
  expect([thief.passed, honest]).toEqual([15, { passed: 1, refused: 0 }])
  expect(flood(throttle, 1, 'thief').refused).toBe(0)
})

test('accounts of one person do not fill the places: the more of them wait, the fewer each has', async () => {
  const throttle = createThrottle(10)
  const thieves = Array.from({ length: 5 }, (_, place) => flood(throttle, 100, `thief ${place}`))
  const honest = flood(throttle, 1, 'honest')
  await vi.advanceTimersByTimeAsync(4 * SECOND)
  expect(honest).toEqual({ passed: 1, refused: 0 })
  // The first flooding buyer gets the five calls and half of the waiting places. Even the last buyer gets a place.
  expect(thieves.map(({ passed }) => passed)).toEqual([15, 5, 2, 1, 1])
})

test('a service that is asked once in ten seconds is asked', async () => {
  const throttle = createThrottle(0.1)
  const looked = flood(throttle, 1)
  const bought = flood(throttle, 1, 'anna')
  await vi.advanceTimersByTimeAsync(0)
  expect([looked.passed, bought.passed]).toEqual([1, 1])
})
