import type { RentalState } from '#contract/rental.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'

/**
 * The states from which each verb may move a rental. The SQL of a verb is limited to them, so the row decides races.
 */
export const transitions = {
  settle: ['reserving'],
  fail: ['reserving'],
  live: ['active'],
} as const satisfies Record<string, readonly RentalState[]>

/** Cancelling ends after this, or with the first message (docs/numbers.md). */
export const CANCEL_MS = 20 * MINUTE
/** An extension without an answer is released after this. A later grant costs us, not the buyer. */
export const EXTENSION_LIMIT_MS = 10 * MINUTE
/** From now, however often it is extended. */
export const MAX_TOTAL_MS = 180 * DAY
/** The warning comes at a tenth of the time, within these bounds. */
const SHORTEST_WARNING_MS = HOUR
const LONGEST_WARNING_MS = DAY
const WARNING_SHARE = 0.1

export function isFinal(state: RentalState): boolean {
  return state !== 'reserving' && state !== 'active'
}

export function moneyOf(row: { state: RentalState; captured_at: Date | null }): 'held' | 'captured' | 'released' {
  if (row.captured_at !== null) return 'captured'
  return isFinal(row.state) ? 'released' : 'held'
}

export function warnAt(expiresAt: Date, hours: number): Date {
  const share = hours * HOUR * WARNING_SHARE
  return new Date(expiresAt.getTime() - Math.max(SHORTEST_WARNING_MS, Math.min(LONGEST_WARNING_MS, share)))
}
