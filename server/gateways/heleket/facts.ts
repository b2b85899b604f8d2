import { type Exact, shareOf, toMicros } from '#server/gateways/exact-decimal.ts'
import type { KnownPayment, PaymentFacts } from '#server/gateways/gateway.ts'
import type { HeleketInvoice } from './api.ts'

/** `paidIn`: the currency of `payment_amount`. `accuracyPercent`: how much less still is paid. */
export type Reading = { paidIn: 'payer' | 'invoice'; accuracyPercent: number }

type Meaning = {
  progress: PaymentFacts['progress']
  /** `whole`: what was asked for. `late`: what came although nobody waited, with its transaction. */
  arrived: 'nothing' | 'whole' | 'more' | 'less' | 'late' | 'before-refund'
  refund?: 'done' | 'failed'
}

/** Nothing is credited before a status that lasts: less money may be topped up, and locked money may never be ours. */
const MEANINGS: Record<string, Meaning> = {
  check: { progress: 'pending', arrived: 'nothing' },
  process: { progress: 'confirming', arrived: 'nothing' },
  confirm_check: { progress: 'confirming', arrived: 'nothing' },
  wrong_amount_waiting: { progress: 'confirming', arrived: 'nothing' },
  locked: { progress: 'confirming', arrived: 'nothing' },
  paid: { progress: 'pending', arrived: 'whole' },
  paid_over: { progress: 'pending', arrived: 'more' },
  wrong_amount: { progress: 'expired', arrived: 'less' },
  cancel: { progress: 'expired', arrived: 'late' },
  fail: { progress: 'failed', arrived: 'nothing' },
  system_fail: { progress: 'failed', arrived: 'nothing' },
  refund_process: { progress: 'pending', arrived: 'before-refund', refund: 'done' },
  refund_paid: { progress: 'pending', arrived: 'before-refund', refund: 'done' },
  refund_fail: { progress: 'pending', arrived: 'before-refund', refund: 'failed' },
}

/** A larger sum than this is rather another unit than another wish: staff look at it. */
const MOST_TIMES = 10n

/** Throws when the invoice is not the payment's, or says what cannot be. */
export function factsOf(invoice: HeleketInvoice, payment: KnownPayment, reading: Reading): PaymentFacts {
  requireSame(invoice, payment)
  const meaning = MEANINGS[invoice.status]
  if (meaning === undefined) throw new Error(`Heleket has a status that is not known here: ${invoice.status}`)
  const { progress, refund } = meaning
  const amountMicros = arrivedOf(meaning.arrived, { invoice, payment, reading })
  if (amountMicros === 0n) return { progress, deposits: [], reversals: [] }
  const { uuid, from } = invoice
  return {
    progress,
    deposits: [{ providerId: uuid, amountMicros, isTotal: true, ...(from && { payer: from }) }],
    // It tells no amount of a refund, so it is of the whole.
    reversals: refund === undefined ? [] : [{ kind: 'refund', providerId: uuid, amountMicros, state: refund }],
  }
}

export function requireSame(invoice: HeleketInvoice, payment: Omit<KnownPayment, 'userId' | 'createdAt'>): void {
  const isSame =
    invoice.order_id === payment.transactionId &&
    invoice.currency.toLowerCase() === payment.currency &&
    toMicros(invoice.amount) === payment.amountMicros &&
    (payment.providerId === null || payment.providerId === invoice.uuid)
  if (!isSame) throw new Error(`Heleket answered about another invoice: ${invoice.uuid} of ${invoice.order_id}`)
}

type Seen = { invoice: HeleketInvoice; payment: KnownPayment; reading: Reading }

function arrivedOf(arrived: Meaning['arrived'], seen: Seen): bigint {
  const asked = seen.payment.amountMicros
  switch (arrived) {
    case 'nothing':
      return 0n
    case 'whole':
      return asked
    case 'more': {
      const share = paidShare(seen)
      return share === null || share < asked ? asked : share
    }
    case 'less': {
      const share = paidShare(seen)
      if (share === null || share >= asked) throw new Error('Heleket says less has come, and not how much')
      return share
    }
    case 'late':
      return seen.invoice.txid ? (paidShare(seen) ?? 0n) : 0n
    case 'before-refund': {
      const share = paidShare(seen)
      if (share === null) throw new Error('Heleket says of a refund not how much had come')
      const isPaid = share < asked && share * 100n >= asked * BigInt(100 - seen.reading.accuracyPercent)
      return isPaid ? asked : share
    }
    default:
      return arrived satisfies never
  }
}

/** What has come, in the currency of the payment; null when that is not told. */
function paidShare({ invoice, payment, reading }: Seen): bigint | null {
  const { payment_amount: paid, payer_amount: due, amount, currency, payer_currency } = invoice
  if (paid == null || paid.units <= 0n) return null
  const isOneCurrency = reading.paidIn === 'invoice' || payer_currency?.toLowerCase() === currency.toLowerCase()
  const whole: Exact | null | undefined = isOneCurrency ? amount : due
  if (whole == null || whole.units <= 0n) return null
  const share = shareOf(payment.amountMicros, paid, whole)
  if (share <= payment.amountMicros * MOST_TIMES) return share
  throw new Error('Heleket says far more has come than was asked for: payment:settle by hand, if that is so')
}
