import type { Context } from '#server/house/context.ts'
import { activationEnded, noCodeYet } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announceChange } from './announce.ts'
import { finish } from './queries/end.ts'
import { findActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'

/** Finishes an activation that got a code. Idempotent. Throws NOT_FOUND, NO_CODE_YET or ACTIVATION_ENDED. */
export async function finishActivation(
  ctx: Context,
  input: { activationId: number; userId: number },
): Promise<ActivationRow> {
  const query = { id: input.activationId, userId: input.userId }
  const found = await findActivation(ctx.db, query)
  if (found === null) throw notFound()
  const finished = await finish(ctx.db, { id: found.id, now: ctx.clock.now() })
  if (finished !== null) {
    ctx.background.run('announce', () => announceChange(ctx, finished))
    return finished
  }
  const current = await findActivation(ctx.db, query)
  if (current?.state === 'finished') return current
  throw current?.state === 'waiting' || current?.state === 'reserving' ? noCodeYet() : activationEnded()
}
