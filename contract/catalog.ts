import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { INTERNAL_FIELD, MAX_PAGE_SIZE, RENT_PERIODS_HOURS, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from './constants.ts'
import { countryIdSchema, oneWholeNumberOf, wholeNumber } from './formats/whole-number.ts'

/** `success_share` is between 0 and 1, or null if too few purchases were measured. */
const measuredSchema = z.object({
  price: z.string().nullable(),
  count: z.number().int(),
  success_share: z.number().min(0).max(1).nullable(),
  median_seconds: z.number().nullable(),
})

/** Search words besides the name. Only a list with `load=all` has them, because its page searches in the browser. */
const also = z.array(z.string()).optional()

export const serviceItemSchema = measuredSchema.extend({
  id: z.string(),
  name: z.string(),
  also,
  is_favorite: z.boolean(),
})
export type ServiceItem = z.infer<typeof serviceItemSchema>

export const countryItemSchema = measuredSchema.extend({
  id: z.number().int(),
  name: z.string(),
  also,
  iso2: z.string(),
  dial: z.string(),
  is_favorite: z.boolean(),
})
export type CountryItem = z.infer<typeof countryItemSchema>

const listMeta = { status: z.literal(true), count: z.number().int(), favorites: z.number().int() }
export const servicesReplySchema = z.object({ ...listMeta, services: z.array(serviceItemSchema) })
export type ServicesReply = z.infer<typeof servicesReplySchema>
export const countriesReplySchema = z.object({ ...listMeta, countries: z.array(countryItemSchema) })
export type CountriesReply = z.infer<typeof countriesReplySchema>

export const operatorItemSchema = measuredSchema.extend({
  id: z.string(),
  name: z.string(),
  p90_seconds: z.number().nullable(),
})
export type OperatorItem = z.infer<typeof operatorItemSchema>

/** `operators[0]` is `any`; other operators follow, cheapest first. Price and count are of the requested operator. */
export const priceReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    operators: z.array(operatorItemSchema),
    price: z.string().nullable(),
    count: z.number().int(),
    currency: z.enum(CURRENCIES),
  }),
})
export type PriceReply = z.infer<typeof priceReplySchema>

export const COUNTRY_SORTS = ['popular', 'price', 'stock', 'success', 'name'] as const
export const ANY_OPERATOR = 'any'

/**
 * The filter follows product.md section 3. The server ignores `version`, because all versions have one reply format, so
 * the lists of fields that people read leave it out.
 */
const listFilter = {
  version: wholeNumber(0, 1_000)
    .optional()
    .meta({ [INTERNAL_FIELD]: true }),
  load: z.enum(['all']).optional(),
  search: z.string().max(SEARCH_MAX_LENGTH).optional(),
  is_favorite: z.enum(['0', '1']).optional(),
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
}
export const servicesFilterSchema = z.object({
  ...listFilter,
  country_id: countryIdSchema.optional(),
})
export const countriesFilterSchema = z.object({
  ...listFilter,
  service_id: z.string().max(40).optional(),
  sort: z.enum(COUNTRY_SORTS).optional(),
})
export type CountriesFilter = z.input<typeof countriesFilterSchema>
export const rentHoursSchema = oneWholeNumberOf(RENT_PERIODS_HOURS)
/** The rental period in hours; 24 if absent. */
const rentPeriod = { period: rentHoursSchema.optional() }
export const rentServicesFilterSchema = servicesFilterSchema.extend(rentPeriod)
export type RentServicesFilter = z.input<typeof rentServicesFilterSchema>
export const rentCountriesFilterSchema = countriesFilterSchema.extend(rentPeriod)
export type RentCountriesFilter = z.input<typeof rentCountriesFilterSchema>
export const priceFilterSchema = z.object({
  service_id: z.string().min(1).max(40),
  country_id: countryIdSchema,
  operator_id: z.string().max(60).optional(),
})
