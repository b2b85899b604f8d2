import type { z } from 'zod'
import type { KeyScope } from '#contract/api-key.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { ServedDialect } from '#server/adapters/handler-api/wire/dialects.ts'
import type { Word } from '#server/adapters/handler-api/wire/words.ts'
import type { Parameters } from '#server/adapters/shared/parameters/read-parameters.ts'
import type { Context } from '#server/house/context.ts'
import { AppError } from '#server/house/errors/errors.ts'
import type { Member } from '#server/house/http/caller.ts'
import { type Answer, word } from './answer.ts'
import { refusalOf } from './refusals.ts'

export type Action =
  | { access: 'public'; run(ctx: Context, parameters: Parameters, dialect: ServedDialect): Promise<Answer> }
  | { access: 'key'; scope: KeyScope; run(ctx: Context, parameters: Parameters, asker: Asker): Promise<Answer> }

export type Asker = { member: Member; dialect: ServedDialect }

type KeyDefinition<Schema extends z.ZodType> = Definition<Schema> & { scope: KeyScope }

type Definition<Schema extends z.ZodType> = {
  /** The schema of the parameters. The first invalid field, in the schema's order, decides the refusal. */
  parameters: Schema
  refusals?: Partial<Record<keyof z.input<Schema>, Answer>>
  words?: Partial<Record<ErrorCode, Word>>
}

export function publicAction<Schema extends z.ZodType>(
  action: Definition<Schema> & {
    handle(ctx: Context, input: z.output<Schema>, dialect: ServedDialect): Answer | Promise<Answer>
  },
): Action {
  return {
    access: 'public',
    run: (ctx, parameters, dialect) => check(action, parameters, (input) => action.handle(ctx, input, dialect)),
  }
}

export function keyAction<Schema extends z.ZodType>(
  action: KeyDefinition<Schema> & {
    handle(ctx: Context, member: Member, input: z.output<Schema>, dialect: ServedDialect): Answer | Promise<Answer>
  },
): Action {
  return {
    access: 'key',
    scope: action.scope,
    run: (ctx, parameters, { member, dialect }) =>
      check(action, parameters, (input) => action.handle(ctx, member, input, dialect)),
  }
}

async function check<Schema extends z.ZodType>(
  definition: Definition<Schema>,
  parameters: Parameters,
  handle: (input: z.output<Schema>) => Answer | Promise<Answer>,
): Promise<Answer> {
  const parsed = definition.parameters.safeParse(parameters)
  if (!parsed.success) {
    const refusals: Partial<Record<PropertyKey, Answer>> = definition.refusals ?? {}
    return refusals[parsed.error.issues[0]?.path[0] ?? ''] ?? word('BAD_DATA')
  }
  try {
    return await handle(parsed.data)
  } catch (error) {
    const better = error instanceof AppError ? definition.words?.[error.code] : undefined
    if (better === undefined || !(error instanceof AppError)) throw error
    return refusalOf(better, error)
  }
}
