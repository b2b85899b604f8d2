import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from './constants.ts'
import { wholeNumber } from './formats/whole-number.ts'

/**
 * In `created` the gateway has not replied yet. In `confirming` a transfer is seen but not final. In `partial` less
 * than the requested amount has arrived. Money that arrives after `expired` or `failed` is credited all the same.
 */
export const PAYMENT_STATES = [
  ...(['created', 'pending', 'confirming', 'paid', 'partial'] as const),
  ...(['expired', 'failed', 'refunded', 'disputed'] as const),
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]
export const OPEN_PAYMENT_STATES = ['created', 'pending', 'confirming'] as const satisfies PaymentState[]

/** The ways to pay: on another site, by transfer to an address, by hand, with a voucher's code, or at once. */
export const PAYMENT_FORMS = ['redirect', 'transfer', 'instructions', 'voucher', 'instant'] as const
export type PaymentForm = (typeof PAYMENT_FORMS)[number]

export const MAX_OPEN_PAYMENTS = 5
export const PAYMENTS_PER_PAGE = SERVER_PAGE_SIZE
export const VOUCHER_CODE_PATTERN = /^[A-Z0-9]{16}$/

/** The joint state of a payment's disputes: `open` if any is open, else `lost` if any was lost, else `won`. */
export const DISPUTE_STATES = ['open', 'lost', 'won'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]

const currencySchema = z.enum(CURRENCIES)

/** Percentages are decimal strings such as "3.5". Amounts are in `currency`. */
export const paymentSystemSchema = z.object({
  key: z.string(),
  name: z.string(),
  form: z.enum(PAYMENT_FORMS),
  mark: z.string(),
  currency: currencySchema,
  min: z.string(),
  max: z.string(),
  fee_percent: z.string(),
  /** If the value is `house`, the site's operator pays the fee, so the received amount is credited without a fee. */
  fee_by: z.enum(['payer', 'house']),
  bonus_percent: z.string(),
  minutes: z.number().int(),
})
export type PaymentSystemRecord = z.infer<typeof paymentSystemSchema>

/**
 * `first` is a bonus for an account's first top-up, `above` for a top-up of at least `least`. An account gets a rule's
 * bonus once.
 */
export const BONUS_KINDS = ['first', 'above'] as const
export type BonusKind = (typeof BONUS_KINDS)[number]

/** Either `percent` or `amount` is set. */
export const bonusRuleSchema = z.object({
  kind: z.enum(BONUS_KINDS),
  least: z.string(),
  percent: z.string().nullable(),
  amount: z.string().nullable(),
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
    /** True if the payment is `expired` because the payer closed it early. */
    closed: z.boolean(),
    dispute: z.enum(DISPUTE_STATES).nullable(),
    sum: z.string(),
    currency: currencySchema,
    fee: z.string(),
    /** The bonus that is given once the whole sum has arrived. */
    bonus: z.string(),
    /** The amount credited so far, without the fee, with the bonus, and less refunds. */
    credited: z.string(),
    received: z.string(),
    refunded: z.string(),
    /** The page where an open payment can be paid, even if a transfer is also possible; null for other payments. */
    redirect_url: z.string().nullable(),
    /**
     * The data of the transfer form (specification 3). `amount` is in `asset`, or in the currency if `asset` is null.
     */
    address: z.string().nullable(),
    amount: z.string(),
    asset: z.string().nullable(),
    network: z.string().nullable(),
    qrCode: z.string().nullable(),
    /** A link that opens a wallet with the address and the amount filled in. */
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
  /**
   * Bonus rules apart from the payment systems' own bonuses. If several rules fit, the page promises the largest bonus.
   */
  bonuses: z.array(bonusRuleSchema),
  active_payments: z.record(z.string(), paymentRecordSchema),
})
export type PaymentsReply = z.infer<typeof paymentsReplySchema>

export const paymentReplySchema = z.object({ status: z.literal(true), data: paymentRecordSchema })
export type PaymentReply = z.infer<typeof paymentReplySchema>

/** `redeemed_before` is true if this account redeemed the voucher earlier, so that nothing was credited now. */
export const voucherReplySchema = paymentReplySchema.extend({ redeemed_before: z.boolean() })

export const paymentInputSchema = z.object({ system: z.string().min(1).max(80), amount: z.string().max(20) })

export const voucherInputSchema = z.object({ code: z.string().min(1).max(60) })

const dateSchema = z.iso.date()
/** Days are in `time_zone`, an IANA name (UTC if absent). `date` means that `from` and `to` are the same day. */
export const paymentsFilterSchema = z.object({
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(PAYMENTS_PER_PAGE),
  date: dateSchema.optional(),
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  time_zone: z.string().max(60).optional(),
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

/** Returns the path of a payment in the history, to which notifications link. */
export function paymentPath(transactionId: string): string {
  return `/history?view=payments&payment=${encodeURIComponent(transactionId)}`
}
