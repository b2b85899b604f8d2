import { createServiceClock, type ServiceClock, type SetBack } from '#server/house/clock.ts'

/** A clock that stands still until the test moves it, forwards or back. */
export type TestClock = ServiceClock & { advance(ms: number): void }

export function createTestClock(start = '2026-03-01T12:00:00.000Z'): TestClock {
  let now = new Date(start).getTime()
  return {
    now: () => new Date(now),
    wall: () => new Date(now),
    correction: () => 0,
    continueFrom: () => undefined,
    follow: () => undefined,
    advance(ms) {
      now += ms
    },
  }
}

/** Returns a service's clock on a machine whose own clock a test can set back. `advance` moves both clocks on. */
export function createMachineClock(
  start = '2026-03-01T12:00:00.000Z',
  onSetBack?: (step: SetBack) => void,
): TestClock & { setBack(ms: number): void } {
  let wall = Date.parse(start)
  let elapsed = 0
  const clock = createServiceClock({
    wall: () => wall,
    elapsed: () => elapsed,
    ...(onSetBack !== undefined && { onSetBack }),
  })
  return {
    ...clock,
    advance(ms) {
      wall += ms
      elapsed += ms
    },
    setBack(ms) {
      wall -= ms
    },
  }
}
