import type { PaymentState } from '#contract/payment.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'

/** The time within which a request to create a payment may still reach the gateway after its reply was lost. */
export const UNKNOWN_AFTER_MS = 2 * MINUTE

/** The growing pauses between polls of an open payment, or of any payment that the gateway did not answer about. */
const PAUSES_MS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]
const LATE_PAUSE_MS = 6 * HOUR
/** The time for which ended payments are polled; later money is found by `payment:recheck` or reported by a webhook. */
const LATE_FOR_MS = 7 * DAY
/** Banks may take back money this late, so payments are polled for refunds and disputes whose webhook was lost. */
const WATCHED_FOR_MS = 120 * DAY
const LONGEST_PAUSE_MS = 7 * DAY

type Checked = { state: PaymentState; checks: number; created_at: Date; expires_at: Date }
type Known = {
  awaitsReversal?: boolean
  /** True if the gateway did not answer the last poll, or knows nothing of the payment. */
  isUnanswered?: boolean
  isMoreComing?: boolean
  leastPauseMs?: number | undefined
}

/**
 * Returns the time of a payment's next poll; null if no further change is expected. An open payment never gets null.
 */
export function nextCheckAt(payment: Checked, now: Date, known: Known = {}): Date | null {
  const { awaitsReversal = false, isUnanswered = false, isMoreComing = false, leastPauseMs = 0 } = known
  const soonMs = isUnanswered ? PAUSES_MS[payment.checks] : undefined
  const usualMs = awaitsReversal ? (soonMs ?? LATE_PAUSE_MS) : pauseAfter(payment, now, isUnanswered)
  const pauseMs = isMoreComing ? Math.min(usualMs ?? HOUR, HOUR) : usualMs
  return pauseMs === null ? null : new Date(now.getTime() + Math.max(leastPauseMs, pauseMs))
}

function pauseAfter(payment: Checked, now: Date, isUnanswered: boolean): number | null {
  const { state, checks, created_at: createdAt, expires_at: expiresAt } = payment
  const [ageMs, lateByMs] = [now.getTime() - createdAt.getTime(), now.getTime() - expiresAt.getTime()]
  const pause = PAUSES_MS[checks]
  switch (state) {
    case 'created':
    case 'pending':
    case 'confirming':
      if (lateByMs > LATE_FOR_MS) return LATE_PAUSE_MS
      return untilDue(payment, now, pause ?? HOUR)
    case 'expired':
    case 'failed':
      if (isUnanswered) return pause ?? (ageMs > WATCHED_FOR_MS ? null : growing(ageMs / 8, DAY))
      if (lateByMs > LATE_FOR_MS) return null
      return lateByMs > 0 ? LATE_PAUSE_MS : untilDue(payment, now, pause ?? HOUR)
    case 'partial':
    case 'paid':
    case 'refunded':
    case 'disputed':
      // A failed poll does not end the polling, because the awaited refund or dispute may still change.
      if (isUnanswered) return pause ?? growing(ageMs / 8, DAY)
      if (state === 'partial' && lateByMs <= LATE_FOR_MS) return lateByMs > 0 ? LATE_PAUSE_MS : (pause ?? HOUR)
      return ageMs > WATCHED_FOR_MS ? null : Math.max(DAY, growing(ageMs / 2, LONGEST_PAUSE_MS))
    default:
      return state satisfies never
  }
}

function growing(ms: number, mostMs: number): number {
  return Math.min(Math.max(ms, LATE_PAUSE_MS), mostMs)
}

/** Shortens the pause so that the page soon shows that a payment never began or is over. */
function untilDue({ state, created_at, expires_at }: Checked, now: Date, pauseMs: number): number {
  const unknownInMs = created_at.getTime() + UNKNOWN_AFTER_MS - now.getTime()
  const overInMs = expires_at.getTime() - now.getTime()
  const turnInMs = state === 'created' && unknownInMs >= 0 ? Math.min(unknownInMs, overInMs) : overInMs
  return turnInMs >= 0 ? Math.min(pauseMs, turnInMs + SECOND) : pauseMs
}
