import type { RentalRecord } from '#contract/rental.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'

/** All verbs except `extend` (a dialog) and `dismiss` are calls of `/api/v1/rentals/{id}/…`. */
export type RentalVerb = 'extend' | 'cancel' | 'finish' | 'dismiss'

export type RentalAction = {
  verb: RentalVerb
  /** The number of seconds until the action is no longer possible; null if that time is not near. */
  closesInSeconds: number | null
}

/** Returns a rental's actions, the refunding one first; none after its end, as only the server knows the outcome. */
export function rentalActions(record: RentalRecord, nowMs: number): RentalAction[] {
  if (record.final) return [{ verb: 'dismiss', closesInSeconds: null }]
  if (record.state === 'reserving' || secondsUntil(record.expired_date, nowMs) === 0) return []
  const { cancel_until: until, messages_count: count } = record
  const cancelSeconds = until === null || count > 0 ? 0 : secondsUntil(until, nowMs)
  return [
    { verb: 'extend', closesInSeconds: null },
    cancelSeconds > 0 ? { verb: 'cancel', closesInSeconds: cancelSeconds } : { verb: 'finish', closesInSeconds: null },
  ]
}
