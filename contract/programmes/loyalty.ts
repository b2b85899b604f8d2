import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'

export const LOYALTY_PERIODS = ['week', 'month'] as const
export type LoyaltyPeriod = (typeof LOYALTY_PERIODS)[number]

/** A percentage is a decimal string such as "8.5", of all that was topped up in the period. */
const rankSchema = z.object({ top_up: z.string(), percent: z.string() })

export const loyaltyTermsSchema = z.object({
  period: z.enum(LOYALTY_PERIODS),
  time_zone: z.string(),
  /** Of amounts. */
  currency: z.enum(CURRENCIES),
  /** Ascending. Below the first nothing is given. */
  ranks: z.array(rankSchema),
})
export type LoyaltyTerms = z.infer<typeof loyaltyTermsSchema>

const rewardSchema = z.object({
  time_zone: z.string(),
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  /** Less what went back. */
  topped_up: z.string(),
  percent: z.string(),
  reward: z.string(),
})

export const loyaltyReplySchema = z.object({
  status: z.literal(true),
  /** Null: there is no programme for accounts of this currency. */
  current: loyaltyTermsSchema
    .extend({
      begins_at: z.iso.datetime(),
      ends_at: z.iso.datetime(),
      topped_up: z.string(),
      /** Of the rank now; "0" below the first. */
      percent: z.string(),
      /** What would be given if the period ended now. */
      reward: z.string(),
      /** Null at the top. `reward` is what its least sum would bring. */
      next: rankSchema.extend({ missing: z.string(), reward: z.string() }).nullable(),
    })
    .nullable(),
  /** Of the account. */
  currency: z.enum(CURRENCIES),
  /** Newest first. */
  rewards: z.array(rewardSchema),
})
export type LoyaltyReply = z.infer<typeof loyaltyReplySchema>
