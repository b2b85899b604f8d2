import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import { findRental } from '#server/core/numbers/rentals/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import type { Given } from '../call.ts'
import type { Order } from './order-record.ts'

const ID = /^\d{1,15}$/

/**
 * Finds an activation or a rental, whose ids come from ranges far apart. Returns null if the order does not exist, is
 * not bought yet, or belongs to another user.
 */
export async function findOrder(ctx: Context, userId: number, { id: text = '' }: Given): Promise<Order | null> {
  if (!ID.test(text)) return null
  const id = Number(text)
  const activation = await findActivation(ctx.db, { id, userId })
  if (activation !== null) return isMade(activation) ? { kind: 'activation', row: activation } : null
  const rental = await findRental(ctx.db, { id, userId })
  return rental !== null && isMade(rental) ? { kind: 'rental', row: rental } : null
}

/** Returns true if a number was bought for the order. Before that, the buyer does not know the order's id. */
const isMade = ({ state }: { state: string }): boolean => state !== 'reserving' && state !== 'failed'
