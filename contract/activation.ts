import { z } from 'zod'
import { sandboxMark } from '#contract/formats/play-money.ts'
import { CURRENCIES } from '#contract/money.ts'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from './constants.ts'
import { listOf } from './formats/list-of.ts'
import { countryIdSchema, wholeNumber } from './formats/whole-number.ts'

/** In the states `cancelled`, `expired`, `used` and `failed`, the buyer has the money back. */
export const ACTIVATION_STATES = [
  'reserving',
  'waiting',
  'received',
  'waiting_again',
  'finished',
  'cancelled',
  'expired',
  'used',
  'failed',
] as const
export type ActivationState = (typeof ACTIVATION_STATES)[number]

export const ACTIVE_STATES = ['waiting', 'received', 'waiting_again'] as const satisfies ActivationState[]

export const messageRecordSchema = z
  .object({
    id: z.number().int(),
    sender: z.string(),
    text: z.string(),
    /** `code` is null if no code was recognised in the message's text. The page then shows the text. */
    code: z.string().nullable(),
    received_at: z.iso.datetime(),
    /** True if the message came after the activation ended. Late messages are free of charge. */
    late: z.literal(true).optional(),
    /** A withheld message is unpaid, or came after a refund. Its sender and text are empty, and its code is null. */
    withheld: z.literal(true).optional(),
    /** A notice is a message of the service without a code. The buyer pays the activation's price to open a notice. */
    notice: z.literal(true).optional(),
  })
  .meta({ id: 'Message' })
export type MessageRecord = z.infer<typeof messageRecordSchema>

/** The number of further messages without a code, not listed because they came faster than ten in a minute. */
export const foldedSchema = z.number().int().min(1).optional()

export const activationRecordSchema = z
  .object({
    id: z.number().int(),
    state: z.enum(ACTIVATION_STATES),
    final: z.boolean(),
    service: z.object({ id: z.string(), name: z.string() }),
    country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
    operator: z.string().nullable(),
    /** The phone number with country code and without `+`; null while no supplier has reserved one. */
    phone: z.string().nullable(),
    price: z.string(),
    currency: z.enum(CURRENCIES),
    money: z.enum(['held', 'captured', 'released']),
    /** The part of the price that support paid back, or that was paid back because no code of the service came. */
    refunded: z.string().optional(),
    code: z.string().nullable(),
    messages: z.array(messageRecordSchema),
    folded: foldedSchema,
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    cancel_from: z.iso.datetime(),
    can_repeat: z.boolean(),
    sandbox: sandboxMark,
  })
  .meta({ id: 'Activation' })
export type ActivationRecord = z.infer<typeof activationRecordSchema>

export const activeNumbersSchema = z.object({
  status: z.literal(true),
  numbers: z.object({
    data: z.array(activationRecordSchema),
    meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  }),
  antifraud: z.array(z.object({ service_id: z.string(), country_id: z.number().int(), until: z.iso.datetime() })),
  total_count: z.number().int(),
})
export type ActiveNumbers = z.infer<typeof activeNumbersSchema>

export const ACTIVE_NUMBERS_SORTS = ['newest', 'oldest', 'expiring'] as const

const MAX_FILTER_ENTRIES = 100

export const numbersFilterSchema = z.object({
  search: z.string().max(SEARCH_MAX_LENGTH).optional(),
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
  services_ids: listOf(z.string().max(40), MAX_FILTER_ENTRIES),
  countries_ids: listOf(countryIdSchema, MAX_FILTER_ENTRIES),
  sort: z.enum(ACTIVE_NUMBERS_SORTS).default('newest'),
})
export type ActiveNumbersFilter = z.input<typeof numbersFilterSchema>

export const purchaseInputSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  operator_id: z.string().min(1).max(60).optional(),
  /**
   * The price that the page showed to the buyer. If the current price is higher, the call fails (409 PRICE_CHANGED).
   */
  price: z.string().max(20).optional(),
  /** The buyer's price limit. If the current price is higher, the call fails (422 MAX_PRICE_TOO_LOW). */
  max_price: z.string().max(20).optional(),
})
export type PurchaseInput = z.infer<typeof purchaseInputSchema>

export const MAX_WAIT_SECONDS = 30

export const activationInputSchema = z.object({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  /** The number of seconds that the server waits for a code or for the activation's end. With 0 it replies at once. */
  wait: wholeNumber(0, MAX_WAIT_SECONDS).default(0),
})

export const anotherNumberInputSchema = z.object({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  price: z.string().max(20).optional(),
})

export const activationReplySchema = z.object({ status: z.literal(true), data: activationRecordSchema })
export type ActivationReply = z.infer<typeof activationReplySchema>

const MAX_BULK_ITEMS = 50

export const bulkInputSchema = z.object({ items: z.array(purchaseInputSchema.strict()).min(1).max(MAX_BULK_ITEMS) })

const refusalSchema = z.object({
  status: z.literal(false),
  code: z.string(),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
})

/** The results follow the order of the input. Each is a bought number, or the reason why none was bought. */
export const bulkReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    bought: z.number().int(),
    items: z.array(z.discriminatedUnion('status', [activationReplySchema, refusalSchema])),
  }),
})
export type BulkReply = z.infer<typeof bulkReplySchema>
