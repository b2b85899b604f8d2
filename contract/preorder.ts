import { z } from 'zod'
import { PREORDER_HOURS } from './constants.ts'
import { countryIdSchema, oneWholeNumberOf } from './formats/whole-number.ts'

/**
 * A number to be bought as soon as it is there again. `waiting`: the money is held. `buying`: a purchase is under way.
 * Ends: `bought`, `cancelled`, `expired` at its deadline, `failed` when the account could not hold its price again.
 */
export const PREORDER_STATES = ['waiting', 'buying', 'bought', 'cancelled', 'expired', 'failed'] as const
export type PreorderState = (typeof PREORDER_STATES)[number]

export const preorderRecordSchema = z.object({
  id: z.number().int(),
  state: z.enum(PREORDER_STATES),
  final: z.boolean(),
  service: z.object({ id: z.string(), name: z.string() }),
  country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
  /** null: any operator. */
  operator: z.string().nullable(),
  /** Held; the most that is paid. Buying takes the price of the moment. */
  max_price: z.string(),
  currency: z.enum(['rub', 'usd']),
  /** What was bought. */
  activation_id: z.number().int().nullable(),
  created_at: z.iso.datetime(),
  deadline_at: z.iso.datetime(),
})
export type PreorderRecord = z.infer<typeof preorderRecordSchema>

export const preorderReplySchema = z.object({ status: z.literal(true), data: preorderRecordSchema })
export type PreorderReply = z.infer<typeof preorderReplySchema>

/** GET /api/v1/preorders: the open ones, newest first. */
export const preordersReplySchema = z.object({ status: z.literal(true), data: z.array(preorderRecordSchema) })
export type PreordersReply = z.infer<typeof preordersReplySchema>

export const preorderInputSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  operator_id: z.string().min(1).max(60).optional(),
  /** Decimal string in the account's currency. */
  max_price: z.string().max(20),
  /** How long to wait: 1, 6, 24, 72 or 168. */
  hours: oneWholeNumberOf(PREORDER_HOURS),
})
export type PreorderInput = z.output<typeof preorderInputSchema>
