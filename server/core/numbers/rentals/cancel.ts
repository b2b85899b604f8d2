import type { Context } from '#server/house/context.ts'
import { activationEnded, inProgress, rentCancelDenied } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announceRental } from './announce.ts'
import { endUnused } from './queries/end.ts'
import { findRental } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'

/**
 * Cancels a rental within the first minutes and before any message, and releases the money. Idempotent. Throws
 * NOT_FOUND, RENT_CANCEL_DENIED, ACTIVATION_ENDED or IN_PROGRESS.
 */
export async function cancelRental(ctx: Context, input: { rentalId: number; userId: number }): Promise<RentalRow> {
  const query = { id: input.rentalId, userId: input.userId }
  const found = await findRental(ctx.db, query)
  if (found === null) throw notFound()
  if (found.state === 'cancelled') return found
  const ended = await endUnused(ctx.db, { id: found.id, state: 'cancelled', now: ctx.clock.now() })
  if (ended !== null) {
    ctx.background.run('announce', () => announceRental(ctx, ended, { paid: true }))
    return ended
  }
  const current = await findRental(ctx.db, query)
  if (current?.state === 'cancelled') return current
  if (current?.state === 'reserving' || (current !== null && current.extension_id !== null)) throw inProgress()
  throw current?.state === 'active' ? rentCancelDenied() : activationEnded()
}
