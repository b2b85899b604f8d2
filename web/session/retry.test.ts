import { expect, test } from 'vitest'
import { pause, retryDelayMs } from './retry.ts'

const answered = (retryAfter?: string) =>
  new Response(null, { status: 503, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })

test.each([
  ['0', 0],
  ['2', 2_000],
  ['3600', 5_000],
])('what an answer asks for is waited, within a limit: %s', (retryAfter, ms) => {
  expect(retryDelayMs(answered(retryAfter))).toBe(ms)
})

test.each([null, answered(), answered('-1'), answered('Wed, 21 Oct 2026 07:28:00 GMT')])(
  'without a number of seconds the pause is short: %#',
  (response) => {
    expect(retryDelayMs(response)).toBeGreaterThanOrEqual(250)
    expect(retryDelayMs(response)).toBeLessThanOrEqual(500)
  },
)

test('a pause ends at once for a caller who has given up', async () => {
  const caller = new AbortController()
  const paused = pause(3_600_000, caller.signal)
  caller.abort()
  await expect(paused).rejects.toThrow(/abort/i)
  await expect(pause(3_600_000, caller.signal)).rejects.toThrow(/abort/i)
  await pause(0, undefined)
})
