import { z } from 'zod'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from '#contract/constants.ts'
import { wholeNumber } from '#contract/formats/whole-number.ts'
import { CURRENCIES } from '#contract/money.ts'

/** `asked`: staff have not spoken yet. `approved`: they pay it soon. `refused`: the money is back. */
export const WITHDRAWAL_STATES = ['asked', 'approved', 'paid', 'refused'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]
/** `checking`: somebody looks at the invitation first. */
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
  /** In words. */
  network_name: z.string().nullable(),
  address: z.string().nullable(),
  /** The transaction of the chain, once it is paid. */
  tx: z.string().nullable(),
  state: z.enum(WITHDRAWAL_STATES),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
})
export type Withdrawal = z.infer<typeof withdrawalSchema>

/** Amounts are decimal strings of `currency`. */
export const referralReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    link: z.string(),
    currency: currencySchema,
    /** null: the programme is closed, and what was earned can still be withdrawn. */
    percent: z.number().int().nullable(),
    of: z.enum(['spend', 'topup']),
    /** How long the link is remembered. */
    days: z.number().int(),
    pending_days: z.number().int(),
    months: z.number().int(),
    /** What one invited person may bring at most. */
    most: z.string().nullable(),
    invited: z.number().int(),
    /** Those of them for whom something was counted. */
    paying: z.number().int(),
    pending: z.string(),
    checking: z.string(),
    available: z.string(),
    withdrawn: z.string(),
    /** To an address. */
    least: z.string(),
    networks: z.array(z.object({ code: z.string(), name: z.string() })),
    open_withdrawal: withdrawalSchema.nullable(),
  }),
})
export type ReferralReply = z.infer<typeof referralReplySchema>
export type Referral = ReferralReply['data']

/** Specification 3: the filter of the withdrawals. `search` is in the number, the address or the transaction. */
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

/** By day, UTC, so that it tells of nobody what they bought when. */
export const sharesFilterSchema = withdrawalsFilterSchema.omit({ search: true })
export const sharesReplySchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      date: z.iso.date(),
      state: z.enum(SHARE_STATES),
      amount: z.string(),
      count: z.number().int(),
      /** When the last of them becomes available. */
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
  /** What can be spent now. */
  balance: z.string(),
})
export type WithdrawalReply = z.infer<typeof withdrawalReplySchema>
