import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { PREORDER_HOURS } from './constants.ts'
import { countryIdSchema, oneWholeNumberOf } from './formats/whole-number.ts'

/**
 * In `waiting` the price is held. `failed` means that the account could not hold the price again after a failed
 * purchase.
 */
export const PREORDER_STATES = ['waiting', 'buying', 'bought', 'cancelled', 'expired', 'failed'] as const
export type PreorderState = (typeof PREORDER_STATES)[number]

export const preorderRecordSchema = z
  .object({
    id: z.number().int(),
    state: z.enum(PREORDER_STATES),
    final: z.boolean(),
    service: z.object({ id: z.string(), name: z.string() }),
    country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
    operator: z.string().nullable(),
    /** The held amount, which is also the highest price that the buyer pays. The purchase takes the current price. */
    max_price: z.string(),
    currency: z.enum(CURRENCIES),
    activation_id: z.number().int().nullable(),
    created_at: z.iso.datetime(),
    deadline_at: z.iso.datetime(),
  })
  .meta({ id: 'Preorder' })
export type PreorderRecord = z.infer<typeof preorderRecordSchema>

export const preorderReplySchema = z.object({ status: z.literal(true), data: preorderRecordSchema })
export type PreorderReply = z.infer<typeof preorderReplySchema>

export const preordersReplySchema = z.object({ status: z.literal(true), data: z.array(preorderRecordSchema) })
export type PreordersReply = z.infer<typeof preordersReplySchema>

export const preorderInputSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  operator_id: z.string().min(1).max(60).optional(),
  max_price: z.string().max(20),
  hours: oneWholeNumberOf(PREORDER_HOURS),
})
export type PreorderInput = z.output<typeof preorderInputSchema>

export const lastSaleFilterSchema = preorderInputSchema.pick({ service_id: true, country_id: true, operator_id: true })
/** `price` is what the newest buyer of such a number paid, as a decimal string. */
const lastSaleSchema = z.object({ price: z.string(), at: z.iso.datetime() })
export type LastSale = z.infer<typeof lastSaleSchema>
export const lastSaleReplySchema = z.object({ status: z.literal(true), data: lastSaleSchema.nullable() })
