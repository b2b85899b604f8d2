import { OPEN_PAYMENT_STATES, type PaymentState } from '#contract/payment.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'

/** A payment that no webhook told of is asked for with growing pauses. */
const PAUSES_MS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR]
const LATE_PAUSE_MS = 6 * HOUR
/** Money that comes later is found by `payment:recheck`, or told by a webhook. */
const LATE_FOR_MS = 7 * DAY

const OPEN: readonly PaymentState[] = OPEN_PAYMENT_STATES

/** Null: nothing more is expected. `awaitsReversal`: a refund is under way, or a dispute is open. */
export function nextCheckAt(
  payment: { state: PaymentState; checks: number; expires_at: Date },
  now: Date,
  { awaitsReversal = false, leastPauseMs = 0 }: { awaitsReversal?: boolean; leastPauseMs?: number | undefined } = {},
): Date | null {
  if (awaitsReversal) return new Date(now.getTime() + LATE_PAUSE_MS)
  const lateByMs = now.getTime() - payment.expires_at.getTime()
  if (!OPEN.includes(payment.state) && !['partial', 'expired', 'failed'].includes(payment.state)) return null
  if (lateByMs > LATE_FOR_MS) return null
  const pause = PAUSES_MS[payment.checks] ?? PAUSES_MS.at(-1) ?? HOUR
  // Its end is shown in time.
  const untilEnd = -lateByMs
  const wait = lateByMs > 0 && !OPEN.includes(payment.state) ? Math.max(pause, LATE_PAUSE_MS) : pause
  return new Date(now.getTime() + Math.max(leastPauseMs, untilEnd > 0 ? Math.min(wait, untilEnd + SECOND) : wait))
}
