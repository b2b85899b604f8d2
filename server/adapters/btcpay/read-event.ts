import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { RawEvent, ReadEvent } from '#server/core/gateways/gateway.ts'

const SIGNATURE_HEADER = 'btcpay-sig'
const PREFIX = 'sha256='

const eventSchema = z.object({
  deliveryId: z.string().min(1).max(100),
  /** The id of the first delivery of a webhook event, if BTCPay sends the event again. */
  originalDeliveryId: z.string().max(100).nullish(),
  storeId: z.string().max(100).nullish(),
  invoiceId: z.string().max(100).nullish(),
  metadata: z.object({ orderId: z.unknown() }).partial().nullish().catch(null),
})

/** Reads a webhook event. Every signed event is accepted, because BTCPay never repeats an event that got a 4xx. */
export function readBtcpayEvent(secrets: readonly string[], { headers, body }: RawEvent): ReadEvent | null {
  const signature = headers[SIGNATURE_HEADER] ?? ''
  if (!secrets.some((secret) => isSigned(secret, body, signature))) return null
  const { deliveryId, originalDeliveryId, invoiceId, metadata } = eventSchema.parse(JSON.parse(body.toString('utf8')))
  const eventId = originalDeliveryId || deliveryId
  if (!invoiceId) return { eventId }
  // Our own order id is preferred, because the reply that told us the invoice id may have been lost.
  const orderId = metadata?.orderId
  return { eventId, ...(typeof orderId === 'string' ? { transactionId: orderId } : { providerId: invoiceId }) }
}

function isSigned(secret: string, body: Buffer, signature: string): boolean {
  const due = Buffer.from(PREFIX + createHmac('sha256', secret).update(body).digest('hex'))
  const given = Buffer.from(signature)
  return given.length === due.length && timingSafeEqual(given, due)
}
