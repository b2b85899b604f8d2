import type { RefundOrder, RefundOutcome } from '#server/core/gateways/gateway.ts'
import { keyOfRefund, listRefunds, paymentIdOf } from './facts.ts'
import { readRefund, toMoney, type YookassaRefund } from './objects.ts'
import { findSent } from './queries.ts'
import { receiptOfRefund } from './receipt.ts'
import type { Shop } from './shop.ts'

/** Refunds a payment, unless an earlier refund exists, because YooKassa forgets the idempotency key after a day. */
export async function refund(shop: Shop, order: RefundOrder, signal: AbortSignal): Promise<RefundOutcome> {
  const { reference, payment, amountMicros } = order
  const amount = toMoney(amountMicros, payment.currency)
  if (amount === null) return { outcome: 'refused', reason: 'YooKassa pays back whole kopecks' }
  const payment_id = await paymentIdOf(shop, payment, signal)
  if (payment_id === null) return { outcome: 'refused', reason: 'YooKassa knows no such payment' }
  const key = keyOfRefund(payment.transactionId, reference)
  const before = await findMade(shop, { payment_id, key }, signal)
  if (before !== null) return before
  const sent = await findSent(shop.db, payment.transactionId)
  const receipt = sent === null ? null : receiptOfRefund(sent.body, amount)
  const body = JSON.stringify({ payment_id, amount, description: key, ...(receipt !== null && { receipt }) })
  const answer = await shop.api.post('/refunds', { key, body }, signal)
  return answer.outcome === 'refused' ? answer : toOutcome(readRefund(answer.object))
}

export async function findRefund(
  shop: Shop,
  { reference, payment }: RefundOrder,
  signal: AbortSignal,
): Promise<RefundOutcome | null> {
  const payment_id = await paymentIdOf(shop, payment, signal)
  if (payment_id === null) return null
  return findMade(shop, { payment_id, key: keyOfRefund(payment.transactionId, reference) }, signal)
}

async function findMade(
  shop: Shop,
  { payment_id, key }: { payment_id: string; key: string },
  signal: AbortSignal,
): Promise<RefundOutcome | null> {
  const made = (await listRefunds(shop, payment_id, signal)).find(({ description }) => description === key)
  return made === undefined ? null : toOutcome(made)
}

function toOutcome({ id, status, cancellation_details: details }: YookassaRefund): RefundOutcome {
  if (status === 'canceled') return { outcome: 'refused', reason: `YooKassa: ${details?.reason ?? status}` }
  return { outcome: status === 'succeeded' ? 'done' : 'asked', providerId: id }
}
