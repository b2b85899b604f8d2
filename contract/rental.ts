import { z } from 'zod'
import { sandboxMark } from '#contract/formats/play-money.ts'
import { CURRENCIES } from '#contract/money.ts'
import { foldedSchema, messageRecordSchema } from './activation.ts'
import { countryItemSchema, operatorItemSchema, rentHoursSchema, serviceItemSchema } from './catalog.ts'
import { countryIdSchema, wholeNumber } from './formats/whole-number.ts'

/** The time within which a rental can be cancelled, unless a message comes first (docs/numbers.md). */
export const RENTAL_CANCEL_MINUTES = 20

/** In the states `cancelled`, `revoked` and `failed`, the buyer has the money back. */
export const RENTAL_STATES = ['reserving', 'active', 'finished', 'expired', 'cancelled', 'revoked', 'failed'] as const
export type RentalState = (typeof RENTAL_STATES)[number]

/** The id of the pseudo-service that rents a whole number, which receives the messages of every service. */
export const FULL_NUMBER = 'full'

export const rentalRecordSchema = z
  .object({
    id: z.number().int(),
    state: z.enum(RENTAL_STATES),
    final: z.boolean(),
    service: z.object({ id: z.string(), name: z.string() }),
    country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
    operator: z.string().nullable(),
    /** The phone number with country code and without `+`; null while no supplier has reserved one. */
    phone: z.string().nullable(),
    price: z.string(),
    currency: z.enum(CURRENCIES),
    hours: z.number().int(),
    /** The state of the first period's money. The first message, or the end of 20 minutes, captures it. */
    money: z.enum(['held', 'captured', 'released']),
    refunded: z.string().optional(),
    code: z.string().nullable(),
    messages: z.array(messageRecordSchema),
    folded: foldedSchema,
    messages_count: z.number().int(),
    created_at: z.iso.datetime(),
    /** The end of the rental, in a field named by specification 3. */
    expired_date: z.iso.datetime(),
    /**
     * The time until which the rental can be cancelled with a refund, if no message came; null if that time is over.
     */
    cancel_until: z.iso.datetime().nullable(),
    expiring: z.boolean(),
    sandbox: sandboxMark,
  })
  .meta({ id: 'Rental' })
export type RentalRecord = z.infer<typeof rentalRecordSchema>

export const rentalReplySchema = z.object({ status: z.literal(true), data: rentalRecordSchema })

export const activeRentNumbersSchema = z.object({
  status: z.literal(true),
  numbers: z.object({
    data: z.array(rentalRecordSchema),
    meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  }),
  antifraud: z.array(z.object({ service_id: z.string(), country_id: z.number().int(), until: z.iso.datetime() })),
  total_count: z.number().int(),
})
export type ActiveRentNumbers = z.infer<typeof activeRentNumbersSchema>

export const rentInputSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  period: rentHoursSchema,
  operator_id: z.string().min(1).max(60).optional(),
  /**
   * The price that the page showed to the buyer. If the current price is higher, the call fails (409 PRICE_CHANGED).
   */
  price: z.string().max(20).optional(),
})
export type RentInput = z.output<typeof rentInputSchema>

export const extendInputSchema = z.object({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  period: rentHoursSchema,
  price: z.string().max(20).optional(),
})

export const extensionsReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    currency: z.enum(CURRENCIES),
    periods: z.array(z.object({ period: z.number().int(), price: z.string(), until: z.iso.datetime() })),
  }),
})
export type ExtensionsReply = z.infer<typeof extensionsReplySchema>

export const rentPriceReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    operators: z.array(operatorItemSchema),
    price: z.string().nullable(),
    count: z.number().int(),
    currency: z.enum(CURRENCIES),
    /** Rental periods of the requested operator. `period` is in hours; `price` is null without offers. */
    periods: z.array(z.object({ period: z.number().int(), count: z.number().int(), price: z.string().nullable() })),
  }),
})
export type RentPriceReply = z.infer<typeof rentPriceReplySchema>

export const rentPriceFilterSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  period: rentHoursSchema.optional(),
  operator_id: z.string().max(60).optional(),
})
export type RentPriceFilter = z.output<typeof rentPriceFilterSchema>

export const latestPurchasesSchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      service: serviceItemSchema.pick({ id: true, name: true }),
      country: countryItemSchema.pick({ id: true, name: true, iso2: true, dial: true }),
      operator: z.string().nullable(),
      period: z.number().int().nullable(),
      price: z.string().nullable(),
      count: z.number().int(),
      success_share: z.number().nullable(),
      bought_at: z.iso.datetime(),
    }),
  ),
})
export type LatestPurchases = z.infer<typeof latestPurchasesSchema>
