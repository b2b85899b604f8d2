import { z } from 'zod'
import type { StepKind } from './entries.ts'

const dateSchema = z.iso.date()

/** Days are those of `time_zone` (an IANA name; default UTC), both included; without them from the first or to the last. */
export const statementFilterSchema = z.object({
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  time_zone: z.string().max(60).optional(),
})
export type StatementFilter = Partial<z.output<typeof statementFilterSchema>>

/** Decimal strings. `available` can be spent, `held` is set aside, `debt` is owed. */
const standSchema = z.object({ available: z.string(), held: z.string(), debt: z.string() })

/** `opening.available` and all sums together are `closing.available`. */
export const statementSchema = z.object({
  currency: z.enum(['rub', 'usd']),
  from: dateSchema.nullable(),
  to: dateSchema.nullable(),
  opening: standSchema,
  closing: standSchema,
  /** What changed the balance, by kind. */
  sums: z.array(
    z.object({
      kind: z.custom<Exclude<StepKind, 'capture'>>((value) => typeof value === 'string'),
      in: z.string(),
      out: z.string(),
      count: z.number().int(),
    }),
  ),
  /** Paid out of what was set aside; less what support gave back of it is what purchases cost. */
  charged: z.object({ amount: z.string(), count: z.number().int() }),
  /** When it was drawn up. */
  at: z.iso.datetime(),
})
export type Statement = z.infer<typeof statementSchema>

export const statementReplySchema = z.object({ status: z.literal(true), data: statementSchema })
export type StatementReply = z.infer<typeof statementReplySchema>
