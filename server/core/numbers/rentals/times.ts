import { DAY, HOUR, MINUTE } from '#contract/time.ts'

/** A rental can be cancelled this long, unless a message comes first (docs/numbers.md). */
export const CANCEL_MS = 20 * MINUTE

/** An extension without a reply is released after this. A later grant costs us, not the buyer. */
export const EXTENSION_LIMIT_MS = 10 * MINUTE

/** A rental ends at most this long from now, however often it is extended. */
export const MAX_TOTAL_MS = 180 * DAY

/** The buyer is warned when a tenth of the time is left, within these bounds. */
const SHORTEST_WARNING_MS = HOUR

const LONGEST_WARNING_MS = DAY

const WARNING_SHARE = 0.1

export function warnAt(expiresAt: Date, hours: number): Date {
  const share = hours * HOUR * WARNING_SHARE
  return new Date(expiresAt.getTime() - Math.max(SHORTEST_WARNING_MS, Math.min(LONGEST_WARNING_MS, share)))
}
