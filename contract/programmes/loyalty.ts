import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'

export const LOYALTY_PERIODS = ['week', 'month'] as const
export type LoyaltyPeriod = (typeof LOYALTY_PERIODS)[number]

/** The percentage is a decimal string such as "8.5". It applies to all money topped up in the period. */
const rankSchema = z.object({ top_up: z.string(), percent: z.string() })

export const loyaltyTermsSchema = z.object({
  period: z.enum(LOYALTY_PERIODS),
  time_zone: z.string(),
  currency: z.enum(CURRENCIES),
  /** Ranks ascend by `top_up`. A top-up sum below the first rank earns nothing. */
  ranks: z.array(rankSchema),
})
export type LoyaltyTerms = z.infer<typeof loyaltyTermsSchema>

const rewardSchema = z.object({
  time_zone: z.string(),
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  /** The topped-up sum, less refunds. */
  topped_up: z.string(),
  percent: z.string(),
  reward: z.string(),
})

export const loyaltyReplySchema = z.object({
  status: z.literal(true),
  /** The running period; null if no loyalty programme exists for accounts of this currency. */
  current: loyaltyTermsSchema
    .extend({
      begins_at: z.iso.datetime(),
      ends_at: z.iso.datetime(),
      topped_up: z.string(),
      /** The percentage of the current rank; "0" below the first rank. */
      percent: z.string(),
      /** The reward that the member would get if the period ended now. */
      reward: z.string(),
      /** The next rank; null at the highest rank. `reward` is what the smallest top-up sum of that rank earns. */
      next: rankSchema.extend({ missing: z.string(), reward: z.string() }).nullable(),
    })
    .nullable(),
  currency: z.enum(CURRENCIES),
  /** Rewards come newest first. */
  rewards: z.array(rewardSchema),
})
export type LoyaltyReply = z.infer<typeof loyaltyReplySchema>
