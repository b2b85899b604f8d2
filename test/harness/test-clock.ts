import type { Clock } from '#server/clock.ts'

/** A clock that stands still until it is moved. */
export type TestClock = Clock & { advance(ms: number): void }

export function createTestClock(start = '2026-03-01T12:00:00.000Z'): TestClock {
  let now = new Date(start).getTime()
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms
    },
  }
}
