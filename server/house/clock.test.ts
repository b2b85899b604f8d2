import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { createServiceClock, type SetBack } from './clock.ts'

function machineAt(start: string) {
  let wall = Date.parse(start)
  let elapsed = 1_000
  const steps: SetBack[] = []
  const clock = createServiceClock({
    wall: () => wall,
    elapsed: () => elapsed,
    onSetBack: (step) => steps.push(step),
  })
  return {
    steps,
    clock,
    pass: (ms: number) => {
      wall += ms
      elapsed += ms
    },
    set: (ms: number) => {
      wall += ms
    },
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
  const { set, ahead, steps } = machineAt('2026-03-01T12:00:00Z')
  set(-20 * MINUTE)
  expect(ahead()).toBe(20 * MINUTE)
  set(-10 * MINUTE)
  expect(ahead()).toBe(30 * MINUTE)
  expect(steps.map(({ behindMs }) => behindMs)).toEqual([20 * MINUTE, 30 * MINUTE])
  set(25 * MINUTE)
  expect(ahead()).toBe(5 * MINUTE)
  set(15 * MINUTE)
  expect(ahead()).toBe(0)
})

test('it goes on from a time that another process has stored', () => {
  const { clock, pass } = machineAt('2026-03-01T12:00:00Z')
  clock.continueFrom(new Date('2026-03-01T11:59:00Z'))
  expect(clock.now()).toEqual(new Date('2026-03-01T12:00:00Z'))
  clock.continueFrom(new Date('2026-03-01T12:30:00Z'))
  expect(clock.now()).toEqual(new Date('2026-03-01T12:30:00Z'))
  pass(10 * MINUTE)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:39:00Z'))
})

test('more than a day ahead was a wrong date: it is the machine’s again', () => {
  const { clock, set, ahead, steps } = machineAt('2027-03-01T12:00:00Z')
  set(-DAY)
  expect(ahead()).toBe(DAY)
  set(-SECOND)
  expect(ahead()).toBe(0)
  clock.continueFrom(new Date('2027-03-08T12:00:00Z'))
  expect(ahead()).toBe(0)
  expect(steps.map(({ isKept }) => isKept)).toEqual([true, false, false])
})

test('what clocks are corrected by every day is not told, and a step is told once', () => {
  const { set, pass, ahead, steps } = machineAt('2026-03-01T12:00:00Z')
  set(-SECOND / 2)
  ahead()
  expect(steps).toEqual([])
  set(-HOUR)
  ahead()
  pass(MINUTE)
  ahead()
  expect(steps).toEqual([{ behindMs: HOUR + SECOND / 2, isKept: true }])
})

test('it follows PostgreSQL’s: at once forwards, back without a step, and the machine’s time stays', () => {
  const { clock, pass, steps } = machineAt('2026-03-01T12:00:00Z')
  clock.continueFrom(new Date('2026-03-01T11:00:00Z'))
  clock.follow(-4 * SECOND)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:00:04Z'))
  expect(clock.wall()).toEqual(new Date('2026-03-01T12:00:00Z'))
  clock.follow(8 * SECOND)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:00:04Z'))
  expect(steps).toEqual([{ behindMs: 12 * SECOND, isKept: true }])
  pass(120 * SECOND)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:01:52Z'))
  clock.follow(8 * SECOND + 150)
  expect(clock.now()).toEqual(new Date('2026-03-01T12:01:52Z'))
})

test('it goes back to PostgreSQL’s before it has begun, also after hours of waiting, and corrects a minute at most', () => {
  const { clock, pass, steps } = machineAt('2026-03-01T12:00:00Z')
  clock.follow(8 * SECOND)
  expect(clock.now()).toEqual(new Date('2026-03-01T11:59:52Z'))
  // A stand-by asks its clock for nothing while it waits.
  pass(5 * HOUR)
  clock.follow(8 * SECOND + 300)
  expect(clock.now()).toEqual(new Date('2026-03-01T16:59:51.700Z'))
  clock.follow(-HOUR)
  expect(clock.now()).toEqual(new Date('2026-03-01T17:01:00Z'))
  expect(steps).toEqual([])
})
