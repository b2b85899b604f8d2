import { z } from 'zod'
import { CURRENCIES } from '#contract/money.ts'
import { fieldsOfAccount, readAccountSettings } from '#server/adapters/shared/resold/account-settings.ts'

export const SLUG = /^[a-z0-9][a-z0-9_-]{0,39}$/
const slug = z.string().regex(SLUG, 'must be 1 to 40 of a-z, 0-9, _ and -')
const MOST_PARTS = 200
const MOST_OPERATORS = 100

const fiveSimSettings = z.strictObject({
  ...fieldsOfAccount,
  /** The base URL of the API, up to and including `/v1`. */
  url: fieldsOfAccount.url.default('https://5sim.net/v1'),
  key: z.string().regex(/^[\x21-\x7e]{1,4000}$/, 'must be 1 to 4000 printable characters without spaces'),
  currency: z.enum(CURRENCIES),
  pollSeconds: z.number().min(0.02).max(60).default(3),
  /** `any` lets the supplier choose the operator. `each` or a list of names makes each operator an offer of its own. */
  operators: z.union([z.enum(['any', 'each']), z.array(slug).min(1).max(MOST_OPERATORS)]).default('any'),
  /** Prices are requested for each country or product of these lists, or all at once if both lists are empty. */
  countries: z.array(slug).max(MOST_PARTS).default([]),
  products: z.array(slug).max(MOST_PARTS).default([]),
  /** True if numbers are bought such that a buyer can have a number again later. */
  reuse: z.boolean().default(false),
})

export type FiveSimSettings = z.output<typeof fiveSimSettings>

/** Reads the settings. Throws one error that names every bad field and never shows a secret. */
export function parseFiveSimSettings(code: string, settings: unknown): FiveSimSettings {
  return readAccountSettings(code, settings, (given) => {
    const parsed = fiveSimSettings.safeParse(given)
    if (!parsed.success) return parsed
    const { countries, products } = parsed.data
    const isBoth = countries.length > 0 && products.length > 0
    return isBoth ? { ...parsed, faults: ['products: cannot stand beside countries'] } : parsed
  })
}
