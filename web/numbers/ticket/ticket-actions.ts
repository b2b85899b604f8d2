import type { ActivationRecord, ActivationState } from '#contract/activation.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'

/** All verbs except `dismiss` are calls of `/api/v1/activations/{id}/…`. */
export type TicketVerb = 'cancel' | 'replace' | 'used' | 'again' | 'finish' | 'repeat' | 'dismiss'
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
  finished: ['repeat', 'dismiss'],
  cancelled: ['repeat', 'dismiss'],
  expired: ['repeat', 'dismiss'],
  used: ['repeat', 'dismiss'],
  failed: ['repeat', 'dismiss'],
}

/** Cancel and replace give the money back. Both are possible from the record's `cancel_from` on. */
const GIVES_BACK: ReadonlySet<TicketVerb> = new Set<TicketVerb>(['cancel', 'replace'])

/** Returns an activation's actions; none between its end and its outcome, which only the server knows. */
export function ticketActions(record: ActivationRecord, nowMs: number): TicketAction[] {
  if (!record.final && secondsUntil(record.expires_at, nowMs) === 0) return []
  return VERBS[record.state]
    .filter((verb) => verb !== 'repeat' || record.can_repeat)
    .map((verb) => ({ verb, opensInSeconds: GIVES_BACK.has(verb) ? secondsUntil(record.cancel_from, nowMs) : 0 }))
}
