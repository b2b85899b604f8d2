import { expect, it } from 'vitest'
import { formatSeconds, isShort, secondsUntil, shareLeft } from './time-left.ts'

const at = '2026-05-01T12:00:00.000Z'
const atMs = Date.parse(at)

it.each([
  [-5_000, 5],
  [-5_400, 5],
  [-4_499, 4],
  [-1, 1],
  [0, 0],
  [60_000, 0],
])('%i ms from the end is %i seconds left', (offsetMs, seconds) => {
  expect(secondsUntil(at, atMs + offsetMs)).toBe(seconds)
})

it.each([
  [0, '0:00'],
  [9, '0:09'],
  [48, '0:48'],
  [1199, '19:59'],
  [1200, '20:00'],
  [3725, '1:02:05'],
])('%i seconds are written %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})

it.each([
  [0, false],
  [1, true],
  [119, true],
  [120, false],
])('%i seconds are short: %s', (seconds, short) => {
  expect(isShort(seconds)).toBe(short)
})

it('tells the share of a span that is left, within 0 and 1', () => {
  const from = '2026-05-01T11:40:00.000Z'
  expect(shareLeft({ from, until: at, nowMs: atMs - 600_000 })).toBe(0.5)
  expect(shareLeft({ from, until: at, nowMs: atMs + 1 })).toBe(0)
  expect(shareLeft({ from, until: at, nowMs: Date.parse(from) - 1 })).toBe(1)
  expect(shareLeft({ from: at, until: at, nowMs: atMs })).toBe(0)
})
