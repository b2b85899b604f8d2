import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Failing } from './queries/subscriptions.ts'

const SHORTEST_MS = 3 * SECOND
/** The longest pause between tries to send a push, half of a code's lifetime. */
export const LONGEST_PAUSE_MS = 5 * MINUTE
/**
 * The duration of failures after which a browser's subscription is dropped. A success or a day without failures starts
 * the duration anew.
 */
const FORGOTTEN_AFTER_MS = 3 * DAY
export const QUIET_MS = DAY

/** Returns the wait before the next push to a browser: half of the time for which its push service has failed. */
export function waitOf({ failing_since, failed_at }: Failing, now: Date): number {
  const failedMs = failed_at.getTime() - failing_since.getTime()
  const pauseMs = Math.min(Math.max(failedMs / 2, SHORTEST_MS), LONGEST_PAUSE_MS)
  // If the clock was set back, the time until the next push could exceed `pauseMs`, so it is limited.
  return Math.min(failed_at.getTime() + pauseMs - now.getTime(), pauseMs)
}

/** Returns true if a browser's push service has failed for days, so that the subscription is dropped. */
export function isForgotten({ failing_since, failed_at }: Failing): boolean {
  return failed_at.getTime() - failing_since.getTime() >= FORGOTTEN_AFTER_MS
}
