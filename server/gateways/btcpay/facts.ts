import { DAY, SECOND } from '#contract/time.ts'
import { nameReversal } from '#server/gateways/coins/name-reversal.ts'
import type { CoinDeposit, CreditedDeposit, KnownReversal } from '#server/gateways/coins/queries.ts'
import {
  type CoinArrival,
  depositsOf,
  isWaiting,
  LATE_AFTER_MS,
  wholeName,
} from '#server/gateways/coins/value-coins.ts'
import { boughtAt, type Exact, minus, NOTHING } from '#server/gateways/exact-decimal.ts'
import type { ArrivedDeposit, KnownPayment, PaymentFacts, SeenReversal } from '#server/gateways/gateway.ts'
import type { BtcpayInvoice, BtcpayMethod, BtcpayPayment } from './api.ts'

/** One invoice with what has come for it. `places`: how finely the method counts its coin. */
export type SeenInvoice = { invoice: BtcpayInvoice; method: BtcpayMethod; places: number }

/** BTCPay stops looking at `monitoringExpiration`; a payment that has not come back by then will not. */
const LOST_AFTER_MS = DAY

/** What has settled, in the order of its arrival: the first to come has the invoice's rate. */
export function arrivalsOf(
  { invoice, method, places }: SeenInvoice,
  { amountMicros }: KnownPayment,
  { asset, credited }: { asset: string; credited: readonly CreditedDeposit[] },
): CoinArrival[] {
  const settled = method.payments.filter(({ status }) => status === 'Settled').toSorted(byArrival)
  if (settled.length > 0 && method.rate.units <= 0n) throw new Error('BTCPay tells no rate of its invoice')
  const until = invoice.expirationTime * SECOND + LATE_AFTER_MS
  return settled.flatMap((payment) => {
    const coins = netOf(payment)
    if (coins.units <= 0n) return []
    const providerId = `${invoice.id}/${payment.id}`
    const inTime = payment.receivedDate * SECOND <= until ? coins : NOTHING
    const booked = credited.find((one) => one.provider_id === providerId)
    const due = boughtAt(amountMicros, method.rate, places)
    const arrival = { invoice: invoice.id, providerId, coins, inTime, due, asset }
    return [booked === undefined ? arrival : { ...arrival, bookedMicros: booked.amount_micros }]
  })
}

type Known = {
  /** All invoices of one order. */
  seen: readonly SeenInvoice[]
  /** What was valued of it, whatever has become of it since. */
  deposits: readonly CoinDeposit[]
  /** Names of those that are settled now. */
  there: ReadonlySet<string>
  credited: readonly CreditedDeposit[]
  /** Disputes that our books had before BTCPay was asked. */
  reversals: readonly KnownReversal[]
  now: Date
}

export function factsOf(payment: KnownPayment, known: Known): PaymentFacts {
  const { seen, deposits, there } = known
  const settled = deposits.filter(({ provider_id: providerId }) => there.has(providerId))
  const whole = seen.flatMap(({ invoice }) => wholeOf(invoice, payment))
  const arrived = settled.flatMap(depositsOf)
  return {
    progress: settled.some(isWaiting) ? 'confirming' : progressOf(seen),
    deposits: [...arrived, ...whole],
    reversals: vanished(payment, { ...known, arrived }),
  }
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

/** Credited, and not settled any more: replaced, spent twice, or lost with its block. Each time is a dispute of its own. */
function vanished(
  { amountMicros: asked }: KnownPayment,
  { seen, there, credited, reversals, arrived, now }: Known & { arrived: readonly ArrivedDeposit[] },
): SeenReversal[] {
  const ends = seen.map(({ invoice }) => invoice.monitoringExpiration * SECOND)
  const isOver = now.getTime() > Math.max(...ends) + LOST_AFTER_MS
  const isOf = (id: string, mark: string) => seen.some(({ invoice }) => id.startsWith(`${invoice.id}${mark}`))
  const completed = credited.filter(({ provider_id: id }) => isOf(id, ':whole'))
  const paid = credited.filter(({ provider_id: id }) => !isOf(id, ':whole'))
  const stands = ({ provider_id: id }: CreditedDeposit) => !isOf(id, '/') || there.has(wholeName(id))
  const fresh = arrived.filter(({ providerId }) => credited.every(({ provider_id: id }) => id !== providerId))
  const micros = sumOf(paid.filter(stands)) + fresh.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
  // What completed the sum was for payments that were worth the rest of it.
  const isComplete = micros >= asked - sumOf(completed)
  return credited.flatMap((deposit) => {
    const { provider_id: id, amount_micros: amountMicros } = deposit
    const isWhole = isOf(id, ':whole')
    // What staff credited by hand is no payment of BTCPay's, and parts of a cent credit nothing.
    if (amountMicros === 0n || !(isWhole || isOf(id, '/'))) return []
    const isThere = isWhole ? isComplete : stands(deposit)
    const providerId = nameReversal(id, { known: reversals, isTaken: !isThere })
    return [{ kind: 'dispute', providerId, amountMicros, state: isThere ? 'won' : isOver ? 'lost' : 'open' }]
  })
}

function sumOf(deposits: readonly CreditedDeposit[]): bigint {
  return deposits.reduce((sum, { amount_micros: micros }) => sum + micros, 0n)
}

/** The fee is what BTCPay asks for a further output, and does not count towards the invoice. */
function netOf({ value, fee }: BtcpayPayment): Exact {
  const net = fee == null ? value : minus(value, fee)
  return net.units > 0n ? net : NOTHING
}

function byArrival(one: BtcpayPayment, other: BtcpayPayment): number {
  return one.receivedDate - other.receivedDate || (one.id < other.id ? -1 : 1)
}
