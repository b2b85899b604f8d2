import type { RentalState } from '#contract/rental.ts'

/** The states from which each action may move a rental. SQL checks the state, so a row lock decides races. */
export const transitions = {
  settle: ['reserving'],
  fail: ['reserving'],
  live: ['active'],
} as const satisfies Record<string, readonly RentalState[]>

export function isFinal(state: RentalState): boolean {
  return state !== 'reserving' && state !== 'active'
}

export function moneyOf(row: { state: RentalState; captured_at: Date | null }): 'held' | 'captured' | 'released' {
  if (row.captured_at !== null) return 'captured'
  return isFinal(row.state) ? 'released' : 'held'
}
