import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { MAX_PAGE_SIZE, SEARCH_MAX_LENGTH, SERVER_PAGE_SIZE } from './constants.ts'
import { countryIdSchema, wholeNumber } from './formats/whole-number.ts'
import { CSV_FOR } from './past/history.ts'
import { loyaltyTermsSchema } from './programmes/loyalty.ts'

/** An article has the same slug in every language, because paths carry no language. */
export const slugSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)

const linkSchema = z.object({ slug: z.string(), title: z.string() })
const headingSchema = z.object({ id: z.string(), text: z.string(), level: z.number().int() })

/** `html` is safe to insert into a page, because our server renders it from our own Markdown. */
const textFields = {
  title: z.string(),
  description: z.string(),
  html: z.string(),
  headings: z.array(headingSchema),
  updated: z.iso.date(),
}

export const documentReplySchema = z.object({ status: z.literal(true), data: z.object(textFields) })
export type DocumentReply = z.infer<typeof documentReplySchema>

export const articleItemSchema = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  category: linkSchema,
  published: z.iso.date(),
  reading_minutes: z.number().int(),
})
export type ArticleItem = z.infer<typeof articleItemSchema>

export const articlesReplySchema = z.object({
  status: z.literal(true),
  data: z.array(articleItemSchema),
  meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  categories: z.array(linkSchema.extend({ count: z.number().int() })),
  category: linkSchema.nullable(),
})
export type ArticlesReply = z.infer<typeof articlesReplySchema>

export const articleReplySchema = z.object({
  status: z.literal(true),
  data: articleItemSchema.extend({ ...textFields, author: z.string() }),
  related: z.array(articleItemSchema),
})
export type ArticleReply = z.infer<typeof articleReplySchema>

export const answerItemSchema = z.object({ slug: z.string(), title: z.string(), description: z.string() })
export const answersReplySchema = z.object({
  status: z.literal(true),
  categories: z.array(linkSchema.extend({ answers: z.array(answerItemSchema) })),
})
export type AnswersReply = z.infer<typeof answersReplySchema>

export const answerReplySchema = z.object({
  status: z.literal(true),
  data: z.object({ ...textFields, slug: z.string(), category: linkSchema }),
  related: z.array(answerItemSchema),
})
export type AnswerReply = z.infer<typeof answerReplySchema>

const directoryItemSchema = z.object({
  id: z.union([z.string(), z.number().int()]),
  slug: z.string(),
  name: z.string(),
  iso2: z.string().nullable(),
  price: z.string().nullable(),
  count: z.number().int(),
  success_share: z.number().nullable(),
  median_seconds: z.number().nullable(),
})
export type DirectoryItem = z.infer<typeof directoryItemSchema>

/** In the text `excerpt`, each found word stands between \u0001 and \u0002. */
export const contentSearchReplySchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({ path: z.string(), kind: z.enum(['article', 'answer']), title: z.string(), excerpt: z.string() }),
  ),
  named: z.object({ services: z.array(directoryItemSchema), countries: z.array(directoryItemSchema) }),
  meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
})
export type ContentSearchReply = z.infer<typeof contentSearchReplySchema>

/** The longest page of the price list holds one service in all countries. */
export const PRICE_LIST_MAX_PAGE = 250
export const PRICE_LIST_SORTS = ['popular', 'price', 'share', 'time', 'stock', 'name'] as const
/** The shares, in per cent, that the page of prices offers as the least share of codes. */
export const MIN_SHARES = [0, 50, 70, 80, 90] as const
export type PriceListSort = (typeof PRICE_LIST_SORTS)[number]

const paging = {
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, MAX_PAGE_SIZE).default(SERVER_PAGE_SIZE),
}
export const articlesFilterSchema = z.object({
  ...paging,
  category: slugSchema.optional(),
  /** Articles that mention this name come first. */
  about: z.string().max(SEARCH_MAX_LENGTH).optional(),
})
export const contentSearchFilterSchema = z.object({
  ...paging,
  search: z.string().min(1).max(SEARCH_MAX_LENGTH),
  kind: z.enum(['article', 'answer']).optional(),
})

