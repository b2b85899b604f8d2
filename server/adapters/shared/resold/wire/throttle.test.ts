import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SECOND } from '#contract/time.ts'
import { Memory } from '#server/house/memory.ts'
import { redisProgram, startThreeNodes } from '#test/services/three-nodes.ts'
import { createThrottle, type Throttle } from './throttle.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function startThrottle(callsPerSecond: number): Throttle {
  return createThrottle({ redis: null, memory: new Memory() }, { callsPerSecond, supplier: 'other' })
}

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
  const throttle = startThrottle(10)
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
  const throttle = startThrottle(10)
  const looked = flood(throttle, 10)
  await vi.advanceTimersByTimeAsync(0)
  expect(looked.passed).toBe(10)
})

test('one buyer has half of the places in which wishes wait, and another still buys', async () => {
  const throttle = startThrottle(10)
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
  const throttle = startThrottle(10)
  const thieves = Array.from({ length: 5 }, (_, place) => flood(throttle, 100, `thief ${place}`))
  const honest = flood(throttle, 1, 'honest')
  await vi.advanceTimersByTimeAsync(4 * SECOND)
  expect(honest).toEqual({ passed: 1, refused: 0 })
  // The first flooding buyer gets the five calls and half of the waiting places. Even the last buyer gets a place.
  expect(thieves.map(({ passed }) => passed)).toEqual([15, 5, 2, 1, 1])
})

test('a service that is asked once in ten seconds is asked', async () => {
  const throttle = startThrottle(0.1)
  const looked = flood(throttle, 1)
  const bought = flood(throttle, 1, 'anna')
  await vi.advanceTimersByTimeAsync(0)
  expect([looked.passed, bought.passed]).toEqual([1, 1])
})

test.runIf(redisProgram)('a supplier gets no more calls from three nodes than from one', async () => {
  vi.useRealTimers()
  await using shop = await startThreeNodes()
  const {
    redis,
    nodes: [first, second, third],
  } = shop
  const throttles = [first, second, third].map(({ ctx }) => createThrottle(ctx, { callsPerSecond: 0.1, supplier: 'a' }))
  const passed = async (wisher?: string) => {
    const passes = await Promise.allSettled(throttles.map((throttle) => throttle.pass(wisher)))
    return passes.filter(({ status }) => status === 'fulfilled').length
  }
  expect([await passed('anna'), await passed()]).toEqual([1, 1])
  await redis.kill()
  expect([await passed('anna'), await passed()]).toEqual([3, 3])
  expect([await passed('boris'), await passed()]).toEqual([0, 0])
})

test.runIf(redisProgram)('a supplier that tells one node to wait is asked by none', async () => {
  vi.useRealTimers()
  await using shop = await startThreeNodes()
  const [first, second] = shop.nodes.map(({ ctx }) => createThrottle(ctx, { callsPerSecond: 100, supplier: 'a' }))
  await second?.pass('anna')
  await first?.closeFor(10 * SECOND)
  await expect(first?.pass()).rejects.toThrow('wants no calls')
  for (const wisher of [undefined, 'anna']) await expect(second?.pass(wisher)).rejects.toThrow('wait for the supplier')
})
