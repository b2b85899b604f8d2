import type { KnownPayment, PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import { findCreated } from './find-created.ts'
import { readPayment, readRefund, type YookassaPayment, type YookassaRefund } from './objects.ts'
import { findSent } from './queries.ts'
import type { Shop } from './shop.ts'

/** Requests a payment, and its refunds once it is paid. Throws if YooKassa answers about another payment. */
export async function readFacts(shop: Shop, known: KnownPayment, signal: AbortSignal): Promise<PaymentFacts | null> {
  const id = await paymentIdOf(shop, known, signal)
  if (id === null) return null
  const object = await shop.api.get(`/payments/${encodeURIComponent(id)}`, signal)
  if (object === null) return null
  const payment = readPayment(object, known, shop.settings.test)
  // No buyer saw the payment page yet, but a repeated call with the same key may lead a buyer there.
  if (payment.status === 'pending' && known.providerId === null) return null
  if (payment.status !== 'succeeded' || !payment.paid) {
    return { progress: progressOf(payment), deposits: [], reversals: [] }
  }
  const refunds = await listRefunds(shop, id, signal)
  return {
    progress: 'pending',
    deposits: [{ providerId: payment.id, amountMicros: payment.amount.value }],
    reversals: refunds.flatMap((one) => toReversal(one, known.transactionId)),
  }
}

/** Returns YooKassa's id of a payment, or null if YooKassa was never asked for it, or created none. */
export async function paymentIdOf(shop: Shop, known: KnownPayment, signal: AbortSignal): Promise<string | null> {
  if (known.providerId !== null) return known.providerId
  const { transactionId } = known
  const sent = await findSent(shop.db, transactionId)
  return sent === null ? null : findCreated(shop, { transactionId, sent }, signal)
}

/**
 * Returns a refund's idempotency key and description, with the payment's id, because installations may share a shop.
 */
export function keyOfRefund(transactionId: string, reference: string): string {
  return `${transactionId}-${reference}`
}

export async function listRefunds(
  { api }: Pick<Shop, 'api'>,
  paymentId: string,
  signal: AbortSignal,
): Promise<YookassaRefund[]> {
  const refunds = (await api.list('/refunds', { payment_id: paymentId }, signal)).map(readRefund)
  return refunds.filter(({ payment_id }) => payment_id === paymentId)
}

function progressOf({ status, cancellation_details: details }: YookassaPayment): PaymentFacts['progress'] {
  if (status === 'pending') return 'pending'
  if (status !== 'canceled') return 'confirming'
  return details?.reason === 'expired_on_confirmation' ? 'expired' : 'failed'
}

/** Reads a refund. A pending refund has moved no money. We poll ours, because no event reports a cancelled one. */
function toReversal({ id, amount, status, description }: YookassaRefund, transactionId: string): SeenReversal[] {
  if (status === 'pending') return []
  const state = status === 'succeeded' ? 'done' : 'failed'
  const ours = keyOfRefund(transactionId, '')
  const isOurs = description?.startsWith(ours) === true
  const seen = { kind: 'refund', providerId: id, amountMicros: amount.value, state } as const
  return [{ ...seen, ...(isOurs && { reference: description.slice(ours.length) }) }]
}
