import type Stripe from 'stripe'
import type { KnownPayment, PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'

const MICROS_PER_CENT = 10_000n
/** The maximum number of refunds or disputes read for one payment. */
const MOST = 100

/** Requests a checkout session, its refunds and disputes. Throws if Stripe answers about another payment. */
export async function readFacts(stripe: Stripe, sessionId: string, payment: KnownPayment): Promise<PaymentFacts> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge'],
  })
  if (session.client_reference_id !== payment.transactionId || session.currency !== payment.currency) {
    throw new Error(`Stripe answered about ${session.client_reference_id} in ${session.currency}`)
  }
  const intent = session.payment_intent
  if (intent === null || typeof intent === 'string')
    return { progress: progressOf(session), deposits: [], reversals: [] }
  const isPaid = session.payment_status !== 'unpaid' && intent.amount_received > 0
  if (!isPaid) return { progress: progressOf(session, intent), deposits: [], reversals: [] }
  const of = { payment_intent: intent.id, limit: MOST }
  const [refunds, disputes] = await Promise.all([listRefunds(stripe, intent.id), stripe.disputes.list(of)])
  return {
    progress: 'pending',
    deposits: [{ providerId: intent.id, amountMicros: toMicros(intent.amount_received), ...payerOf(intent) }],
    reversals: [...refunds.map(readRefund), ...disputes.data.flatMap(readDispute)],
  }
}

export async function listRefunds(stripe: Stripe, payment_intent: string): Promise<Stripe.Refund[]> {
  return (await stripe.refunds.list({ payment_intent, limit: MOST })).data
}

/** Returns a session's progress. A complete but unpaid session waits for a slow payment method. */
function progressOf(session: Stripe.Checkout.Session, intent?: Stripe.PaymentIntent): PaymentFacts['progress'] {
  if (session.status === 'expired') return 'expired'
  if (session.status !== 'complete') return 'pending'
  return intent?.status === 'canceled' || intent?.status === 'requires_payment_method' ? 'failed' : 'confirming'
}

/** Returns the card's fingerprint, which is the same wherever the card pays (docs.stripe.com/api/charges/object). */
function payerOf({ latest_charge: charge }: Stripe.PaymentIntent): { payer?: string } {
  if (charge === null || typeof charge === 'string') return {}
  const payer = charge.payment_method_details?.card?.fingerprint
  return payer ? { payer } : {}
}

function readRefund({ id, amount, status, metadata }: Stripe.Refund): SeenReversal {
  const isFailed = status === 'failed' || status === 'canceled'
  const seen = { kind: 'refund', providerId: id, amountMicros: toMicros(amount) } as const
  return {
    ...seen,
    state: isFailed ? 'failed' : 'done',
    ...(metadata?.reference !== undefined && { reference: metadata.reference }),
  }
}

/** Reads a dispute. An inquiry (`warning_…`) and a prevented dispute move no money. */
function readDispute({ id, amount, status }: Stripe.Dispute): SeenReversal[] {
  const seen = { kind: 'dispute', providerId: id, amountMicros: toMicros(amount) } as const
  switch (status) {
    case 'needs_response':
    case 'under_review':
      return [{ ...seen, state: 'open' }]
    case 'won':
      return [{ ...seen, state: 'won' }]
    case 'lost':
      return [{ ...seen, state: 'lost' }]
    default:
      return []
  }
}

function toMicros(cents: number): bigint {
  return BigInt(cents) * MICROS_PER_CENT
}
