import { z } from 'zod'

/** Samples are rounded down to two digits, because exact sales are nobody's business. Too small samples are null. */
export const factsReplySchema = z.object({
  status: z.literal(true),
  /** The number of days over which purchases are measured. */
  days: z.number().int(),
  /** The share of purchases with a code, from 0 to 1. */
  codes: z.object({ share: z.number().min(0).max(1), purchases: z.number().int() }).nullable(),
  /** The time in which half of the codes came. */
  wait: z.object({ median_seconds: z.number(), codes: z.number().int() }).nullable(),
  /** The purchases without a code, whose money came back. */
  returned: z.object({ purchases: z.number().int() }).nullable(),
  /** The ways to pay that are open now. */
  payments: z.array(z.object({ key: z.string(), name: z.string(), mark: z.string() })),
  support: z.object({
    email: z.string().nullable(),
    telegram: z.string().nullable(),
    /** The time in which half of the newest tickets got their first answer; null for too few tickets. */
    median_answer_seconds: z.number().int().nullable(),
  }),
})
export type FactsReply = z.infer<typeof factsReplySchema>
