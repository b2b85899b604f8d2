import { CallError } from '#contract/calls/calls.ts'

/** Answered before anything was begun, though with a status of 5xx. */
const REFUSED_AT_THE_DOOR = new Set(['BUYING_STOPPED', 'MAINTENANCE'])

/**
 * Whether nobody knows what a failed call came to: no answer, a fault of the server, or its first sending still being
 * served. Sent again under its key it brings the answer of the first.
 */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code === 'NO_REPLY' || error.code === 'IN_PROGRESS') return true
  return error.httpStatus >= 500 && !REFUSED_AT_THE_DOOR.has(error.code)
}
