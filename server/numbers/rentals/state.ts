import type { RentalState } from '#contract/rental.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'

/**
 * From which states each verb may move a rental. As with activations the SQL of a verb is an UPDATE limited to these, so
 * two verbs that race are decided by the row.
 */
export const transitions = {
  /** A supplier gave the number. */
  settle: ['reserving'],
  /** No supplier had one. */
  fail: ['reserving'],
  /** Messages come, it is extended, and it ends in one of the four ways. */
  live: ['active'],
} as const satisfies Record<string, readonly RentalState[]>

/** Until this long after renting, and before any message, a rental can be cancelled (design.md, Buying). */
export const CANCEL_MS = 20 * MINUTE
/** So long the price of an extension is held while its supplier gives no answer. What it says later costs us, not the buyer. */
export const EXTENSION_LIMIT_MS = 10 * MINUTE
/** However often it is extended, a rental ends within this time from now. */
export const MAX_TOTAL_MS = 180 * DAY
/** The warning comes when a tenth of the time is left, but not later and not earlier than these. */
const SHORTEST_WARNING_MS = HOUR
const LONGEST_WARNING_MS = DAY
const WARNING_SHARE = 0.1
/** Shorter rentals are warned of on the page alone: their buyer is there. */
export const MAIL_FROM_HOURS = 24

/** Whether nothing will change any more. */
export function isFinal(state: RentalState): boolean {
  return state !== 'reserving' && state !== 'active'
}

/** Where the price of the first period is. */
export function moneyOf(row: { state: RentalState; captured_at: Date | null }): 'held' | 'captured' | 'released' {
  if (row.captured_at !== null) return 'captured'
  return isFinal(row.state) ? 'released' : 'held'
}

/** When the buyer of `hours` that end at `expiresAt` is told that the end is near. */
export function warnAt(expiresAt: Date, hours: number): Date {
  const share = hours * HOUR * WARNING_SHARE
  return new Date(expiresAt.getTime() - Math.max(SHORTEST_WARNING_MS, Math.min(LONGEST_WARNING_MS, share)))
}
