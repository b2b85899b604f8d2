import { z } from 'zod'

const DIGITS = /^\d{1,15}$/

/** JavaScript's conversion would turn null, "", [] and false into 0, and country 0 is a country. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess(fromDigits, z.number().int().min(min).max(max))
}

export function oneWholeNumberOf(known: readonly number[]) {
  return z.preprocess(fromDigits, z.literal(known))
}

function fromDigits(value: unknown): unknown {
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : value
}

export const countryIdSchema = wholeNumber(0, 1_000_000)

/** An unknown id matches nothing instead of failing (specification 3). */
export const countryFilterSchema = countryIdSchema.catch(-1)

export const wantedCountrySchema = z.preprocess(
  (value) => (value === undefined ? undefined : (countryIdSchema.safeParse(value).data ?? -1)),
  z.number().int(),
)
