import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { type MOVEMENT_KINDS, movementsFilterSchema } from '#contract/past/history.ts'
import { DISPUTE_STATES, PAYMENT_STATES } from '#contract/payment.ts'

/** What a movement can be joined to; `alone` is by hand or of a programme. */
export const ENTRY_KINDS = ['activation', 'rental', 'preorder', 'payment', 'alone'] as const

/** Of an entry, captures included. */
export type StepKind = (typeof MOVEMENT_KINDS)[number] | 'capture'
const stepKindSchema = z.custom<StepKind>((value) => typeof value === 'string')

/** `direction` is that of `amount`; what came back whole is neither. Days are those of the newest movement. */
export const entriesFilterSchema = movementsFilterSchema
export type EntriesFilter = Partial<z.output<typeof entriesFilterSchema>>

/** The newest movements of an entry that are told one by one. */
export const MOST_STEPS = 50

/** One purchase, payment or single movement with all it did to the balance. */
export const entrySchema = z.object({
  /** Of its newest change of the balance, where it stands. */
  id: z.number().int(),
  kind: z.enum(ENTRY_KINDS),
  /** Signed: what it did to the balance in all. */
  amount: z.string(),
  /** After its newest change. */
  balance: z.string(),
  currency: z.enum(CURRENCIES),
  /** Sums above zero by kind, in the order they began. A pre-order's purchase is paid out of what was set aside. */
  parts: z.array(z.object({ kind: stepKindSchema, amount: z.string() })),
  /** Newest first, at most `MOST_STEPS`. */
  steps: z.array(
    z.object({
      id: z.number().int(),
      kind: stepKindSchema,
      /** Moved, without a sign. */
      amount: z.string(),
      /** Signed; 0.00 of a capture. */
      change: z.string(),
      purpose: z.enum(['activation', 'rental', 'extension', 'preorder']).nullable(),
      at: z.iso.datetime(),
    }),
  ),
  steps_count: z.number().int(),
  subject: z
    .object({
      id: z.number().int(),
      /** The pre-order that it came from. */
      preorder_id: z.number().int().nullable(),
      service: z.object({ id: z.string(), name: z.string() }),
      country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
    })
    .nullable(),
  payment: z
    .object({
      transaction_id: z.string(),
      name: z.string(),
      state: z.enum(PAYMENT_STATES),
      dispute: z.enum(DISPUTE_STATES).nullable(),
    })
    .nullable(),
  at: z.iso.datetime(),
})
export type Entry = z.infer<typeof entrySchema>

export const entriesReplySchema = z.object({
  status: z.literal(true),
  entries: z.object({
    data: z.array(entrySchema),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
})
export type EntriesReply = z.infer<typeof entriesReplySchema>
