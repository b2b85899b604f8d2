import { RENTAL_CANCEL_MINUTES } from '#contract/rental.ts'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'

export const CANCEL_MS = RENTAL_CANCEL_MINUTES * MINUTE

/** The time after which an unanswered extension's money is released. A later grant costs us, not the buyer. */
export const EXTENSION_LIMIT_MS = 10 * MINUTE

/** The maximum time from now to the end of a rental, however often it is extended. */
export const MAX_TOTAL_MS = 180 * DAY

/** The buyer is warned when a tenth of the rental's time is left, but neither later nor earlier than these bounds. */
const SHORTEST_WARNING_MS = HOUR

const LONGEST_WARNING_MS = DAY

const WARNING_SHARE = 0.1

export function warnAt(expiresAt: Date, hours: number): Date {
  const share = hours * HOUR * WARNING_SHARE
  return new Date(expiresAt.getTime() - Math.max(SHORTEST_WARNING_MS, Math.min(LONGEST_WARNING_MS, share)))
}
