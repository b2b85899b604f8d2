import type { ActivationRecord, ActivationState } from '#contract/activation.ts'
import { secondsUntil } from '#web/components/time-left.ts'

/** What a person can ask of a ticket. All but `dismiss` are calls of `/api/v1/activations/{id}/…`. */
export type TicketVerb = 'cancel' | 'used' | 'again' | 'finish' | 'dismiss'
export type TicketAction = {
  verb: TicketVerb
  /** Seconds until it can be pressed; 0 when it can be pressed now. */
  opensInSeconds: number
}

const VERBS: Record<ActivationState, readonly TicketVerb[]> = {
  reserving: [],
  waiting: ['cancel', 'used'],
  received: ['again', 'finish'],
  waiting_again: ['finish'],
  finished: ['dismiss'],
  cancelled: ['dismiss'],
  expired: ['dismiss'],
  used: ['dismiss'],
  failed: ['dismiss'],
}

/**
 * The actions a ticket offers at `nowMs`, in the order they stand. Cancelling opens at `cancel_from`. Once the time is over
 * only the server knows the outcome, so a ticket that has not ended yet offers nothing until it is asked.
 */
export function ticketActions(record: ActivationRecord, nowMs: number): TicketAction[] {
  if (!record.final && secondsUntil(record.expires_at, nowMs) === 0) return []
  return VERBS[record.state].map((verb) => ({
    verb,
    opensInSeconds: verb === 'cancel' ? secondsUntil(record.cancel_from, nowMs) : 0,
  }))
}
