import type Stripe from 'stripe'
import { z } from 'zod'
import type { RawEvent, ReadEvent } from '#server/core/gateways/gateway.ts'

const SIGNATURE_HEADER = 'stripe-signature'
/** The tolerated age of a signature at arrival, as Stripe recommends. A stored event may be read again later. */
const TOLERANCE_SECONDS = 300

const eventSchema = z.object({
  id: z.string().min(1).max(255),
  /** Stripe's thin events contain no object, and its balance object has no id. */
  data: z
    .object({
      object: z.object({
        id: z.string().max(255).optional(),
        object: z.string().max(100).optional(),
        payment_intent: z.string().max(255).nullish().catch(undefined),
      }),
    })
    .optional(),
})

/** Reads a webhook event. Returns null if it is not genuine, and only its id if it concerns no payment. */
export function readStripeEvent(stripe: Stripe, secrets: readonly string[], event: RawEvent): ReadEvent | null {
  const signature = event.headers[SIGNATURE_HEADER]
  if (signature === undefined || !secrets.some((secret) => isSigned(stripe, secret, { event, signature }))) return null
  const { id: eventId, data } = eventSchema.parse(JSON.parse(event.body.toString('utf8')))
  const { id, object, payment_intent: intent } = data?.object ?? {}
  if (object === 'checkout.session' && id !== undefined) return { eventId, providerId: id }
  const depositId = object === 'payment_intent' ? id : intent
  return depositId ? { eventId, depositId } : { eventId }
}

function isSigned(
  stripe: Stripe,
  secret: string,
  { event, signature }: { event: RawEvent; signature: string },
): boolean {
  try {
    const receivedAtMs = event.receivedAt.getTime()
    stripe.webhooks.constructEvent(event.body, signature, secret, TOLERANCE_SECONDS, undefined, receivedAtMs)
    return true
  } catch {
    // The SDK throws for every fault of a signature, and for a body that is no JSON.
    return false
  }
}
