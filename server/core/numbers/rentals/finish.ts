import type { Context } from '#server/house/context.ts'
import { activationEnded, finishTooEarly, inProgress } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announceRental } from './announce.ts'
import { finishRented } from './queries/end.ts'
import { findRental } from './queries/read.ts'
import type { RentalRow } from './queries/row.ts'

/**
 * Ends a rental without a refund. Idempotent. Throws NOT_FOUND, NO_CODE_YET (the rental can still be cancelled),
 * ACTIVATION_ENDED or IN_PROGRESS.
 */
export async function finishRental(ctx: Context, input: { rentalId: number; userId: number }): Promise<RentalRow> {
  const query = { id: input.rentalId, userId: input.userId }
  const found = await findRental(ctx.db, query)
  if (found === null) throw notFound()
  if (found.state === 'finished') return found
  const finished = await finishRented(ctx.db, { id: found.id, now: ctx.clock.now() })
  if (finished !== null) {
    ctx.background.run('announce', () => announceRental(ctx, finished, { paid: false }))
    return finished
  }
  const current = await findRental(ctx.db, query)
  if (current?.state === 'finished') return current
  if (current?.state === 'reserving' || (current !== null && current.extension_id !== null)) throw inProgress()
  throw current?.state === 'active' ? finishTooEarly() : activationEnded()
}
