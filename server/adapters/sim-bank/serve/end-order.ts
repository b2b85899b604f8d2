import { z } from 'zod'
import { MINUTE } from '#contract/time.ts'
import { digits } from '#server/adapters/sim-bank/wire/numbers.ts'
import { type Reply, STATUS } from '#server/adapters/sim-bank/wire/words.ts'
import { cancelActivation, cancellableBefore, markActivationUsed } from '#server/core/numbers/activations/cancel.ts'
import { finishActivation } from '#server/core/numbers/activations/finish.ts'
import { findAnyActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import { isDatabaseAway } from '#server/house/db/constraint.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { badData } from './give-number.ts'
import type { Outlet } from './outlet.ts'
import { listForgotten, listToDo, markCarriedOut, noteTold, type TodoOrder } from './queries/orders.ts'

const wordSchema = z.object({
  activationId: digits.pipe(z.string().max(18)),
  status: z.union([z.literal(1), z.literal(3), z.literal(4), z.literal(5)]),
})

const BATCH = 100
/** The age from which a number without an order is known to no platform. A purchase and its insert take less. */
const FORGOTTEN_AFTER_MS = MINUTE

/**
 * Ends an order by FINISH_ACTIVATION. Each request is stored and answered with SUCCESS. The end itself may wait,
 * because a number cannot be cancelled in its first minutes.
 */
export async function endOrder(ctx: Context, outlet: Outlet, json: Record<string, unknown>): Promise<Reply> {
  const read = wordSchema.safeParse(json)
  if (!read.success) return badData(read.error)
  const { activationId, status: told } = read.data
  const word = { activationId, outletId: outlet.id, told, now: ctx.clock.now() }
  if (!(await noteTold(ctx.db, word))) return { status: 'ERROR', error: 'NO_ACTIVATION' }
  ctx.background.run('end an activation of an outlet', () => carryOut(ctx, activationId))
  return { status: 'SUCCESS' }
}

export async function carryOut(ctx: Context, activationId: string | null = null): Promise<void> {
  const ripe = cancellableBefore(ctx, ctx.clock.now())
  for (const order of await listToDo(ctx.db, { activationId, cancellableBefore: ripe, limit: BATCH })) {
    if (await isOver(ctx, order)) await markCarriedOut(ctx.db, order.activationId)
  }
}

/** Ends numbers that no platform knows of, which would otherwise be held until they expire. */
export async function endForgotten(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  const ripe = Math.min(now.getTime() - FORGOTTEN_AFTER_MS, cancellableBefore(ctx, now).getTime())
  for (const order of await listForgotten(ctx.db, { boughtBefore: new Date(ripe), limit: BATCH })) {
    ctx.log.warn({ id: order.activationId.toString() }, 'a number that no platform was told of is given back')
    await isOver(ctx, { ...order, told: STATUS.cancelled })
  }
}

async function isOver(ctx: Context, { activationId: id, userId, told }: TodoOrder): Promise<boolean> {
  const row = await findAnyActivation(ctx.db, id)
  const which = { activationId: Number(id), userId }
  try {
    switch (row?.state) {
      case 'reserving':
        return false
      case 'waiting':
        // A platform that reports a sale without a code is mistaken, and pays nothing for the number.
        await (told === STATUS.used ? markActivationUsed(ctx, which) : cancelActivation(ctx, which))
        return true
      case 'received':
      case 'waiting_again':
        await finishActivation(ctx, which)
        return true
      default:
        return true
    }
  } catch (error) {
    // A code may have arrived meanwhile, or the first minutes are not over. The next round tries again.
    if (error instanceof AppError) return false
    if (isDatabaseAway(error)) throw error
    // The error is logged instead of thrown, because further orders are due as well.
    ctx.log.error({ error, id: id.toString() }, 'a number of an outlet could not be ended')
    return false
  }
}
