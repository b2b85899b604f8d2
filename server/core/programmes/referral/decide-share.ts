import { type Currency, MICROS_PER_UNIT } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import type { DueShare, InvitationState, SettledShare } from './queries/settle.ts'

const RATE_AGAIN_MS = 10 * MINUTE

export type Rate = { rub_micros: bigint; source: string }

/**
 * Computes the value and state of a referral share, the referrer's reward for what an invited user paid. Only
 * `available` shares are paid out.
 */
export function decideShare(
  share: DueShare,
  known: { now: Date; invitation: InvitationState; othersMicros: bigint; mostMicros: bigint | null; rate: Rate | null },
): SettledShare {
  const { now, invitation, othersMicros, mostMicros } = known
  const isCrossing = share.base_currency !== share.currency
  const rate = isCrossing ? (share.rate_micros ?? known.rate?.rub_micros ?? null) : null
  const rateSource = share.rate_micros === null && rate !== null ? (known.rate?.source ?? null) : share.rate_source
  const settled = { ...share, rate_micros: rate, rate_source: rateSource, lookAt: null }
  if (share.state === 'refused' || (share.state === 'pending' && invitation === 'barred')) {
    return { ...settled, state: 'refused', due_micros: 0n }
  }
  if (isCrossing && rate === null) return { ...settled, lookAt: new Date(now.getTime() + RATE_AGAIN_MS) }
  const worth = worthOf(share, rate)
  const room = mostMicros === null ? worth : mostMicros - othersMicros
  // A limit that changes later does not reduce an amount that was already promised.
  const limit = room > share.due_micros ? room : share.due_micros
  const due = worth < limit ? worth : limit
  if (share.state === 'available') return { ...settled, due_micros: due }
  // A share under suspicion waits for staff, whose decision makes it due again.
  if (invitation === 'suspected') return { ...settled, due_micros: due }
  const isOver = share.available_at <= now
  return {
    ...settled,
    due_micros: due,
    state: isOver ? 'available' : 'pending',
    lookAt: isOver ? null : share.available_at,
  }
}

/**
 * Returns the value of a referral share, rounded down once. `rate` is the number of roubles for a dollar, in micros.
 */
export function worthOf(
  share: {
    gross_micros: bigint
    back_micros: bigint
    percent: number
    base_currency: Currency
    currency: Currency
  },
  rate: bigint | null,
): bigint {
  const left = share.gross_micros - share.back_micros
  const hundredfold = (left > 0n ? left : 0n) * BigInt(share.percent)
  if (share.base_currency === share.currency) return hundredfold / 100n
  if (rate === null) return 0n
  return share.currency === 'rub'
    ? (hundredfold * rate) / (100n * MICROS_PER_UNIT)
    : (hundredfold * MICROS_PER_UNIT) / (100n * rate)
}
