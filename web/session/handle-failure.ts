import { CallError } from '#contract/calls/calls.ts'

/** What the page does about a failed call (product.md section 8). */
export type FailureDecision = 'nothing' | 'alert-message' | 'alert-server-error' | 'alert-offline' | 'go-to-top-up'

/** Statuses whose message is written for the person; without one they are a fault of the server like any other. */
const STATUSES_WITH_WORDS = new Set([400, 401, 403, 409, 422, 429, 503])

/**
 * Decides by the failure alone. A 401 of a session that ended has no words: the api client has signed out already, and
 * the login dialog says the rest. `online`: whether this device has a network at all.
 */
export function decideFailure(error: unknown, online: boolean): FailureDecision {
  if (error instanceof DOMException && error.name === 'AbortError') return 'nothing'
  // No answer, or code that could not be fetched: without a network neither is the server's fault.
  if (!online && (!(error instanceof CallError) || error.code === 'NO_REPLY')) return 'alert-offline'
  if (!(error instanceof CallError)) return 'alert-server-error'
  // 404 has no alert; what a refusal with status 200 says is shown by the api client.
  if (error.httpStatus === 404 || error.httpStatus === 200) return 'nothing'
  if (error.code === 'NO_NUMBERS') return 'nothing'
  if (error.code === 'NO_BALANCE') return 'go-to-top-up'
  if (error.code === 'UNAUTHENTICATED') return 'nothing'
  // The dialog that asked was closed: the person knows.
  if (error.code === 'CONFIRM_PASSWORD') return 'nothing'
  const written = STATUSES_WITH_WORDS.has(error.httpStatus) && error.message !== ''
  return written ? 'alert-message' : 'alert-server-error'
}
