import { z } from 'zod'

const DIGITS = /^\d{1,15}$/

/**
 * A whole number as JSON writes it, or as digits in a path, a query or a form. Nothing else is one: converted as
 * JavaScript does it, null, "", [] and false would be 0, and country 0 is a country.
 */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(fromDigits, z.number().int().min(min).max(max))
}

/** One of a few whole numbers. A refusal names them, and so does the description of the calls. */
export function oneWholeNumberOf(known: readonly number[]) {
  return z.preprocess(fromDigits, z.literal(known))
}

function fromDigits(value: unknown): unknown {
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : value
}

/** Countries are numbered by the field, far below this. */
export const countryIdSchema = wholeNumber(0, 1_000_000)

/** The id of a country as a filter takes it: what is no id of any country matches nothing (product.md section 3). */
export const countryFilterSchema = countryIdSchema.catch(-1)

/** The same where a country must be named. */
export const wantedCountrySchema = z.preprocess(
  (value) => (value === undefined ? undefined : (countryIdSchema.safeParse(value).data ?? -1)),
  z.number().int(),
)
