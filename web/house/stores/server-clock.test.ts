import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createServerClock } from './server-clock.ts'

const PAGE_NOW = '2026-05-01T12:00:00.000Z'
const pageNowMs = Date.parse(PAGE_NOW)

beforeEach(() => {
  vi.useFakeTimers({ now: pageNowMs + 3_600_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

it('runs from the moment of the page, whatever the visitor’s own clock says, while somebody looks', () => {
  const clock = createServerClock(PAGE_NOW)
  const seen: number[] = []
  const leave = clock.subscribe(() => seen.push(clock.nowMs() - pageNowMs))
  vi.advanceTimersByTime(2_000)
  leave()
  vi.advanceTimersByTime(5_000)
  expect(seen).toEqual([0, 1_000, 2_000])
  expect(vi.getTimerCount()).toBe(0)
})

it('goes on with the right time after a pause without listeners', () => {
  const clock = createServerClock(PAGE_NOW)
  clock.subscribe(() => undefined)()
  vi.advanceTimersByTime(5_000)
  clock.subscribe(() => undefined)
  expect(clock.nowMs()).toBe(pageNowMs + 5_000)
})

it('is set right by a reply when the page came from a cache', () => {
  const clock = createServerClock(PAGE_NOW)
  clock.subscribe(() => undefined)
  clock.sync('Fri, 01 May 2026 12:05:00 GMT')
  vi.advanceTimersByTime(1_000)
  expect(clock.nowMs()).toBe(pageNowMs + 5 * 60_000 + 1_000)
})

it('ticks at once when a reply comes: what it brings is counted from now', () => {
  const clock = createServerClock(PAGE_NOW)
  clock.subscribe(() => undefined)
  vi.advanceTimersByTime(900)
  clock.sync('Fri, 01 May 2026 12:00:00 GMT')
  expect(clock.nowMs()).toBe(pageNowMs + 900)
})

it('comes closer to the server’s time with each reply, and is never ahead of it', () => {
  const clock = createServerClock(PAGE_NOW)
  clock.subscribe(() => undefined)
  // The page was 1.4 seconds old when its scripts ran, so the server's time is 12:00:01.4 now.
  const serverMs = () => pageNowMs + 1_400 + Date.now() - (pageNowMs + 3_600_000)
  const behind = () => {
    clock.sync(new Date(serverMs()).toUTCString())
    return serverMs() - clock.nowMs()
  }
  expect(behind()).toBe(400)
  vi.advanceTimersByTime(300)
  expect(behind()).toBe(400)
  vi.advanceTimersByTime(400)
  expect(behind()).toBe(100)
  vi.advanceTimersByTime(850)
  expect(behind()).toBe(100)
})

it('is set right when the visitor sets his clock, and ignores what is no date', () => {
  const clock = createServerClock(PAGE_NOW)
  clock.subscribe(() => undefined)
  for (const header of ['nonsense', '', null]) clock.sync(header)
  expect(clock.nowMs()).toBe(pageNowMs)
  for (const hours of [5, -30]) {
    vi.setSystemTime(pageNowMs + hours * 3_600_000)
    clock.sync('Fri, 01 May 2026 12:00:00 GMT')
    expect(clock.nowMs()).toBe(pageNowMs)
  }
})
