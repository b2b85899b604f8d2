import { z } from 'zod'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from '#contract/constants.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { CURRENCIES } from '#contract/money.ts'

/** In `asked` staff have not decided yet. In `approved` staff pay soon. In `refused` the money was returned. */
export const WITHDRAWAL_STATES = ['asked', 'approved', 'paid', 'refused'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]
/** In `checking` a person reviews the invitation before the share becomes available. */
export const SHARE_STATES = ['pending', 'checking', 'available'] as const
export type ShareState = (typeof SHARE_STATES)[number]
export const WITHDRAWALS_PER_PAGE = SERVER_PAGE_SIZE

const currencySchema = z.enum(CURRENCIES)
const metaSchema = z.object({ last_page: z.number().int(), total: z.number().int() })

export const withdrawalSchema = z.object({
  id: z.number().int(),
  amount: z.string(),
  currency: currencySchema,
  to: z.enum(['balance', 'address']),
  network: z.string().nullable(),
  network_name: z.string().nullable(),
  address: z.string().nullable(),
  tx: z.string().nullable(),
  state: z.enum(WITHDRAWAL_STATES),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

/** Amounts are decimal strings in `currency`. */
export const referralReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    link: z.string(),
    currency: currencySchema,
    /** The referral percentage; null if the programme is closed. Money earned before can still be withdrawn. */
    percent: z.number().int().nullable(),
    of: z.enum(['spend', 'topup']),
    days: z.number().int(),
    pending_days: z.number().int(),
    months: z.number().int(),
    /** The maximum that an inviter may earn from one invited person. */
    most: z.string().nullable(),
    invited: z.number().int(),
    paying: z.number().int(),
    pending: z.string(),
    checking: z.string(),
    available: z.string(),
    withdrawn: z.string(),
    least: z.string(),
    networks: z.array(z.object({ code: z.string(), name: z.string() })),
    open_withdrawal: withdrawalSchema.nullable(),
  }),
})
export type ReferralReply = z.infer<typeof referralReplySchema>
export type Referral = ReferralReply['data']

/** The filter of withdrawals (specification 3). `search` matches a withdrawal's id, payout address or transaction. */
export const withdrawalsFilterSchema = z.object({
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(WITHDRAWALS_PER_PAGE),
  search: z.string().max(SEARCH_MAX_LENGTH).optional(),
})
export const withdrawalsReplySchema = z.object({
  status: z.literal(true),
  data: z.array(withdrawalSchema),
  meta: metaSchema,
})
export type WithdrawalsReply = z.infer<typeof withdrawalsReplySchema>

/** Shares are summed by day (UTC), so that they reveal nobody's purchases. */
export const sharesFilterSchema = withdrawalsFilterSchema.omit({ search: true })
export const sharesReplySchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      date: z.iso.date(),
      state: z.enum(SHARE_STATES),
      amount: z.string(),
      count: z.number().int(),
      available_at: z.iso.datetime().nullable(),
    }),
  ),
  meta: metaSchema,
})
export type SharesReply = z.infer<typeof sharesReplySchema>

const amountSchema = z.string().max(20)
export const MAX_ADDRESS_LENGTH = 200
export const withdrawalInputSchema = z.object({
  amount: amountSchema,
  to: z.enum(['balance', 'address']),
  network: z.string().max(30).optional(),
  address: z.string().max(MAX_ADDRESS_LENGTH).optional(),
})
export type WithdrawalInput = z.output<typeof withdrawalInputSchema>
export const withdrawalReplySchema = z.object({
  status: z.literal(true),
  data: withdrawalSchema,
  balance: z.string(),
})
export type WithdrawalReply = z.infer<typeof withdrawalReplySchema>
