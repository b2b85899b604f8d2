import { type OrderReference, readOrderReference } from '#server/core/numbers/sourcing/order-reference.ts'
import type { Db } from '#server/house/db/pool.ts'
import { findFailOver } from '#server/house/nodes/timeline-queries.ts'

type Found = { reference: string; kind: OrderReference['kind']; order: { state: string } | null }

/**
 * Returns true if nobody waits for an order of ours that the supplier has: we were told that it does not exist, or a
 * fail-over lost it. An order is stored before the supplier is asked. Without a fail-over, an order that we do not know
 * belongs to another database with our name, such as the one that a copy was made of. An extension of a rental has a
 * name of its own, by which no order is stored.
 */
export async function isStray(db: Db, { reference, kind, order }: Found): Promise<boolean> {
  if (order !== null) return order.state === 'none' || order.state === 'refused'
  return readOrderReference(reference)?.kind === kind && (await findFailOver(db, '1 day')) !== null
}
