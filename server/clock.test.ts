import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { createServiceClock } from './clock.ts'

/** A machine whose clock is set by hand; `pass` is what really goes by. */
function machineAt(start: string) {
  let wall = Date.parse(start)
  let elapsed = 1_000
  const clock = createServiceClock(
    () => wall,
    () => elapsed,
  )
  return {
    clock,
    pass: (ms: number) => {
      wall += ms
      elapsed += ms
    },
    set: (ms: number) => {
      wall += ms
    },
    /** By how much the service is ahead of the machine. */
    ahead: () => clock.now().getTime() - wall,
  }
}

test('it is the machine’s, also when that is set forward', () => {
  const { clock, pass, set } = machineAt('2026-03-01T12:00:00Z')
  pass(MINUTE)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:01:00Z'))
  set(HOUR)
  expect(clock.now()).toEqual(new Date('2026-03-01T13:01:00Z'))
  expect(clock.wall()).toEqual(clock.now())
})

test('set back it goes on a tenth slower, and never back, until the machine has caught up', () => {
  const { clock, pass, set, ahead } = machineAt('2026-03-01T12:00:00Z')
  const before = clock.now()
  set(-HOUR)
  expect(clock.now()).toEqual(before)
  expect(clock.wall()).toEqual(new Date('2026-03-01T11:00:00Z'))
  for (let minute = 0; minute < 10 * 60; minute += 1) {
    const at = clock.now().getTime()
    pass(MINUTE)
    expect(clock.now().getTime() - at).toBeCloseTo(0.9 * MINUTE, -1)
  }
  expect(ahead()).toBeLessThan(SECOND)
  pass(MINUTE)
  expect(ahead()).toBe(0)
})

test('several steps back add up; one forward takes from them', () => {
  const { set, ahead } = machineAt('2026-03-01T12:00:00Z')
  set(-20 * MINUTE)
  set(-10 * MINUTE)
  expect(ahead()).toBe(30 * MINUTE)
  set(25 * MINUTE)
  expect(ahead()).toBe(5 * MINUTE)
  set(15 * MINUTE)
  expect(ahead()).toBe(0)
})

test('it goes on from a time that another process has stored', () => {
  const { clock, pass } = machineAt('2026-03-01T12:00:00Z')
  expect(clock.continueFrom(new Date('2026-03-01T11:59:00Z'))).toBe(0)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:00:00Z'))
  expect(clock.continueFrom(new Date('2026-03-01T12:30:00Z'))).toBe(30 * MINUTE)
  pass(10 * MINUTE)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:39:00Z'))
})

test('more than a day ahead was a wrong date: it is the machine’s again', () => {
  const { clock, set, ahead } = machineAt('2027-03-01T12:00:00Z')
  set(-DAY)
  expect(ahead()).toBe(DAY)
  set(-SECOND)
  expect(ahead()).toBe(0)
  expect(clock.continueFrom(new Date('2027-03-08T12:00:00Z'))).toBeGreaterThan(DAY)
  expect(ahead()).toBe(0)
})
