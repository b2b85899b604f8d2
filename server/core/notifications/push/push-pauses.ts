import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Failing } from './queries/subscriptions.ts'

const SHORTEST_MS = 3 * SECOND
/** The longest pause between tries, half of a code's lifetime. */
export const LONGEST_PAUSE_MS = 5 * MINUTE
/** A browser is forgotten after failures for this long, without a quiet day or a success between them. */
const FORGOTTEN_AFTER_MS = 3 * DAY
export const QUIET_MS = DAY

/** The wait until the push service of a browser is tried again is half of the time that it has failed. */
export function waitOf({ failing_since, failed_at }: Failing, now: Date): number {
  const failedMs = failed_at.getTime() - failing_since.getTime()
  const pauseMs = Math.min(Math.max(failedMs / 2, SHORTEST_MS), LONGEST_PAUSE_MS)
  // The wait is never longer than the pause, even if the clock was set back.
  return Math.min(failed_at.getTime() + pauseMs - now.getTime(), pauseMs)
}

/** A short outage of the push service or of our own network says nothing about the browser. */
export function isForgotten({ failing_since, failed_at }: Failing): boolean {
  return failed_at.getTime() - failing_since.getTime() >= FORGOTTEN_AFTER_MS
}
