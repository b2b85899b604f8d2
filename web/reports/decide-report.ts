import { isBot } from '#contract/bots.ts'
import { CallError } from '#contract/calls/calls.ts'
import type { Fault } from './faults.ts'

/** Product.md section 8: told to the person and reported. 0 is no reply; 502 and 504 are a proxy saying the same. */
const REPORTED_STATUSES = new Set([0, 403, 409, 500, 502, 504])

/**
 * Whether a fault is worth a report. 422 is about what was typed, 401 is a session that ended, 503 is announced. Calls
 * that renew the session never come here: the api client makes them by itself.
 */
export function isReported({ error }: Fault, userAgent: string): boolean {
  if (isBot(userAgent)) return false
  if (error instanceof CallError) return REPORTED_STATUSES.has(error.httpStatus)
  return !(error instanceof DOMException && error.name === 'AbortError')
}
