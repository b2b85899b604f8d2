import type { RentalRecord } from '#contract/rental.ts'
import { secondsUntil } from '#web/ui/time/time-left.ts'

/** What a person can ask of a rented number. All but `extend` (a dialog) and `dismiss` are calls of `/api/v1/rentals/{id}/…`. */
export type RentalVerb = 'extend' | 'cancel' | 'finish' | 'dismiss'
export type RentalAction = {
  verb: RentalVerb
  /** Seconds for which it is still offered; null when that is not about to end. */
  closesInSeconds: number | null
}

/**
 * The actions a rental offers at `nowMs`, in the order they stand. Until `cancel_until` it is cancelled with the money back,
 * and only then finished without: the two mean the same to the number. Once the time is over only the server knows the
 * outcome, so a rental that has not ended yet offers nothing until it is asked.
 */
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
