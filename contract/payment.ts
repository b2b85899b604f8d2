import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from './constants.ts'
import { wholeNumber } from './formats/whole-number.ts'

/**
 * `created`: the gateway has not answered yet. `confirming`: seen, not certain. `partial`: less than asked has arrived.
 * What comes after `expired` or `failed` is credited all the same.
 */
export const PAYMENT_STATES = [
  ...(['created', 'pending', 'confirming', 'paid', 'partial'] as const),
  ...(['expired', 'failed', 'refunded', 'disputed'] as const),
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
export const OPEN_PAYMENT_STATES = ['created', 'pending', 'confirming'] as const satisfies PaymentState[]

/** `redirect`: pay elsewhere. `transfer`: to an address. `instructions`: by hand. `voucher`: a code. `instant`: at once. */
export const PAYMENT_FORMS = ['redirect', 'transfer', 'instructions', 'voucher', 'instant'] as const
export type PaymentForm = (typeof PAYMENT_FORMS)[number]

/** Per account. */
export const MAX_OPEN_PAYMENTS = 5
export const PAYMENTS_PER_PAGE = SERVER_PAGE_SIZE
export const VOUCHER_CODE_PATTERN = /^[A-Z0-9]{16}$/

/** Of all disputes of a payment: one is `open`, else one was `lost` and its money stays with the payer, else all were `won`. */
export const DISPUTE_STATES = ['open', 'lost', 'won'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

const currencySchema = z.enum(CURRENCIES)

/** Percentages are decimal strings such as "3.5"; amounts are in `currency`. */
export const paymentSystemSchema = z.object({
  key: z.string(),
  name: z.string(),
  form: z.enum(PAYMENT_FORMS),
  mark: z.string(),
  currency: currencySchema,
  min: z.string(),
  max: z.string(),
  fee_percent: z.string(),
  /** `house`: the fee is not taken from what arrives. */
  fee_by: z.enum(['payer', 'house']),
  bonus_percent: z.string(),
  minutes: z.number().int(),
})
export type PaymentSystemRecord = z.infer<typeof paymentSystemSchema>

/** `first`: for the first top-up of an account. `above`: from an amount on. Each once. */
export const BONUS_KINDS = ['first', 'above'] as const
export type BonusKind = (typeof BONUS_KINDS)[number]

/** `percent` or `amount` is set. */
export const bonusRuleSchema = z.object({
  kind: z.enum(BONUS_KINDS),
  /** Of a top-up. */
  least: z.string(),
  percent: z.string().nullable(),
  amount: z.string().nullable(),
  /** Of the bonus. */
  most: z.string().nullable(),
  ends_at: z.iso.datetime().nullable(),
})
export type BonusRuleRecord = z.infer<typeof bonusRuleSchema>

export const paymentRecordSchema = z
  .object({
    transaction_id: z.string(),
    system: z.string(),
    name: z.string(),
    mark: z.string(),
    form: z.enum(PAYMENT_FORMS),
    state: z.enum(PAYMENT_STATES),
    /** It is `expired` because its payer closed it before its time. */
    closed: z.boolean(),
    /** null: it was never disputed. */
    dispute: z.enum(DISPUTE_STATES).nullable(),
    /** What was asked for. */
    sum: z.string(),
    currency: currencySchema,
    /** Taken from what arrives. */
    fee: z.string(),
    /** Given when the whole sum has arrived. */
    bonus: z.string(),
    /** What has been credited so far, without fee and with bonus; less what went back. */
    credited: z.string(),
    received: z.string(),
    refunded: z.string(),
    /** Open payments only: where it is paid, or may be paid as well as by transfer. */
    redirect_url: z.string().nullable(),
    /** The code form (specification 3): what to transfer where. `amount` is of `asset`, or of the currency without one. */
    address: z.string().nullable(),
    amount: z.string(),
    asset: z.string().nullable(),
    network: z.string().nullable(),
    /** SVG. */
    qrCode: z.string().nullable(),
    /** Opens a wallet with address and amount. */
    wallet_url: z.string().nullable(),
    instructions: z
      .object({
        reference: z.string(),
        text: z.string(),
        rows: z.array(z.object({ label: z.string(), value: z.string() })),
      })
      .nullable(),
    confirmations: z.object({ seen: z.number().int(), needed: z.number().int() }).nullable(),
    created_at: z.iso.datetime(),
    expired_at: z.iso.datetime(),
    paid_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Payment' })
export type PaymentRecord = z.infer<typeof paymentRecordSchema>

export const paymentsReplySchema = z.object({
  status: z.literal(true),
  systems: z.record(z.string(), paymentSystemSchema),
  default_system: z.string().nullable(),
  /** Beside those of systems; of several that fit a top-up the one that gives most is promised. */
  bonuses: z.array(bonusRuleSchema),
  active_payments: z.record(z.string(), paymentRecordSchema),
})
export type PaymentsReply = z.infer<typeof paymentsReplySchema>

export const paymentReplySchema = z.object({ status: z.literal(true), data: paymentRecordSchema })
export type PaymentReply = z.infer<typeof paymentReplySchema>

/** `redeemed_before`: by this account, so nothing was credited now. */
export const voucherReplySchema = paymentReplySchema.extend({ redeemed_before: z.boolean() })

export const paymentInputSchema = z.object({ system: z.string().min(1).max(80), amount: z.string().max(20) })

export const voucherInputSchema = z.object({ code: z.string().min(1).max(60) })

const dateSchema = z.iso.date()
/** Days are those of `time_zone` (an IANA name; default UTC). `date` is one day, as `from` and `to` together. */
export const paymentsFilterSchema = z.object({
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(PAYMENTS_PER_PAGE),
  date: dateSchema.optional(),
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  time_zone: z.string().max(60).optional(),
  /** In the transaction id or the name of the system. */
  search: z.string().max(SEARCH_MAX_LENGTH).optional(),
  payment_id: z.string().max(100).optional(),
  page: wholeNumber(1, 10_000).default(1),
})
export type PaymentsFilter = Partial<z.output<typeof paymentsFilterSchema>>

export const paymentsHistorySchema = z.object({
  status: z.literal(true),
  history: z.object({
    data: z.array(paymentRecordSchema),
    meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  }),
})
export type PaymentsHistory = z.infer<typeof paymentsHistorySchema>

/** Its line in the history, to which notices of it lead. */
export function paymentPath(transactionId: string): string {
  return `/history?view=payments&payment=${encodeURIComponent(transactionId)}`
}
