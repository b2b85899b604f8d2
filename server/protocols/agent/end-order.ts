import { z } from 'zod'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { cancelActivation, markActivationUsed } from '#server/numbers/activations/cancel.ts'
import { finishActivation } from '#server/numbers/activations/finish.ts'
import { findAnyActivation } from '#server/numbers/activations/queries/read.ts'
import { digits, STATUS } from '#server/suppliers/sim-bank/wire/numbers.ts'
import { badData } from './give-number.ts'
import type { Outlet } from './outlet.ts'
import { listToDo, markCarriedOut, noteTold, type TodoOrder } from './queries/orders.ts'
import type { Said } from './said.ts'

const wordSchema = z.object({
  activationId: digits.pipe(z.string().max(18)),
  status: z.union([z.literal(1), z.literal(3), z.literal(4), z.literal(5)]),
})

const BATCH = 100

/**
 * FINISH_ACTIVATION. The word is stored, then answered with SUCCESS, however often it comes. What it asks for may have
 * to wait: a number is not cancelled in its first minutes.
 */
export async function endOrder(ctx: Context, outlet: Outlet, json: Record<string, unknown>): Promise<Said> {
  const read = wordSchema.safeParse(json)
  if (!read.success) return badData(read.error)
  const { activationId, status: told } = read.data
  const word = { activationId, outletId: outlet.id, told, now: ctx.clock.now() }
  if (!(await noteTold(ctx.db, word))) return { status: 'ERROR', error: 'NO_ACTIVATION' }
  ctx.background.run('end an activation of an outlet', () => carryOut(ctx, activationId))
  return { status: 'SUCCESS' }
}

/** What platforms have said and is not done yet. */
export async function carryOut(ctx: Context, activationId: string | null = null): Promise<void> {
  for (const order of await listToDo(ctx.db, { activationId, limit: BATCH })) {
    if (await isOver(ctx, order)) await markCarriedOut(ctx.db, order.activationId)
  }
}

/** False: it cannot be ended yet. */
async function isOver(ctx: Context, { activationId: id, userId, told }: TodoOrder): Promise<boolean> {
  const row = await findAnyActivation(ctx.db, id)
  const which = { activationId: Number(id), userId }
  try {
    switch (row?.state) {
      case 'reserving':
        return false
      case 'waiting':
        // "Sold" of a number without a code is a mistake of the platform, and nothing is paid for it.
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
    // A code may have come in between, or the first minutes are not over: the sweep comes back.
    if (error instanceof AppError) return false
    throw error
  }
}
