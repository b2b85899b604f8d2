import { z } from 'zod'
import { MINUTE } from '#contract/time.ts'
import { notePaymentId, type SentOrder } from './queries.ts'
import type { Shop } from './shop.ts'

const AROUND_MS = 10 * MINUTE

/** A listed payment. Payments of other programs in the same shop have other metadata, or none. */
const listedSchema = z.object({
  id: z.string().min(1).max(100),
  metadata: z.object({ transaction_id: z.unknown().optional() }).nullish(),
})

/** Searches YooKassa's payments for our id, as the last resort after a lost reply. Returns null if none was created. */
export async function findCreated(
  { api, db }: Pick<Shop, 'api' | 'db'>,
  { transactionId, sent }: { transactionId: string; sent: SentOrder },
  signal: AbortSignal,
): Promise<string | null> {
  if (sent.payment_id !== null) return sent.payment_id
  const around = {
    'created_at.gte': new Date(sent.first_sent_at.getTime() - AROUND_MS).toISOString(),
    'created_at.lte': new Date(sent.last_sent_at.getTime() + AROUND_MS).toISOString(),
  }
  for (const item of await api.list('/payments', around, signal)) {
    const { id, metadata } = listedSchema.parse(item)
    if (metadata?.transaction_id !== transactionId) continue
    await notePaymentId(db, { transactionId, paymentId: id })
    return id
  }
  return null
}
