import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'

export const serviceCode = z.string().max(40)

export const countryId = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)

/** Too many digits become an id that nobody has. */
export const activationId = z
  .string()
  .regex(/^\d+$/)
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))

/** `1` and `true` are yes; anything else is no. */
export const flag = z
  .string()
  .optional()
  .transform((value) => value === '1' || value?.toLowerCase() === 'true')

const MAX_LIST_ENTRIES = 100

/** `a,b,c`, in lower case. */
export const commaList = z
  .string()
  .default('')
  .transform((value) => value.split(',', MAX_LIST_ENTRIES).map((entry) => entry.trim().toLowerCase()))
  .transform((entries) => entries.filter((entry) => entry !== ''))

/** Digits beyond the sixth are cut, because clients compute with floats (0.30000000000000004). Null: no amount. */
export function readAmount(text: string): bigint | null {
  return parseDecimal(text.replace(/(\.\d{6})\d+$/, '$1'))
}

/** An invalid amount is a ceiling of zero, never none. */
export const ceilingMicros = z.string().transform((value) => readAmount(value) ?? 0n)
