import type { ActivationState } from '#contract/activation.ts'

/**
 * From which states each verb may move an activation. The SQL of a verb is an UPDATE limited to these states, so two
 * verbs that race are decided by the row, and the loser is told what the activation has become.
 */
export const transitions = {
  /** A supplier gave the number. */
  settle: ['reserving'],
  /** No supplier had one. */
  fail: ['reserving'],
  /** A message came, the first or a further one. */
  receive: ['waiting', 'received', 'waiting_again'],
  /** The buyer gives the number back, or found it registered already. */
  giveBack: ['waiting'],
  /** The buyer wants one more code. */
  again: ['received'],
  /** Done, by the buyer or because the time is over after a message. */
  finish: ['received', 'waiting_again'],
} as const satisfies Record<string, readonly ActivationState[]>

const FINAL_STATES: readonly ActivationState[] = ['finished', 'cancelled', 'expired', 'used', 'failed']

/** Whether nothing will change any more. */
export function isFinal(state: ActivationState): boolean {
  return FINAL_STATES.includes(state)
}

/** The moment from which a number bought at `createdAt` may be cancelled. */
export function cancelFrom(createdAt: Date, earlyCancelSeconds: number): Date {
  return new Date(createdAt.getTime() + earlyCancelSeconds * 1000)
}
