import { z } from 'zod'
import { ACTIVATION_STATES } from '#contract/activation.ts'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from '#contract/constants.ts'
import { listOf } from '#contract/formats/list-of.ts'
import { countryIdSchema, wholeNumber } from '#contract/formats/whole-number.ts'
import { CURRENCIES } from '#contract/money.ts'
import { RENTAL_STATES } from '#contract/rental.ts'

export const HISTORY_OUTCOMES = ['active', 'received', 'returned'] as const
export type HistoryOutcome = (typeof HISTORY_OUTCOMES)[number]

export const HISTORY_MODES = ['activation', 'rent'] as const

const dateSchema = z.iso.date()
const MAX_FILTER_ENTRIES = 100

/** `from` and `to` are days in `time_zone`, an IANA name (UTC if absent). */
const pastFilter = {
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  time_zone: z.string().max(60).optional(),
  services_ids: listOf(z.string().max(40), MAX_FILTER_ENTRIES),
  countries_ids: listOf(countryIdSchema, MAX_FILTER_ENTRIES),
}

/** The history is paged by cursor, because new entries arrive during reading. */
export const historyFilterSchema = z.object({
  ...pastFilter,
  mode: z.enum(HISTORY_MODES).optional(),
  /** `active` purchases are still open, `received` ones are paid, and `returned` ones were refunded. */
  outcome: z.enum(HISTORY_OUTCOMES).optional(),
  search: z.string().max(SEARCH_MAX_LENGTH).optional(),
  cursor: z.string().max(100).optional(),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
})
export type HistoryFilter = Partial<z.output<typeof historyFilterSchema>>

const MONEY = ['held', 'captured', 'released'] as const

