import { isBot } from '#contract/bots.ts'
import { CallError } from '#contract/calls/calls.ts'
import type { Fault } from '#web/house/stores/faults.ts'

/** Statuses that are shown and reported (product.md section 8). 0 means no reply; proxies send 502 or 504. */
const REPORTED_STATUSES = new Set([0, 403, 409, 500, 502, 504])

/** Not reported: 422 concerns input, 401 an ended session, 503 planned work. Refreshes never come here. */
export function isReported({ error }: Fault, userAgent: string): boolean {
  if (isBot(userAgent)) return false
  if (error instanceof CallError) return REPORTED_STATUSES.has(error.httpStatus)
  return !(error instanceof DOMException && error.name === 'AbortError')
}
