import { SECOND } from '#contract/time.ts'
import type { CreditedDeposit } from '#server/adapters/shared/coins/queries.ts'
import { type CoinArrival, LATE_AFTER_MS, MOST_MICROS } from '#server/adapters/shared/coins/value-coins.ts'
import { boughtAt, type Exact, minus, NOTHING, shareOf } from '#server/adapters/shared/exact-decimal.ts'
import type { KnownPayment } from '#server/core/gateways/gateway.ts'
import { type BtcpayInvoice, type BtcpayMethod, type BtcpayPayment, INVALID_AMOUNT } from './api.ts'

export type SeenInvoice = { invoice: BtcpayInvoice; method: BtcpayMethod; places: number }

/** `held` lists settled payments with an impossible amount, which do not delay the valid payments. */
type Settled = { arrivals: CoinArrival[]; held: string[] }

/** Lists settled payments in the order of arrival, because the earliest payments get the rate of the invoice. */
export function arrivalsOf(
  { invoice, method, places }: SeenInvoice,
  { amountMicros }: KnownPayment,
  { asset, credited }: { asset: string; credited: readonly CreditedDeposit[] },
): Settled {
  const payments = method.payments.filter(({ status }) => status === 'Settled').toSorted(byArrival)
  const found: Settled = { arrivals: [], held: [] }
  if (payments.length === 0) return found
  if (method.rate.units <= 0n) throw new Error('BTCPay tells no rate of its invoice')
  const until = invoice.expirationTime * SECOND + LATE_AFTER_MS
  const due = boughtAt(amountMicros, method.rate, places)
  for (const payment of payments) {
    const coins = netOf(payment)
    const providerId = `${invoice.id}/${payment.id}`
    if (coins === INVALID_AMOUNT || shareOf(amountMicros, coins, due) > MOST_MICROS) found.held.push(providerId)
    else if (coins.units > 0n) {
      const inTime = payment.receivedDate * SECOND <= until ? coins : NOTHING
      const booked = credited.find((one) => one.provider_id === providerId)
      const arrival = { invoice: invoice.id, providerId, coins, inTime, due, asset }
      found.arrivals.push(booked === undefined ? arrival : { ...arrival, bookedMicros: booked.amount_micros })
    }
  }
  return found
}

/** Returns a payment's amount without its fee, because BTCPay does not count the fee towards the invoice. */
function netOf({ value, fee }: BtcpayPayment): Exact | typeof INVALID_AMOUNT {
  if (value === INVALID_AMOUNT || fee === INVALID_AMOUNT) return INVALID_AMOUNT
  const net = fee == null ? value : minus(value, fee)
  return net.units > 0n ? net : NOTHING
}

function byArrival(one: BtcpayPayment, other: BtcpayPayment): number {
  return one.receivedDate - other.receivedDate || (one.id < other.id ? -1 : 1)
}
