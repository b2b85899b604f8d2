import { DAY, HOUR, MINUTE } from '#contract/time.ts'

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

export function warnAt(expiresAt: Date, hours: number): Date {
  const share = hours * HOUR * WARNING_SHARE
  return new Date(expiresAt.getTime() - Math.max(SHORTEST_WARNING_MS, Math.min(LONGEST_WARNING_MS, share)))
}
