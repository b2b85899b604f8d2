import { z } from 'zod'

const DIGITS = /^\d{1,15}$/

/** Builds the schema of a whole number. JavaScript would turn null, "" and false into 0, which is a country's id. */
export function wholeNumber(min: number, max: number) {
  return z.preprocess<unknown, z.ZodNumber, number>(fromDigits, z.number().int().min(min).max(max))
}

export function oneWholeNumberOf(known: readonly number[]) {
  return z.preprocess<unknown, z.ZodLiteral<number>, number>(fromDigits, z.literal(known))
}

function fromDigits(value: unknown): unknown {
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : value
}

export const countryIdSchema = wholeNumber(0, 1_000_000)
