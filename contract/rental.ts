import { z } from 'zod'
import { messageRecordSchema } from './activation.ts'
import { countryItemSchema, operatorItemSchema, rentHoursSchema, serviceItemSchema } from './catalog.ts'
import { countryIdSchema, wantedCountrySchema, wholeNumber } from './formats/whole-number.ts'

/**
 * The life of a rental. `reserving`: the money is held and suppliers are being asked. `active`: the number is the buyer's.
 * The rest are ends: `finished` by the buyer, `expired` by time, `cancelled` before any message within the first minutes,
 * `revoked` because the number stopped working before that, `failed` without a number; the last three with the money back.
 */
export const RENTAL_STATES = ['reserving', 'active', 'finished', 'expired', 'cancelled', 'revoked', 'failed'] as const
export type RentalState = (typeof RENTAL_STATES)[number]

/** The service that stands for all of them: the whole number, with every message that comes to it. */
export const FULL_NUMBER = 'full'

/** One rented number as the page, programs and live events see it. Amounts are decimal strings, times ISO 8601 in UTC. */
export const rentalRecordSchema = z.object({
  id: z.number().int(),
  state: z.enum(RENTAL_STATES),
  /** True when nothing will change any more. */
  final: z.boolean(),
  service: z.object({ id: z.string(), name: z.string() }),
  country: z.object({ id: z.number().int(), name: z.string(), iso2: z.string(), dial: z.string() }),
  operator: z.string().nullable(),
  /** Digits with the country code, without `+`. null while reserving or when no supplier had one. */
  phone: z.string().nullable(),
  /** All that was paid for it, extensions included. */
  price: z.string(),
  currency: z.enum(['rub', 'usd']),
  /** Paid for so far, extensions included. */
  hours: z.number().int(),
  /** Where the price of the first period is: held, captured by the first message or after 20 minutes, or released. */
  money: z.enum(['held', 'captured', 'released']),
  /** The newest recognised code. */
  code: z.string().nullable(),
  /** The newest messages, newest first. */
  messages: z.array(messageRecordSchema),
  messages_count: z.number().int(),
  created_at: z.iso.datetime(),
  /** The name of product.md section 3: when the period ends. */
  expired_date: z.iso.datetime(),
  /** Until this moment, and before any message, it can be cancelled with the money back; null when it cannot be any more. */
  cancel_until: z.iso.datetime().nullable(),
  /** The end is near: the buyer was told. */
  expiring: z.boolean(),
})
export type RentalRecord = z.infer<typeof rentalRecordSchema>

export const rentalReplySchema = z.object({ status: z.literal(true), data: rentalRecordSchema })
export type RentalReply = z.infer<typeof rentalReplySchema>

/** GET /api/user/active-rent-numbers, product.md section 3. */
export const activeRentNumbersSchema = z.object({
  status: z.literal(true),
  numbers: z.object({
    data: z.array(rentalRecordSchema),
    meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  }),
  antifraud: z.array(z.object({ service_id: z.string(), country_id: z.number().int(), until: z.iso.datetime() })),
  /** Active rentals without the filter: the badge of the header. */
  total_count: z.number().int(),
})
export type ActiveRentNumbers = z.infer<typeof activeRentNumbersSchema>

export const rentInputSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  /** Hours: 4, 24, 72, 168, 336, 720 or 1440. */
  period: rentHoursSchema,
  /** Absent or "any": whichever operator is cheapest. */
  operator_id: z.string().min(1).max(60).optional(),
  /** The price the page showed. If renting would cost more: 409 PRICE_CHANGED and nothing is held. */
  price: z.string().max(20).optional(),
})
export type RentInput = z.output<typeof rentInputSchema>

export const extendInputSchema = z.object({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  period: rentHoursSchema,
  price: z.string().max(20).optional(),
})
export type ExtendInput = z.output<typeof extendInputSchema>

/** GET /api/v1/rentals/{id}/extensions: what it costs to go on; empty when its supplier cannot. */
export const extensionsReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    currency: z.enum(['rub', 'usd']),
    periods: z.array(z.object({ period: z.number().int(), price: z.string(), until: z.iso.datetime() })),
  }),
})
export type ExtensionsReply = z.infer<typeof extensionsReplySchema>

/** GET /api/rent-price: as GET /api/price, with every period that can be had and what it costs. */
export const rentPriceReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    operators: z.array(operatorItemSchema),
    price: z.string().nullable(),
    count: z.number().int(),
    currency: z.enum(['rub', 'usd']),
    /** Of the operator asked for. `period` in hours, `count` numbers, `price` null when there is none. */
    periods: z.array(z.object({ period: z.number().int(), count: z.number().int(), price: z.string().nullable() })),
  }),
})
export type RentPriceReply = z.infer<typeof rentPriceReplySchema>

export const rentPriceFilterSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: wantedCountrySchema,
  period: rentHoursSchema.optional(),
  operator_id: z.string().max(60).optional(),
})
export type RentPriceFilter = z.output<typeof rentPriceFilterSchema>

/** GET /api/user/latest-purchases: what was bought last, each kind once, newest first, with what it would cost now. */
export const latestPurchasesSchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      service: serviceItemSchema.pick({ id: true, name: true }),
      country: countryItemSchema.pick({ id: true, name: true, iso2: true, dial: true }),
      /** null: any operator. */
      operator: z.string().nullable(),
      /** Hours of a rental; null for an activation. */
      period: z.number().int().nullable(),
      /** null when it is out of stock now. */
      price: z.string().nullable(),
      count: z.number().int(),
      success_share: z.number().nullable(),
      bought_at: z.iso.datetime(),
    }),
  ),
})
export type LatestPurchases = z.infer<typeof latestPurchasesSchema>
