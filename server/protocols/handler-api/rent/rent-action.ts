import type { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import type { Member } from '#server/http/caller.ts'
import { type Action, keyAction } from '../action.ts'
import { type Answer, refusedJson } from '../answer.ts'

/** The words of rentals, which clients compare letter by letter, the misspelt one too. */
export type RentWord =
  | ('BAD_SERVICE' | 'BAD_COUNTRY' | 'BAD_DATA' | 'NO_BALANCE' | 'NO_NUMBERS' | 'OUT_OF_STOCK' | 'ACCOUNT_INACTIVE')
  | ('CHANNELS_LIMIT' | 'BANNED' | 'WRONG_MAX_PRICE' | 'ORDER_ALREADY_EXISTS' | 'NO_ID_RENT' | 'INVALID_PHONE')
  | ('INCORECT_STATUS' | 'CANT_CANCEL' | 'ALREADY_FINISH' | 'ALREADY_CANCEL' | 'INVALID_TIME' | 'MAX_HOURS_EXCEEDED')
  | ('RENT_DIE' | 'STATUS_WAIT_CODE' | 'STATUS_FINISH' | 'STATUS_CANCEL' | 'STATUS_REVOKE')

export function rentError(message: RentWord, info?: Record<string, unknown>): Answer {
  return refusedJson({ status: 'error', message, ...(info && { info }) }, message)
}

/** Refusals of the other errors are the same as for activations: words.ts. */
const WORD_OF: Partial<Record<ErrorCode, RentWord>> = {
  BLOCKED: 'ACCOUNT_INACTIVE',
  NOT_FOUND: 'INVALID_PHONE',
  NO_NUMBERS: 'NO_NUMBERS',
  BUYING_STOPPED: 'NO_NUMBERS',
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
  refusals: Partial<Record<keyof z.input<Schema>, RentWord>>
  /** Overrides of the words above. */
  words?: Partial<Record<ErrorCode, RentWord>>
  handle(ctx: Context, member: Member, input: z.output<Schema>): Answer | Promise<Answer>
}

/** Its refusals are `{"status":"error","message":"WORD"}`. */
export function rentAction<Schema extends z.ZodType>(action: RentDefinition<Schema>): Action {
  const { scope, parameters, words, handle } = action
  const named = Object.entries<RentWord | undefined>(action.refusals)
  const refusals = Object.fromEntries(named.flatMap(([name, word]) => (word ? [[name, rentError(word)]] : [])))
  return keyAction<z.ZodType<z.output<Schema>>>({
    scope,
    // The type of its input is needed for the names of `refusals` alone.
    parameters: parameters as z.ZodType<z.output<Schema>>,
    refusals,
    async handle(ctx, member, input) {
      try {
        return await handle(ctx, member, input)
      } catch (error) {
        const word = error instanceof AppError ? (words?.[error.code] ?? WORD_OF[error.code]) : undefined
        if (word === undefined || !(error instanceof AppError)) throw error
        return rentError(word, infoOf(word, error))
      }
    },
  })
}

function infoOf(word: RentWord, { data }: AppError): Record<string, unknown> | undefined {
  if (word === 'WRONG_MAX_PRICE') return { min: data?.price }
  if (word === 'BANNED') return { banned_until: data?.until }
  return undefined
}
