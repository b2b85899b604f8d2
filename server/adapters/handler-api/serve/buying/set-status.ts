import { z } from 'zod'
import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import { askForAnotherCode } from '#server/core/numbers/activations/ask-another-code.ts'
import { cancelActivation } from '#server/core/numbers/activations/cancel.ts'
import { finishActivation } from '#server/core/numbers/activations/finish.ts'
import { findActivation } from '#server/core/numbers/activations/queries/read.ts'
import type { Context } from '#server/house/context.ts'
import { AppError } from '#server/house/errors/errors.ts'
import { keyAction } from '../action.ts'
import { type Answer, json, nothing, text, word } from '../answer.ts'
import { activationId } from '../parameters/parameter-schemas.ts'

type Which = { activationId: number; userId: number }

/** Status -1 is the old way to write status 8. */
const STATUSES: Record<'1' | '3' | '6' | '8' | '-1', (ctx: Context, which: Which) => Promise<Answer>> = {
  '1': confirmReady,
  '3': async (ctx, which) => {
    await askForAnotherCode(ctx, which)
    return text('ACCESS_RETRY_GET')
  },
  '6': async (ctx, which) => {
    await endEither(ctx, which)
    return text('ACCESS_ACTIVATION')
  },
  '8': cancel,
  '-1': cancel,
}

const idParameter = { id: activationId }
const idRefusal = { id: word('WRONG_ACTIVATION_ID') }
/** Until the purchase is complete, the buyer does not know the activation's id. */
const words = { IN_PROGRESS: 'NO_ACTIVATION' } satisfies { IN_PROGRESS: Word }

const change = {
  scope: 'buy',
  parameters: z.object({ ...idParameter, status: z.enum(['1', '3', '6', '8', '-1']) }),
  refusals: { ...idRefusal, status: word('BAD_STATUS') },
  words,
} as const

export const setStatus = keyAction({
  ...change,
  handle: (ctx, member, { id, status }) => STATUSES[status](ctx, { activationId: id, userId: member.userId }),
})

/** Sets the status like Tiger, which returns JSON on success. */
export const setStatusV2 = keyAction({
  ...change,
  async handle(ctx, member, { id, status }) {
    const done = await STATUSES[status](ctx, { activationId: id, userId: member.userId })
    return done.kind === 'text' ? json({ status: 'success' }) : done
  },
})

const end = { scope: 'buy', parameters: z.object(idParameter), refusals: idRefusal, words } as const

/** Finishes an activation like status 6, under HeroSMS's name. The reply is 204. */
export const finishActivationAction = keyAction({
  ...end,
  async handle(ctx, member, { id }) {
    await endEither(ctx, { activationId: id, userId: member.userId })
    return nothing
  },
})

/** Cancels an activation like status 8, under HeroSMS's name. The reply is 204. */
export const cancelActivationAction = keyAction({
  ...end,
  async handle(ctx, member, { id }) {
    await cancelActivation(ctx, { activationId: id, userId: member.userId })
    return nothing
  },
})

/** Accepts status 1 ("the SMS was sent") without effect, because every number can receive from the start. */
async function confirmReady(ctx: Context, which: Which): Promise<Answer> {
  const row = await findActivation(ctx.db, { id: which.activationId, userId: which.userId })
  if (row === null || row.state === 'reserving') return word('NO_ACTIVATION')
  return ACTIVE_STATES.some((state) => state === row.state) ? text('ACCESS_READY') : word('BAD_STATUS')
}

/** Ends an activation by status 6, which cancels before a code, as at other services. Repeats get the same reply. */
async function endEither(ctx: Context, which: Which): Promise<void> {
  const row = await findActivation(ctx.db, { id: which.activationId, userId: which.userId })
  const isCancel = row?.state === 'waiting' || row?.state === 'cancelled'
  try {
    await (isCancel ? cancelActivation(ctx, which) : finishActivation(ctx, which))
  } catch (error) {
    // A code arrived just before the cancellation, so the activation is finished instead.
    if (!(error instanceof AppError) || error.code !== 'CODE_ALREADY_RECEIVED') throw error
    await finishActivation(ctx, which)
  }
}

async function cancel(ctx: Context, which: Which): Promise<Answer> {
  await cancelActivation(ctx, which)
  return text('ACCESS_CANCEL')
}