export const historyItemSchema = z
  .object({
    id: z.number().int(),
    mode: z.enum(HISTORY_MODES),
    state: z.enum([...ACTIVATION_STATES, ...RENTAL_STATES]),
    outcome: z.enum(HISTORY_OUTCOMES),
    service: z.object({ id: z.string(), name: z.string() }),
    country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
    operator: z.string().nullable(),
    phone: z.string().nullable(),
    price: z.string(),
    /** The price of the purchase, or 0.00 after a refund. */
    paid: z.string(),
    refunded: z.string().nullable(),
    money: z.enum(MONEY),
    currency: z.enum(CURRENCIES),
    hours: z.number().int().nullable(),
    code: z.string().nullable(),
    messages_count: z.number().int(),
    can_repeat: z.boolean(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'HistoryItem' })
export type HistoryItem = z.infer<typeof historyItemSchema>

export const historyReplySchema = z.object({
  status: z.literal(true),
  history: z.object({
    data: z.array(historyItemSchema),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
})
export type HistoryReply = z.infer<typeof historyReplySchema>

/** Totals of all purchases that match the filter of the history. */
export const historyTotalsFilterSchema = historyFilterSchema.omit({ cursor: true, per_page: true })
export type HistoryTotalsFilter = Partial<z.output<typeof historyTotalsFilterSchema>>

export const historyTotalsSchema = z.object({
  currency: z.enum(CURRENCIES),
  purchases: z.number().int(),
  /** The charged money, less refunds. */
  spent: z.string(),
  /** The money of open purchases. */
  set_aside: z.string(),
  /** The money that came back, from what was on hold and from what was charged. */
  returned: z.string(),
  /** Activations that got a code, and those whose outcome is known. `success_share` is null without the latter. */
  codes: z.number().int(),
  ended: z.number().int(),
  success_share: z.number().nullable(),
  /** True if only the newest purchases were added up, because there are very many. */
  is_cut: z.boolean(),
})
export type HistoryTotals = z.infer<typeof historyTotalsSchema>
export const historyTotalsReplySchema = z.object({ status: z.literal(true), data: historyTotalsSchema })

export const movementsFilterSchema = z.object({
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  time_zone: z.string().max(60).optional(),
  direction: z.enum(['in', 'out']).optional(),
  cursor: z.string().max(100).optional(),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
})
export type MovementsFilter = Partial<z.output<typeof movementsFilterSchema>>

/** Every kind of movement that changes the available balance. A capture does not change it. */
export const MOVEMENT_KINDS = [
  ...(['hold', 'release', 'refund', 'credit', 'debit', 'topup', 'fee', 'bonus', 'voucher'] as const),
  ...([
    'payment_refund',
    'payment_refund_failed',
    'dispute',
    'dispute_won',
    'bonus_back',
    'fee_back',
    'debt',
    'repayment',
    'rounding',
    'referral_withdrawal',
    'referral_recall',
    'loyalty',
    'loyalty_back',
    'channel_reward',
    'forfeit',
    'sandbox_credit',
  ] as const),
] as const

export const movementItemSchema = z
  .object({
    id: z.number().int(),
    kind: z.enum(MOVEMENT_KINDS),
    /** The change of the balance as a decimal string; negative if the balance falls. */
    amount: z.string(),
    balance: z.string(),
    currency: z.enum(CURRENCIES),
    /** The purchase that caused the movement; null for payments and changes by staff. */
    subject: z
      .object({
        purpose: z.enum(['activation', 'rental', 'extension', 'preorder']),
        id: z.number().int(),
        money: z.enum(MONEY),
        service: z.object({ id: z.string(), name: z.string() }),
        country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
      })
      .nullable(),
    /** The payment that was received or returned. `name` is the payment method. */
    payment: z.object({ transaction_id: z.string(), name: z.string() }).nullable(),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Movement' })
export type MovementItem = z.infer<typeof movementItemSchema>

export const movementsReplySchema = z.object({
  status: z.literal(true),
  movements: z.object({
    data: z.array(movementItemSchema),
    meta: z.object({ next_cursor: z.string().nullable() }),
  }),
})
export type MovementsReply = z.infer<typeof movementsReplySchema>

/** `from` and `to` are included, and are days in `time_zone` (IANA, UTC if absent). An omitted day sets no bound. */
export const statementFilterSchema = z.object({
  from: dateSchema.optional(),
  to: dateSchema.optional(),
  time_zone: z.string().max(60).optional(),
})
export type StatementFilter = Partial<z.output<typeof statementFilterSchema>>

/** Decimal strings: `available` can be spent, `held` is reserved for open orders, and `debt` is owed. */
const standSchema = z.object({ available: z.string(), held: z.string(), debt: z.string() })

/** `opening.available` plus all sums equals `closing.available`. */
export const statementSchema = z.object({
  currency: z.enum(CURRENCIES),
  from: dateSchema.nullable(),
  to: dateSchema.nullable(),
  opening: standSchema,
  closing: standSchema,
  sums: z.array(
    z.object({
      kind: z.enum(MOVEMENT_KINDS),
      in: z.string(),
      out: z.string(),
      count: z.number().int(),
    }),
  ),
  /** The sum of all captured holds. The sum less refunds is the cost of all purchases. */
  charged: z.object({ amount: z.string(), count: z.number().int() }),
  at: z.iso.datetime(),
})
export type Statement = z.infer<typeof statementSchema>

export const statementReplySchema = z.object({ status: z.literal(true), data: statementSchema })
export type StatementReply = z.infer<typeof statementReplySchema>

/** The format of a CSV file for programs never changes. A file for people suits spreadsheets in their language. */
export const CSV_FOR = ['programs', 'people'] as const
export type CsvFor = (typeof CSV_FOR)[number]
const ofFile = { for: z.enum(CSV_FOR).optional() }

export const historyFileFilterSchema = historyFilterSchema.extend(ofFile)
export const movementsFileFilterSchema = movementsFilterSchema.extend(ofFile)
export const statementFileFilterSchema = statementFilterSchema.extend(ofFile)
export type StatementFileFilter = Partial<z.output<typeof statementFileFilterSchema>>

type CsvFile = AsyncIterable<string>
export const csvFileSchema = z.custom<CsvFile>()

export const statisticsFilterSchema = z.object({
  ...pastFilter,
  mode: z.enum(HISTORY_MODES).optional(),
})
export type StatisticsFilter = Partial<z.output<typeof statisticsFilterSchema>>

const sumSchema = z.object({
  purchases: z.number().int(),
  activations: z.number().int(),
  codes: z.number().int(),
  spent: z.string(),
  /** The share of activations that got a code, from 0 to 1; null without activations. */
  success_share: z.number().nullable(),
  median_seconds: z.number().nullable(),
  p90_seconds: z.number().nullable(),
})
export type StatisticsSum = z.infer<typeof sumSchema>

const periodSumsSchema = z.object({
  from: dateSchema,
  to: dateSchema,
  total: sumSchema,
  days: z.array(sumSchema.extend({ day: dateSchema })),
  /** Sums by hour, which begin at `at`; null for more than three days. */
  hours: z.array(sumSchema.extend({ at: z.iso.datetime() })).nullable(),
})

export const statisticsReplySchema = z.object({
  status: z.literal(true),
  data: periodSumsSchema.extend({
    currency: z.enum(CURRENCIES),
    /**
     * The same number of days before. If the last day goes on, only the hours that had begun by the same time of its
     * day are counted, each as a whole hour.
     */
    before: periodSumsSchema,
    services: z.array(sumSchema.extend({ id: z.string(), name: z.string() })),
    countries: z.array(sumSchema.extend({ id: z.number().int(), name: z.string(), iso2: z.string() })),
    /** A job updates the stored statistics, so purchases after this time are not yet counted. */
    counted_until: z.iso.datetime().nullable(),
  }),
})
export type StatisticsReply = z.infer<typeof statisticsReplySchema>

export const qualityFilterSchema = z.object({
  service_id: z.string().max(40).optional(),
  country_id: countryIdSchema.optional(),
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
})
export type QualityFilter = Partial<z.output<typeof qualityFilterSchema>>

export const qualityReplySchema = z.object({
  status: z.literal(true),
  days: z.number().int(),
  minimum_sample: z.number().int(),
  data: z.array(
    z.object({
      service_id: z.string(),
      country_id: z.number().int(),
      operator: z.string(),
      purchases: z.number().int(),
      success_share: z.number(),
      median_seconds: z.number().nullable(),
      p90_seconds: z.number().nullable(),
      /** The best operator of the same service and country, if its share of codes is far higher; else null. */
      better: z.object({ operator: z.string(), success_share: z.number() }).nullable(),
    }),
  ),
  meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
})
export type QualityReply = z.infer<typeof qualityReplySchema>
