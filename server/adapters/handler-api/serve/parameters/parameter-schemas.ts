import { z } from 'zod'
import { readAmount } from '#server/adapters/shared/parameters/read-amount.ts'
import { readFlag } from '#server/adapters/shared/parameters/read-flag.ts'

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

export const flag = z.string().optional().transform(readFlag)

const MAX_LIST_ENTRIES = 100

/** `a,b,c`, in lower case. */
export const commaList = z
  .string()
  .default('')
  .transform((value) => value.split(',', MAX_LIST_ENTRIES).map((entry) => entry.trim().toLowerCase()))
  .transform((entries) => entries.filter((entry) => entry !== ''))

/** An invalid amount is a ceiling of zero, never none. */
export const ceilingMicros = z.string().transform((value) => readAmount(value) ?? 0n)
