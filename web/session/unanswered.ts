import { CallError } from '#contract/calls/calls.ts'

/** Refused before any work began, though with a 5xx status. */
const REFUSED_AT_THE_DOOR = new Set(['BUYING_STOPPED', 'MAINTENANCE'])

/** Whether a failed call's outcome is unknown. Repeated with its idempotency key, it returns the first outcome. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code === 'NO_REPLY' || error.code === 'IN_PROGRESS') return true
  return error.httpStatus >= 500 && !REFUSED_AT_THE_DOOR.has(error.code)
}
