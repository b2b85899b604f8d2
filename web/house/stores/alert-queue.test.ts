import { expect, test } from 'vitest'
import {
  type AlertQueue,
  addAlerts,
  advanceAlerts,
  alertsWakeAt,
  clearErrors,
  dismissAlert,
  NO_ALERTS,
} from './alert-queue.ts'

const alert = (id: string) => ({ id, type: 'info' as const, text: `text of ${id}` })
const seen = (queue: AlertQueue) => queue.shown.map(({ id }) => id)

/** Runs the queue from one wake-up to the next, as the store does. Returns the alerts shown after each wake-up. */
function play(start: AlertQueue, from: number, limit: number): [number, string[]][] {
  const frames: [number, string[]][] = []
  let queue = start
  let now = from
  for (let step = 0; step < 50; step++) {
    queue = advanceAlerts(queue, now, limit)
    const last = frames.at(-1)
    if (last === undefined || last[1].join() !== seen(queue).join()) frames.push([now, seen(queue)])
    const wake = alertsWakeAt(queue, limit)
    if (wake === null) return frames
    now = Math.max(now, wake)
  }
  throw new Error('the queue never came to rest')
}

test('4.14: one alert lives five seconds', () => {
  expect(play(addAlerts(NO_ALERTS, [alert('a')]), 1_000, 2)).toEqual([
    [1_000, ['a']],
    [6_000, []],
  ])
})

test('4.14: alerts of one array appear one per 300 ms, and a third replaces the oldest after 300 ms', () => {
  expect(play(addAlerts(NO_ALERTS, [alert('a'), alert('b'), alert('c')]), 0, 2)).toEqual([
    [0, ['a']],
    [300, ['a', 'b']],
    [900, ['b', 'c']],
    [5_300, ['c']],
    [5_900, []],
  ])
})

test('4.14: on a phone one is seen at a time', () => {
  expect(play(addAlerts(NO_ALERTS, [alert('a'), alert('b')]), 0, 1)).toEqual([
    [0, ['a']],
    [600, ['b']],
    [5_600, []],
  ])
})

test('an alert about to end by itself is not kept longer to be replaced', () => {
  let queue = advanceAlerts(addAlerts(NO_ALERTS, [alert('a')]), 0, 1)
  queue = advanceAlerts(addAlerts(queue, [alert('b')]), 4_900, 1)
  expect(alertsWakeAt(queue, 1)).toBe(5_000)
  expect(seen(advanceAlerts(queue, 5_000, 1))).toEqual(['b'])
})

test('4.14: while the page is hidden alerts wait, and come one by one when it is seen again', () => {
  const hidden = { ...addAlerts(NO_ALERTS, [alert('a'), alert('b')]), hidden: true }
  expect(play(hidden, 0, 2)).toEqual([[0, []]])
  expect(play({ ...hidden, hidden: false }, 60_000, 2)).toEqual([
    [60_000, ['a']],
    [60_300, ['a', 'b']],
    [65_000, ['b']],
    [65_300, []],
  ])
})

test('the same id is not shown twice', () => {
  const queue = advanceAlerts(addAlerts(NO_ALERTS, [alert('a')]), 0, 2)
  expect(addAlerts(queue, [alert('a')])).toBe(queue)
})

test('E-6: errors are taken back, shown and waiting ones, and the next comes at once; news stay', () => {
  const error = (id: string) => ({ id, type: 'error' as const, text: `text of ${id}` })
  let queue = advanceAlerts(addAlerts(NO_ALERTS, [error('a'), error('b'), alert('code')]), 0, 1)
  queue = clearErrors(queue)
  expect(seen(queue)).toEqual([])
  expect(queue.waiting.map(({ id }) => id)).toEqual(['code'])
  expect(clearErrors(queue)).toBe(queue)
  expect(play(queue, 300, 1)).toEqual([
    [300, ['code']],
    [5_300, []],
  ])
})

test('a dismissed alert makes room at once', () => {
  let queue = advanceAlerts(addAlerts(NO_ALERTS, [alert('a'), alert('b')]), 0, 1)
  queue = advanceAlerts(dismissAlert(queue, 'a'), 300, 1)
  expect(seen(queue)).toEqual(['b'])
})

test('turning a tablet to the narrow side never leaves more than the limit', () => {
  let queue = advanceAlerts(addAlerts(NO_ALERTS, [alert('a'), alert('b')]), 0, 2)
  queue = advanceAlerts(queue, 300, 2)
  expect(seen(advanceAlerts(queue, 301, 1))).toEqual(['b'])
})
