import type { BlockList } from 'node:net'
import { isIPv6 } from 'node:net'
import { z } from 'zod'
import type { RawEvent, ReadEvent } from '#server/core/gateways/gateway.ts'
import { openSigned } from './sign.ts'

const eventSchema = z.object({
  uuid: z.string().min(1).max(64),
  order_id: z.string().max(128).nullish(),
  status: z.string().max(40),
  txid: z.string().max(255).nullish(),
  payment_amount: z.string().max(60).nullish(),
})

/**
 * Reads a webhook. Returns null if its signature is wrong or its IP address is not in `allowed`; a null `allowed`
 * admits all. The signature covers no time, but a replay causes at most one more query. A webhook about a refund always
 * causes a query.
 */
export function readHeleketEvent(
  { key, allowed }: { key: string; allowed: BlockList | null },
  { body, address, receivedAt }: RawEvent,
): ReadEvent | null {
  if (allowed !== null && !allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return null
  const unsigned = openSigned(body, key)
  if (unsigned === null) return null
  const { uuid, order_id, status, txid, payment_amount } = eventSchema.parse(JSON.parse(unsigned.toString('utf8')))
  // A failed refund may be tried again, and the webhook does not tell which attempt it is about.
  const heard = status.startsWith('refund_') ? [receivedAt.toISOString()] : []
  // The event id contains transaction and sum, because the next partial payment may have the same status.
  const eventId = [uuid, status, txid ?? '', payment_amount ?? '', ...heard].join(' ')
  return { eventId, ...(order_id ? { transactionId: order_id } : { providerId: uuid }) }
}
