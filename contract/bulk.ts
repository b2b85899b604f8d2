import { z } from 'zod'
import { activationReplySchema, purchaseInputSchema } from './activation.ts'

const MAX_ITEMS = 50

export const bulkInputSchema = z.object({ items: z.array(purchaseInputSchema.strict()).min(1).max(MAX_ITEMS) })
export type BulkInput = z.infer<typeof bulkInputSchema>

const refusalSchema = z.object({
  status: z.literal(false),
  code: z.string(),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** In the order of the input: the number that was bought, or why none was. */
export const bulkReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    bought: z.number().int(),
    items: z.array(z.discriminatedUnion('status', [activationReplySchema, refusalSchema])),
  }),
})
export type BulkReply = z.infer<typeof bulkReplySchema>
