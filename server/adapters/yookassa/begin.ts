import { HOUR } from '#contract/time.ts'
import { isSafe } from '#server/adapters/shared/ask-vendor.ts'
import type { Begun, PaymentOrder, RefusedPayment } from '#server/core/gateways/gateway.ts'
import { findCreated } from './find-created.ts'
import { readPayment, toMoney, type YookassaPayment } from './objects.ts'
import { findSent, notePaymentId, noteSending, type SentOrder } from './queries.ts'
import { makeReceipt } from './receipt.ts'
import type { Shop } from './shop.ts'

/**
 * The time for which a request may be repeated. YooKassa forgets its key after 24 hours and would start a new payment.
 */
const KEY_MEMORY_MS = 23 * HOUR

const METHODS: Record<string, string> = { card: 'bank_card', sbp: 'sbp' }

/** Starts a payment. A repeated call sends the first call's body, even if e-mail, language or settings have changed. */
export async function begin(shop: Shop, order: PaymentOrder, signal: AbortSignal): Promise<Begun | RefusedPayment> {
  const { db, clock, api, settings } = shop
  const { transactionId } = order
  const now = clock.now()
  const earlier = await findSent(db, transactionId)
  if (earlier !== null && now.getTime() - earlier.first_sent_at.getTime() > KEY_MEMORY_MS) {
    return findBegun(shop, { order, earlier }, signal)
  }
  const wanted = earlier === null ? describe(shop, order) : earlier
  if ('outcome' in wanted) return wanted
  const { body } = await noteSending(db, { transactionId, body: wanted.body, now })
  const answer = await api.post('/payments', { key: `begin-${transactionId}`, body }, signal)
  if (answer.outcome === 'refused') return answer
  const payment = readPayment(answer.object, order, settings.test)
  await notePaymentId(db, { transactionId, paymentId: payment.id })
  return toBegun(payment)
}

function describe({ code, settings }: Shop, order: PaymentOrder): { body: string } | RefusedPayment {
  const { transactionId, system, currency, locale, returnUrl, email } = order
  const amount = toMoney(order.amountMicros, currency)
  const type = METHODS[system.slice(code.length + 1)]
  if (amount === null || currency !== 'rub' || type === undefined) return refuse('takes roubles and kopecks')
  const receipt = settings.receipt === undefined ? undefined : makeReceipt(settings.receipt, { email, amount })
  if (receipt === null) return refuse('needs an e-mail for the receipt: set receipt.fallback_email')
  const confirmation = { type: 'redirect', return_url: returnUrl, locale: locale === 'ru' ? 'ru_RU' : 'en_US' }
  const body = JSON.stringify({
    amount,
    // The money would only be held without `capture`, and would return to the payer.
    capture: true,
    payment_method_data: { type },
    confirmation,
    description: settings.description[locale],
    metadata: { transaction_id: transactionId },
    receipt,
  })
  return { body }
}

async function findBegun(
  shop: Shop,
  { order, earlier }: { order: PaymentOrder; earlier: SentOrder },
  signal: AbortSignal,
): Promise<Begun | RefusedPayment> {
  const id = await findCreated(shop, { transactionId: order.transactionId, sent: earlier }, signal)
  const object = id === null ? null : await shop.api.get(`/payments/${encodeURIComponent(id)}`, signal)
  if (object === null) return refuse('begins no payment by a key of more than a day ago')
  return toBegun(readPayment(object, order, shop.settings.test))
}

function toBegun({ id, status, confirmation }: YookassaPayment): Begun | RefusedPayment {
  const url = confirmation?.confirmation_url
  if (status !== 'pending' || typeof url !== 'string' || !isSafe(url))
    return refuse(`gave no page to pay on: ${status}`)
  return { outcome: 'begun', providerId: id, guidance: { form: 'redirect', url } }
}

function refuse(why: string): RefusedPayment {
  return { outcome: 'refused', reason: `YooKassa ${why}` }
}
