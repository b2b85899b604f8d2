import { DAY, SECOND } from '#contract/time.ts'
import { nameReversal } from '#server/adapters/shared/coins/name-reversal.ts'
import type { CreditedDeposit, KnownReversal } from '#server/adapters/shared/coins/queries.ts'
import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import type { SeenInvoice } from './arrivals.ts'
import { isPaymentOf, isWhole, type Level } from './level.ts'

/** BTCPay stops looking at `monitoringExpiration`; a payment that has not come back by then will not. */
const LOST_AFTER_MS = DAY

type Known = {
  /** All invoices of one order. */
  seen: readonly SeenInvoice[]
  level: Level
  /** Something has settled and is not valued. */
  isUnvalued: boolean
  credited: readonly CreditedDeposit[]
  /** Disputes that our books had before BTCPay was asked. */
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

/** `Expired` with a late payment never becomes `Settled`, and coins of `Invalid` may confirm: their payments count. */
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

/** Credited, and not settled any more: replaced, spent twice, or lost with its block. Each time is a dispute of its own. */
function vanished({ seen, level, credited, reversals, now }: Known): SeenReversal[] {
  const ends = seen.map(({ invoice }) => invoice.monitoringExpiration * SECOND)
  const isOver = now.getTime() > Math.max(...ends) + LOST_AFTER_MS
  return credited.flatMap((deposit) => {
    const { provider_id: id, amount_micros: amountMicros } = deposit
    // Parts of a cent credit nothing.
    if (amountMicros === 0n || !(isPaymentOf(deposit, seen) || isWhole(deposit, seen))) return []
    const isThere = level.standing.has(id)
    const providerId = nameReversal(id, { known: reversals, isTaken: !isThere })
    return [{ kind: 'dispute', providerId, amountMicros, state: isThere ? 'won' : isOver ? 'lost' : 'open' }]
  })
}
