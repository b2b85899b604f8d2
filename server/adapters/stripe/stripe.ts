import Stripe from 'stripe'
import { z } from 'zod'
import { MINUTE, SECOND } from '#contract/time.ts'
import { apiUrl } from '#server/adapters/shared/ask-vendor.ts'
import { describeSystems, readSettings, systemsSchema } from '#server/adapters/shared/system-settings.ts'
import type { Gateway, GatewayRow, PaymentOrder } from '#server/core/gateways/gateway.ts'
import type { Context } from '#server/house/context.ts'
import { readFacts } from './facts.ts'
import { readStripeEvent } from './read-event.ts'
import { findRefund, refund } from './refund.ts'

/** The millionths in a cent or a kopeck, in which Stripe counts. */
const MICROS_PER_CENT = 10_000n
/** The time-out of one attempt. The caller's time-out ends all attempts. */
const ATTEMPT_MS = 8 * SECOND
/** The minutes until a checkout session ends: the default, and the limits that Stripe allows. */
const OPEN_MINUTES = { least: 31, standard: 60, most: 1_440 }

const settingsSchema = z.strictObject({
  secret_key: z.string().regex(/^[sr]k_(?:test|live)_\w+$/, 'is a secret key: sk_live_…'),
  /** Several secrets may be valid while one is being replaced. */
  webhook_secrets: z
    .array(z.string().regex(/^whsec_\w+$/, 'is a signing secret: whsec_…'))
    .min(1)
    .max(3),
  product_name: z.string().min(1).max(100).default('Balance top-up'),
  /** A different URL of Stripe's API. It must use TLS or be on this machine. */
  api_url: apiUrl.optional(),
  systems: systemsSchema,
})

/**
 * Accepts cards through Stripe Checkout (docs.stripe.com/checkout/fulfillment). Only Stripe's reply about a session is
 * credited, because an event is only a hint.
 */
export function createStripe(_ctx: Context, row: GatewayRow): Gateway {
  const settings = readSettings(settingsSchema, row.settings)
  const stripe = new Stripe(settings.secret_key, {
    ...addressOf(settings.api_url),
    timeout: ATTEMPT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  })
  const systems = describeSystems(row.code, settings.systems, [
    {
      suffix: '',
      form: 'redirect',
      mark: 'card',
      names: { en: 'Bank card', ru: 'Банковская карта' },
      limits: { usd: { minMicros: 5_000_000n, maxMicros: 500_000_000n } },
      minutes: 1,
      lifetimeMs: OPEN_MINUTES.standard * MINUTE,
      isCard: true,
    },
  ])
  for (const { lifetimeMs } of systems) {
    const minutes = lifetimeMs / MINUTE
    if (minutes < OPEN_MINUTES.least || minutes > OPEN_MINUTES.most) {
      throw new Error(`systems: open_minutes is from ${OPEN_MINUTES.least} to ${OPEN_MINUTES.most} at Stripe`)
    }
  }
  return {
    id: row.id,
    code: row.code,
    systems,
    async begin(order) {
      const session = await stripe.checkout.sessions.create(toSession(order, settings.product_name), {
        idempotencyKey: `begin-${order.transactionId}`,
      })
      if (session.url === null) return { outcome: 'refused', reason: 'Stripe gave no page to pay on' }
      return { outcome: 'begun', providerId: session.id, guidance: { form: 'redirect', url: session.url } }
    },
    async fetch(payment) {
      // No buyer saw the session if its id was not stored, so nobody has paid.
      if (payment.providerId === null) return null
      return readFacts(stripe, payment.providerId, payment)
    },
    async close({ providerId, transactionId }) {
      if (providerId === null) throw new Error('there is no session to close')
      await stripe.checkout.sessions.expire(providerId, {}, { idempotencyKey: `close-${transactionId}` })
    },
    refund: (order) => refund(stripe, order),
    findRefund: (order) => findRefund(stripe, order),
    readEvent: (event) => readStripeEvent(stripe, settings.webhook_secrets, event),
  }
}

function addressOf(url: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (url === undefined) return {}
  const { protocol, hostname, port } = new URL(url)
  const isPlain = protocol === 'http:'
  return { protocol: isPlain ? 'http' : 'https', host: hostname, ...(port !== '' && { port: Number(port) }) }
}

/** Makes a session's parameters, always equal for an order, or Stripe would refuse the repeated idempotency key. */
function toSession(order: PaymentOrder, productName: string): Stripe.Checkout.SessionCreateParams {
  const { transactionId, amountMicros, currency, returnUrl } = order
  const metadata = { transaction_id: transactionId }
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency,
          unit_amount: Number(amountMicros / MICROS_PER_CENT),
          product_data: { name: productName },
        },
      },
    ],
    success_url: returnUrl,
    cancel_url: returnUrl,
    client_reference_id: transactionId,
    metadata,
    // Refunds and disputes refer to the payment intent, not to the session.
    payment_intent_data: { metadata },
    expires_at: Math.floor(order.expiresAt.getTime() / SECOND),
    locale: order.locale,
  }
}
