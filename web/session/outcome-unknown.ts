import { CallError } from '#contract/calls/calls.ts'

/** The server refuses a call with these codes before any work begins, although the status is 5xx. */
const REFUSED_AT_THE_DOOR = new Set(['BUYING_STOPPED', 'MAINTENANCE'])

/** Returns true if a call's outcome is unknown. A repeat with its idempotency key returns the first outcome. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code === 'NO_REPLY' || error.code === 'IN_PROGRESS') return true
  return error.httpStatus >= 500 && !REFUSED_AT_THE_DOOR.has(error.code)
}
