import { SECOND } from '#contract/time.ts'
import type { Context } from '#server/house/context.ts'
import type { Db } from '#server/house/db/pool.ts'
import {
  activationEnded,
  codeAlreadyReceived,
  earlyCancelDenied,
  inProgress,
} from '#server/house/errors/buying-errors.ts'
import { type AppError, notFound } from '#server/house/errors/errors.ts'
import { announceChange } from './announce.ts'
import { endCancelled } from './queries/end.ts'
import { findActivation } from './queries/read.ts'
import type { ActivationRow } from './queries/row.ts'
import { endUsed } from './queries/used.ts'
import { cancelFrom } from './state.ts'

/**
 * Cancels an activation that has no code yet, and releases the money. Idempotent. Throws NOT_FOUND,
 * EARLY_CANCEL_DENIED, CODE_ALREADY_RECEIVED or ACTIVATION_ENDED.
 */
export async function cancelActivation(
  ctx: Context,
  input: { activationId: number; userId: number },
): Promise<ActivationRow> {
  return giveBack(ctx, input, { state: 'cancelled', give: endCancelled })
}

/**
 * Ends an activation whose number already had an account at the service. Releases the money and bars the number for
 * this buyer or for everybody (`endUsed`). A buyer with more reports than `config.usedReports` allows must wait as long
 * as for a cancel. Throws the errors of cancelActivation.
 */
export async function markActivationUsed(
  ctx: Context,
  input: { activationId: number; userId: number },
): Promise<ActivationRow> {
  const free = ctx.config.usedReports
  return giveBack(ctx, input, { state: 'used', give: (db, end) => endUsed(db, { ...end, free }) })
}

async function giveBack(
  ctx: Context,
  input: { activationId: number; userId: number },
  end: {
    state: 'cancelled' | 'used'
    give(db: Db, end: { id: bigint; createdBefore: Date; now: Date }): Promise<ActivationRow | null>
  },
): Promise<ActivationRow> {
  const now = ctx.clock.now()
  const found = await findActivation(ctx.db, { id: input.activationId, userId: input.userId })
  if (found === null) throw notFound()
  if (found.state === end.state) return found
  const ended = await end.give(ctx.db, { id: found.id, createdBefore: cancellableBefore(ctx, now), now })
  if (ended !== null) {
    ctx.background.run('announce', () => announceChange(ctx, ended))
    return ended
  }
  const current = await findActivation(ctx.db, { id: input.activationId, userId: input.userId })
  if (current?.state === end.state) return current
  throw refusalToGiveBack(ctx, current, now)
}

export function cancellableBefore(ctx: Context, now: Date): Date {
  return new Date(now.getTime() - ctx.config.earlyCancelSeconds * SECOND)
}

export function refusalToGiveBack(ctx: Context, row: ActivationRow | null, now: Date): AppError {
  if (row === null) return notFound()
  switch (row.state) {
    case 'reserving':
      return inProgress()
    case 'waiting': {
      const allowedAt = cancelFrom(row.created_at, ctx.config.earlyCancelSeconds)
      return earlyCancelDenied(Math.max(1, Math.ceil((allowedAt.getTime() - now.getTime()) / SECOND)))
    }
    case 'received':
    case 'waiting_again':
      return codeAlreadyReceived()
    case 'finished':
    case 'cancelled':
    case 'expired':
    case 'used':
    case 'failed':
      return activationEnded()
    default:
      return row.state satisfies never
  }
}
