import type { ActivationRecord, ActivationState } from '#contract/activation.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'

/**
 * All verbs except `more` and `dismiss` are calls of `/api/v1/activations/{id}/…`. `repeat` buys the same number once
 * more, `more` another number for the same service and country.
 */
export type TicketVerb = 'cancel' | 'replace' | 'used' | 'again' | 'finish' | 'repeat' | 'more' | 'dismiss'
export type TicketAction = {
  verb: TicketVerb
  /** The number of seconds until the action is possible; 0 if it is possible now. */
  opensInSeconds: number
}

const VERBS: Record<ActivationState, readonly TicketVerb[]> = {
  reserving: [],
  waiting: ['cancel', 'replace', 'used'],
  received: ['again', 'finish'],
  waiting_again: ['finish'],
  finished: ['repeat', 'more', 'dismiss'],
  cancelled: ['repeat', 'more', 'dismiss'],
  expired: ['repeat', 'more', 'dismiss'],
  used: ['repeat', 'more', 'dismiss'],
  failed: ['repeat', 'more', 'dismiss'],
}

/** Cancel and replace give the money back. Both are possible from the record's `cancel_from` on. */
const GIVES_BACK: ReadonlySet<TicketVerb> = new Set<TicketVerb>(['cancel', 'replace'])

/** Returns an activation's actions; none between its end and its outcome, which only the server knows. */
export function ticketActions(record: ActivationRecord, nowMs: number): TicketAction[] {
  if (!record.final && secondsUntil(record.expires_at, nowMs) === 0) return []
  return VERBS[record.state]
    .filter((verb) => verb !== (record.can_repeat ? 'more' : 'repeat'))
    .map((verb) => ({ verb, opensInSeconds: GIVES_BACK.has(verb) ? secondsUntil(record.cancel_from, nowMs) : 0 }))
}
