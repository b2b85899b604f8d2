import type { Context } from '#server/house/context.ts'
import { inProgress, preorderEnded } from '#server/house/errors/buying-errors.ts'
import { notFound } from '#server/house/errors/errors.ts'
import { announcePreorder } from './announce.ts'
import { endWaiting } from './queries/change.ts'
import { findPreorder } from './queries/read.ts'
import type { PreorderRow } from './queries/row.ts'

/** Cancels a pre-order and releases the money. Idempotent. Throws NOT_FOUND, PREORDER_ENDED or IN_PROGRESS (buying). */
export async function cancelPreorder(
  ctx: Context,
  input: { preorderId: number; userId: number },
): Promise<PreorderRow> {
  const query = { id: input.preorderId, userId: input.userId }
  const found = await findPreorder(ctx.db, query)
  if (found === null) throw notFound()
  if (found.state === 'cancelled') return found
  const ended = await endWaiting(ctx.db, { id: found.id, state: 'cancelled', now: ctx.clock.now() })
  if (ended !== null) {
    ctx.background.run('announce', () => announcePreorder(ctx, ended))
    return ended
  }
  const current = await findPreorder(ctx.db, query)
  if (current?.state === 'cancelled') return current
  // If the pre-order is `waiting` now, a purchase for it failed during this call, so the client may try again.
  throw current?.state === 'buying' || current?.state === 'waiting' ? inProgress() : preorderEnded()
}
