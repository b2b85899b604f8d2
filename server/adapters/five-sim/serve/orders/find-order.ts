import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import type { Given } from '../call.ts'
import type { Order } from './order-record.ts'

const ID = /^\d{1,15}$/

/**
 * Finds an activation or a rental; their ids come from ranges far apart. Returns null if the order does not exist, is
 * not bought yet, or belongs to somebody else.
 */
export async function findOrder(ctx: Context, userId: number, { id: text = '' }: Given): Promise<Order | null> {
  if (!ID.test(text)) return null
  const id = Number(text)
  const activation = await findActivation(ctx.db, { id, userId })
  if (activation !== null) return isMade(activation) ? { kind: 'activation', row: activation } : null
  const rental = await findRental(ctx.db, { id, userId })
  return rental !== null && isMade(rental) ? { kind: 'rental', row: rental } : null
}

/** An order in another state is not made yet, or never: its buyer has no id. */
const isMade = ({ state }: { state: string }): boolean => state !== 'reserving' && state !== 'failed'
