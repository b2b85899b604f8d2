import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { type MOVEMENT_KINDS, movementsFilterSchema } from '#contract/past/history.ts'
import { DISPUTE_STATES, PAYMENT_STATES } from '#contract/payment.ts'

/** An entry groups the balance changes of a purchase or payment. `alone` is a change by staff or a bonus programme. */
export const ENTRY_KINDS = ['activation', 'rental', 'preorder', 'payment', 'alone'] as const

/** Steps include captures, although a capture does not change the balance. */
export type StepKind = (typeof MOVEMENT_KINDS)[number] | 'capture'
const stepKindSchema = z.custom<StepKind>((value) => typeof value === 'string')

/**
 * `direction` filters by the sign of `amount`; a fully refunded entry has neither sign. Days are those of an entry's
 * newest balance change.
 */
export const entriesFilterSchema = movementsFilterSchema
export type EntriesFilter = Partial<z.output<typeof entriesFilterSchema>>

/** An entry lists at most this number of steps, the newest ones. */
export const MOST_STEPS = 50

export const entrySchema = z.object({
  /** The id of the entry's newest balance change, which also sets the entry's place in the list. */
  id: z.number().int(),
  kind: z.enum(ENTRY_KINDS),
  amount: z.string(),
  balance: z.string(),
  currency: z.enum(CURRENCIES),
  /**
   * The sum of the steps of each kind, if above zero. The hold of a pre-order's purchase reduces the releases instead.
   */
  parts: z.array(z.object({ kind: stepKindSchema, amount: z.string() })),
  steps: z.array(
    z.object({
      id: z.number().int(),
      kind: stepKindSchema,
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
