import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import type { WebhookForm } from '#contract/webhooks/webhook.ts'

/** The pauses between tries of a delivery, a day in all. The form `field` has eight repeats in two hours. */
const DELAYS_MS: Record<WebhookForm, readonly number[]> = {
  standard: [
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
    6 * HOUR,
    10 * HOUR,
  ],
  field: [15 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, 50 * MINUTE],
}

const FAILURES_BEFORE_REST = 3
const LONGEST_REST_MS = 5 * MINUTE
/** An endpoint that has accepted nothing for this time, in at least this many tries, is switched off. */
export const OFF_AFTER_MS = 3 * DAY
export const OFF_AFTER_FAILURES = 10
export const LATE_AFTER_MS = DAY

/** Returns the time of a delivery's next try; null if there is none. `tries` includes the try that has just failed. */
export function nextTry(form: WebhookForm, tries: number, now: Date): Date | null {
  const delayMs = DELAYS_MS[form][tries - 1]
  return delayMs === undefined ? null : new Date(now.getTime() + delayMs)
}

/** Returns the time, in ms, for which an endpoint gets no requests after failures; 0 means no pause. */
export function restMs(failures: number): number {
  if (failures < FAILURES_BEFORE_REST) return 0
  return Math.min(LONGEST_REST_MS, 2 ** Math.min(failures - FAILURES_BEFORE_REST, 10) * SECOND)
}
