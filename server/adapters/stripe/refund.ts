import Stripe from 'stripe'
import type { RefundOrder, RefundOutcome } from '#server/core/gateways/gateway.ts'
import { listRefunds } from './facts.ts'

const MICROS_PER_CENT = 10_000n

type Found = { payment_intent: string; before: RefundOutcome | null }

/** Refunds a payment, unless an earlier refund exists, because Stripe forgets an idempotency key after a day. */
export async function refund(stripe: Stripe, order: RefundOrder): Promise<RefundOutcome> {
  const { reference, amountMicros } = order
  if (amountMicros % MICROS_PER_CENT !== 0n) return { outcome: 'refused', reason: 'Stripe pays back whole cents' }
  const found = await look(stripe, order)
  if (found === null) return { outcome: 'refused', reason: 'nothing was paid' }
  const { payment_intent, before } = found
  if (before !== null) return before
  try {
    const amount = Number(amountMicros / MICROS_PER_CENT)
    const asked = { payment_intent, amount, metadata: { reference } }
    return toOutcome(await stripe.refunds.create(asked, { idempotencyKey: `refund-${reference}` }))
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { outcome: 'refused', reason: error.message }
    throw error
  }
}

export async function findRefund(stripe: Stripe, order: RefundOrder): Promise<RefundOutcome | null> {
  return (await look(stripe, order))?.before ?? null
}

async function look(stripe: Stripe, { reference, payment }: RefundOrder): Promise<Found | null> {
  if (payment.providerId === null) return null
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(payment.providerId)
  if (intent === null) return null
  const payment_intent = typeof intent === 'string' ? intent : intent.id
  const made = (await listRefunds(stripe, payment_intent)).find(({ metadata }) => metadata?.reference === reference)
  return { payment_intent, before: made === undefined ? null : toOutcome(made) }
}

/** Treats a pending refund as done. It can still fail, and Stripe then sends an event. */
function toOutcome({ id, status }: Stripe.Refund): RefundOutcome {
  if (status === 'failed' || status === 'canceled') return { outcome: 'refused', reason: status }
  return { outcome: 'done', providerId: id }
}