export const directoryReplySchema = z.object({
  status: z.literal(true),
  data: z.array(directoryItemSchema),
  meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
  /**
   * The initials of all services or countries in alphabetical order. `#` stands for names that begin with no letter.
   */
  letters: z.array(z.string()),
})
export type DirectoryReply = z.infer<typeof directoryReplySchema>
export const directoryFilterSchema = z.object({
  kind: z.enum(['services', 'countries']),
  search: z.string().max(SEARCH_MAX_LENGTH).optional(),
  letter: z.string().max(2).optional(),
  page: wholeNumber(1, 10_000).default(1),
  per_page: wholeNumber(1, 5_000).default(MAX_PAGE_SIZE),
})

export const directoryPageReplySchema = z.object({
  status: z.literal(true),
  data: z.object({
    item: directoryItemSchema,
    code: z.string(),
    dial: z.string().nullable(),
    currency: z.enum(CURRENCIES),
    /** At most 250 offers: first those in stock, then those sold out, each cheapest first. */
    offers: z.array(directoryItemSchema),
    offers_total: z.number().int(),
    /** Codes of each of the last 24 hours in per cent of the best, the oldest first; empty for countries and if few came. */
    codes_by_hour: z.array(z.number().int().min(0).max(100)),
    operators: z.array(z.string()),
    can_rent: z.boolean(),
    can_repeat: z.boolean(),
    related: z.array(directoryItemSchema),
  }),
})
export type DirectoryPageReply = z.infer<typeof directoryPageReplySchema>

export const operatorsFilterSchema = z.object({ search: z.string().max(SEARCH_MAX_LENGTH).optional() })
export const operatorsReplySchema = z.object({
  status: z.literal(true),
  data: z.array(
    z.object({
      country: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), iso2: z.string() }),
      operators: z.array(z.string()),
    }),
  ),
})
export type OperatorsReply = z.infer<typeof operatorsReplySchema>

/** `min_share` is a percentage, and omits pairs of which a smaller share, or no share yet, was measured. */
const pricesShown = {
  service_id: z.string().max(40).optional(),
  country_id: countryIdSchema.optional(),
  sort: z.enum(PRICE_LIST_SORTS).optional(),
  min_share: wholeNumber(0, 100).optional(),
}
export const priceListFilterSchema = z.object({
  service: z.string().max(100).optional(),
  country: z.string().max(100).optional(),
  ...pricesShown,
  page: paging.page,
  per_page: wholeNumber(1, PRICE_LIST_MAX_PAGE).default(SERVER_PAGE_SIZE),
})
export const priceListFileFilterSchema = z.object({ ...pricesShown, for: z.enum(CSV_FOR).optional() })
export const priceListReplySchema = z.object({
  status: z.literal(true),
  currency: z.enum(CURRENCIES),
  data: z.array(
    z.object({
      service: directoryItemSchema,
      country: directoryItemSchema,
      price: z.string(),
      count: z.number().int(),
      success_share: z.number().nullable(),
      median_seconds: z.number().nullable(),
    }),
  ),
  meta: z.object({ last_page: z.number().int(), total: z.number().int() }),
})
export type PriceListReply = z.infer<typeof priceListReplySchema>

export const programmesReplySchema = z.object({
  status: z.literal(true),
  /** Loyalty amounts are in the currency of the caller's account, or of the site's zone if the caller is a visitor. */
  loyalty: loyaltyTermsSchema.nullable(),
  referral: z
    .object({
      percent: z.number(),
      of: z.enum(['spend', 'topup']),
      days: z.number().int(),
      pending_days: z.number().int(),
      months: z.number().int(),
      to_address: z.boolean(),
    })
    .nullable(),
  contacts: z.object({ email: z.string().nullable(), telegram: z.string().nullable() }),
})
export type ProgrammesReply = z.infer<typeof programmesReplySchema>

export const counterReplySchema = z.object({ status: z.literal(true), code: z.array(z.string()) })
