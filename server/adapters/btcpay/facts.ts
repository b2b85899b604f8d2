import { DAY, SECOND } from '#contract/time.ts'
import { nameReversal } from '#server/adapters/shared/coins/name-reversal.ts'
import type { CreditedDeposit, KnownReversal } from '#server/adapters/shared/coins/queries.ts'
import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import type { SeenInvoice } from './arrivals.ts'
import { isPaymentOf, isWhole, type Level } from './level.ts'

/** BTCPay stops watching at `monitoringExpiration`. A payment still missing a day later will not return. */
const LOST_AFTER_MS = DAY

type Known = {
  seen: readonly SeenInvoice[]
  level: Level
  isUnvalued: boolean
  credited: readonly CreditedDeposit[]
  reversals: readonly KnownReversal[]
  now: Date
}

export function factsOf(known: Known): PaymentFacts {
  const { seen, level, isUnvalued } = known
  return {
    progress: isUnvalued ? 'confirming' : progressOf(seen),
    deposits: level.fresh,
    reversals: vanished(known),
  }
}

/**
 * Returns the order's progress. Pending payments count as well, because an `Expired` invoice with a late payment never
 * becomes `Settled`. Coins of an `Invalid` invoice may still confirm.
 */
function progressOf(seen: readonly SeenInvoice[]): PaymentFacts['progress'] {
  const all = seen.map(({ invoice: { status }, method }): PaymentFacts['progress'] => {
    const isComing = method.payments.some((payment) => payment.status === 'Processing')
    switch (status) {
      case 'Processing':
        return 'confirming'
      case 'New':
      case 'Settled':
        return isComing ? 'confirming' : 'pending'
      case 'Expired':
        return isComing ? 'confirming' : 'expired'
      case 'Invalid':
        return 'failed'
      default:
        return status satisfies never
    }
  })
  return (['confirming', 'pending', 'failed', 'expired'] as const).find((one) => all.includes(one)) ?? 'pending'
}

/** Reports credited payments that were replaced, double-spent or lost with their block, each as its own dispute. */
function vanished({ seen, level, credited, reversals, now }: Known): SeenReversal[] {
  const ends = seen.map(({ invoice }) => invoice.monitoringExpiration * SECOND)
  const isOver = now.getTime() > Math.max(...ends) + LOST_AFTER_MS
  return credited.flatMap((deposit) => {
    const { provider_id: id, amount_micros: amountMicros } = deposit
    // A deposit below one cent credited nothing, so there is nothing to dispute.
    if (amountMicros === 0n || !(isPaymentOf(deposit, seen) || isWhole(deposit, seen))) return []
    const isThere = level.standing.has(id)
    const providerId = nameReversal(id, { known: reversals, isTaken: !isThere })
    return [{ kind: 'dispute', providerId, amountMicros, state: isThere ? 'won' : isOver ? 'lost' : 'open' }]
  })
}
