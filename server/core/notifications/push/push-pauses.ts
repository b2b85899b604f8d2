import { DAY, MINUTE, SECOND } from '#contract/time.ts'
import type { Failing } from './queries/subscriptions.ts'

const SHORTEST_MS = 3 * SECOND
/** Half of the life of a code. */
export const LONGEST_PAUSE_MS = 5 * MINUTE
/** Of failures with no longer quiet among them, nor anything that was taken. */
const FORGOTTEN_AFTER_MS = 3 * DAY
export const QUIET_MS = DAY

/** Until a browser's service is asked again, by whatever message: half as long as it has failed by now. */
export function waitOf({ failing_since, failed_at }: Failing, now: Date): number {
  const failedMs = failed_at.getTime() - failing_since.getTime()
  const pauseMs = Math.min(Math.max(failedMs / 2, SHORTEST_MS), LONGEST_PAUSE_MS)
  // A clock that was set back makes nobody wait for longer.
  return Math.min(failed_at.getTime() + pauseMs - now.getTime(), pauseMs)
}

/** An outage, of the service or of our own network, says nothing about the browser. */
export function isForgotten({ failing_since, failed_at }: Failing): boolean {
  return failed_at.getTime() - failing_since.getTime() >= FORGOTTEN_AFTER_MS
}
