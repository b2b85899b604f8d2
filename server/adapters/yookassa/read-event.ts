import { z } from 'zod'
import type { RawEvent, ReadEvent } from '#server/core/gateways/gateway.ts'
import type { ShopSettings } from './shop-settings.ts'

const word = z.string().max(100)
const eventSchema = z.object({
  type: z.literal('notification'),
  event: word.min(1),
  object: z.object({
    id: word.min(1),
    status: word.optional(),
    payment_id: word.optional(),
    metadata: z.object({ transaction_id: word.optional() }).nullish().catch(undefined),
    refunded_amount: z.object({ value: word }).nullish(),
  }),
})

/**
 * Reads a notification. Notifications are not signed, so only YooKassa's IP addresses are accepted, and a notification
 * only tells which payment to query. A repeated notification has the same id, because it is derived from the content.
 */
export function readYookassaEvent(
  { webhook_addresses: isFromYookassa }: ShopSettings,
  { body, address }: RawEvent,
): ReadEvent | null {
  if (!isFromYookassa(address, 0)) return null
  const { event, object } = eventSchema.parse(JSON.parse(body.toString('utf8')))
  const { id, status = '', payment_id: paymentId, metadata, refunded_amount: refunded } = object
  const eventId = [event, id, status, refunded?.value ?? ''].join(' ')
  if (paymentId !== undefined) return { eventId, providerId: paymentId }
  const transactionId = metadata?.transaction_id
  return transactionId === undefined ? { eventId, providerId: id } : { eventId, transactionId }
}
