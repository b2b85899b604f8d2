import type { ActivationState } from '#contract/activation.ts'

/** The states from which each action may move an activation. SQL checks the state, so a row lock decides races. */
export const transitions = {
  settle: ['reserving'],
  fail: ['reserving'],
  receive: ['waiting', 'received', 'waiting_again'],
  giveBack: ['waiting'],
  again: ['received'],
  finish: ['received', 'waiting_again'],
} as const satisfies Record<string, readonly ActivationState[]>

const FINAL_STATES: readonly ActivationState[] = ['finished', 'cancelled', 'expired', 'used', 'failed']

export function isFinal(state: ActivationState): boolean {
  return FINAL_STATES.includes(state)
}

export function cancelFrom(createdAt: Date, earlyCancelSeconds: number): Date {
  return new Date(createdAt.getTime() + earlyCancelSeconds * 1000)
}
