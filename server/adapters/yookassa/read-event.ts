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
    /** Of a refund. */
    payment_id: word.optional(),
    metadata: z.object({ transaction_id: word.optional() }).nullish().catch(undefined),
    refunded_amount: z.object({ value: word }).nullish(),
  }),
})

/**
 * Nothing is signed, so only YooKassa's addresses are heard, and what they say is no more than which payment to ask about.
 * A notification has no id: one is made of what it tells, so that a repeat has the same.
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
