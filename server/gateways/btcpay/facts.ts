import { DAY, SECOND } from '#contract/time.ts'
import { boughtAt, type Exact, minus, plus, shareOf } from '#server/gateways/exact-decimal.ts'
import type { ArrivedDeposit, KnownPayment, PaymentFacts, SeenReversal } from '#server/gateways/gateway.ts'
import type { BtcpayInvoice, BtcpayMethod, BtcpayPayment } from './api.ts'
import type { CreditedDeposit } from './queries.ts'

/** One invoice with what has come for it. `places`: how finely the method counts its coin. */
export type SeenInvoice = { invoice: BtcpayInvoice; method: BtcpayMethod; places: number }

const NOTHING: Exact = { units: 0n, places: 0 }
/** BTCPay stops looking at `monitoringExpiration`; a payment that has not come back by then will not. */
const LOST_AFTER_MS = DAY

/** `seen`: all invoices of one order. `credited`: what our books have of it. */
export function factsOf(
  payment: KnownPayment,
  { seen, credited, now }: { seen: readonly SeenInvoice[]; credited: readonly CreditedDeposit[]; now: Date },
): PaymentFacts {
  const settled = seen.flatMap((one) => depositsOf(one, payment))
  const whole = seen.flatMap(({ invoice }) => wholeOf(invoice, payment))
  return {
    progress: progressOf(seen),
    deposits: [...settled, ...whole],
    reversals: vanished(credited, { seen, settled, now }),
  }
}

/** Payments in the order of their arrival, each worth what it adds to the sum: so less than one cent is lost of all. */
function depositsOf({ invoice, method, places }: SeenInvoice, { amountMicros }: KnownPayment): ArrivedDeposit[] {
  const settled = method.payments.filter(({ status }) => status === 'Settled').toSorted(byArrival)
  if (settled.length > 0 && method.rate.units <= 0n) throw new Error('BTCPay tells no rate of its invoice')
  const due = boughtAt(amountMicros, method.rate, places)
  let [sum, worth] = [NOTHING, 0n]
  return settled.flatMap((payment) => {
    sum = plus(sum, netOf(payment))
    const before = worth
    worth = shareOf(amountMicros, sum, due)
    const micros = worth - before
    return micros > 0n ? [{ providerId: depositId(invoice, payment), amountMicros: micros }] : []
  })
}

/** Paid within its tolerance is paid. One that somebody marked so by hand says nothing about money. */
function wholeOf({ id, status, additionalStatus }: BtcpayInvoice, { amountMicros }: KnownPayment): ArrivedDeposit[] {
  if (status !== 'Settled' || additionalStatus === 'Marked') return []
  return [{ providerId: `${id}:whole`, amountMicros, isTotal: true }]
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

/** Credited, and not settled any more: replaced, spent twice, or lost with its block. */
function vanished(
  credited: readonly CreditedDeposit[],
  { seen, settled, now }: { seen: readonly SeenInvoice[]; settled: readonly ArrivedDeposit[]; now: Date },
): SeenReversal[] {
  const there = new Set(settled.map(({ providerId }) => providerId))
  const ends = seen.map(({ invoice }) => invoice.monitoringExpiration * SECOND)
  const isOver = now.getTime() > Math.max(...ends) + LOST_AFTER_MS
  return credited.flatMap(({ provider_id: providerId, amount_micros: amountMicros }) => {
    // What staff credited by hand, and what completed the sum, is no payment of BTCPay's.
    if (!seen.some(({ invoice }) => providerId.startsWith(`${invoice.id}/`))) return []
    const state = there.has(providerId) ? 'won' : isOver ? 'lost' : 'open'
    return [{ kind: 'dispute', providerId, amountMicros, state }]
  })
}

function depositId({ id }: BtcpayInvoice, payment: BtcpayPayment): string {
  return `${id}/${payment.id}`
}

/** The fee is what BTCPay asks for a further output, and does not count towards the invoice. */
function netOf({ value, fee }: BtcpayPayment): Exact {
  const net = fee == null ? value : minus(value, fee)
  return net.units > 0n ? net : NOTHING
}

function byArrival(one: BtcpayPayment, other: BtcpayPayment): number {
  return one.receivedDate - other.receivedDate || (one.id < other.id ? -1 : 1)
}
