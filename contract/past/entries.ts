import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { type MOVEMENT_KINDS, movementsFilterSchema } from '#contract/past/history.ts'
import { DISPUTE_STATES, PAYMENT_STATES } from '#contract/payment.ts'

/** An entry joins the movements of one purchase or payment. `alone` is a single movement by staff or by a programme. */
export const ENTRY_KINDS = ['activation', 'rental', 'preorder', 'payment', 'alone'] as const

/** The kinds of the steps of an entry, captures included. */
export type StepKind = (typeof MOVEMENT_KINDS)[number] | 'capture'
const stepKindSchema = z.custom<StepKind>((value) => typeof value === 'string')

/** `direction` is the sign of `amount`; a full refund has none. Days are those of the newest movement. */
export const entriesFilterSchema = movementsFilterSchema
export type EntriesFilter = Partial<z.output<typeof entriesFilterSchema>>

/** An entry lists at most this many of its newest movements. */
export const MOST_STEPS = 50

/** An entry is a purchase, a payment or a single movement, with all its changes of the balance. */
export const entrySchema = z.object({
  /** The id of the newest balance change of the entry, which also sets its place in the list. */
  id: z.number().int(),
  kind: z.enum(ENTRY_KINDS),
  /** The signed total change of the balance. */
  amount: z.string(),
  /** The balance after the newest change of the entry. */
  balance: z.string(),
  currency: z.enum(CURRENCIES),
  /** Sums above zero by kind, in order of their beginning. A pre-order's purchase is paid out of its hold. */
  parts: z.array(z.object({ kind: stepKindSchema, amount: z.string() })),
  /** Steps come newest first, at most `MOST_STEPS`. */
  steps: z.array(
    z.object({
      id: z.number().int(),
      kind: stepKindSchema,
      /** The moved amount, without a sign. */
      amount: z.string(),
      /** The signed change of the balance; 0.00 for a capture. */
      change: z.string(),
      purpose: z.enum(['activation', 'rental', 'extension', 'preorder']).nullable(),
      at: z.iso.datetime(),
    }),
  ),
  steps_count: z.number().int(),
  subject: z
    .object({
      id: z.number().int(),
      /** The pre-order that made this purchase. */
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
