/** The parameters that several actions share. All arrive as text. */
import { z } from 'zod'
import { parseDecimal } from '#contract/money.ts'

export const serviceCode = z.string().max(40)

export const countryId = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)

/** Digits only; more of them than any id has is an id that nobody has. */
export const activationId = z
  .string()
  .regex(/^\d+$/)
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))

/** Field's booleans: `1` and `true` are yes, anything else and absent is no. */
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

/**
 * A price ceiling in micros. Programs compute theirs with floats (0.30000000000000004), so digits beyond the sixth are
 * cut. What is no amount is a ceiling of zero, never "no ceiling": nobody pays more than he meant to.
 */
export const ceilingMicros = z.string().transform((value) => parseDecimal(value.replace(/(\.\d{6})\d+$/, '$1')) ?? 0n)
