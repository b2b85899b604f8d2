import { isBot } from '#contract/bots.ts'
import { CallError } from '#contract/calls/calls.ts'
import type { Fault } from '#web/house/stores/faults.ts'

/**
 * These statuses are shown and reported (product.md section 8). 0 means that no reply came; a proxy reports the same by
 * 502 and 504.
 */
const REPORTED_STATUSES = new Set([0, 403, 409, 500, 502, 504])

/**
 * Returns whether to report an error. Not reported: 422 concerns input, 401 an ended session, 503 planned work.
 * Failures of refreshes never come here.
 */
export function isReported({ error }: Fault, userAgent: string): boolean {
  if (isBot(userAgent)) return false
  if (error instanceof CallError) return REPORTED_STATUSES.has(error.httpStatus)
  return !(error instanceof DOMException && error.name === 'AbortError')
}
