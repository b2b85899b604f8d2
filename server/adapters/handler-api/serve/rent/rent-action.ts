import type { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import type { Context } from '#server/house/context.ts'
import { AppError } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { type Action, keyAction } from '../action.ts'
import { type Answer, type Refusal, word } from '../answer.ts'
import { refusalOf } from '../refusals.ts'

export function rentError(message: Word, info?: Record<string, unknown>): Refusal {
  return word(message, { as: 'rent', ...(info && { info }) })
}

/** The refusal texts of rentals. Errors missing here have the text for activations (refusals.ts). */
const WORD_OF: Partial<Record<ErrorCode, Word>> = {
  BLOCKED: 'ACCOUNT_INACTIVE',
  NOT_FOUND: 'INVALID_PHONE',
  NO_NUMBERS: 'NO_NUMBERS',
  BUYING_STOPPED: 'NO_NUMBERS',
  SANDBOX_FULL: 'NO_NUMBERS',
  BAD_OPERATOR: 'NO_NUMBERS',
  NO_BALANCE: 'NO_BALANCE',
  IN_DEBT: 'NO_BALANCE',
  PRICE_CHANGED: 'WRONG_MAX_PRICE',
  BAD_SERVICE: 'BAD_SERVICE',
  BAD_COUNTRY: 'BAD_COUNTRY',
  PAIR_PAUSED: 'BANNED',
  TOO_MANY_OPEN_NUMBERS: 'CHANNELS_LIMIT',
  SPEND_LIMIT_REACHED: 'CHANNELS_LIMIT',
  IDEMPOTENCY_CONFLICT: 'ORDER_ALREADY_EXISTS',
  ACTIVATION_ENDED: 'ALREADY_FINISH',
  RENT_CANCEL_DENIED: 'CANT_CANCEL',
  EXTEND_UNAVAILABLE: 'RENT_DIE',
}

type RentDefinition<Schema extends z.ZodType> = {
  scope: KeyScope
  parameters: Schema
  refusals: Partial<Record<keyof z.input<Schema>, Word>>
  words?: Partial<Record<ErrorCode, Word>>
  handle(ctx: Context, member: Member, input: z.output<Schema>, dialect: ServedDialect): Answer | Promise<Answer>
}

/** Defines an action of rentals, whose refusals are `{"status":"error","message":"WORD"}`. */
export function rentAction<Schema extends z.ZodType>(action: RentDefinition<Schema>): Action {
  const { scope, parameters, words, handle } = action
  const named = Object.entries<Word | undefined>(action.refusals)
  const refusals = Object.fromEntries(named.flatMap(([name, message]) => (message ? [[name, rentError(message)]] : [])))
  return keyAction<z.ZodType<z.output<Schema>>>({
    scope,
    // The cast drops the input type, which only the names of `refusals` need.
    parameters: parameters as z.ZodType<z.output<Schema>>,
    refusals,
    async handle(ctx, member, input, dialect) {
      try {
        return await handle(ctx, member, input, dialect)
      } catch (error) {
        const message = error instanceof AppError ? (words?.[error.code] ?? WORD_OF[error.code]) : undefined
        if (message === undefined || !(error instanceof AppError)) throw error
        return refusalOf(message, error, 'rent')
      }
    },
  })
}
