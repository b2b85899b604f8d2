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

/** Nobody writes more; a float has up to 17, and the last two are left over from computing. */
const MEANT_DIGITS = 15

/** What a client's floats left over is rounded away (13.049999999999999 of 4.35 × 3); other digits beyond the sixth are cut. Null: no amount. */
export function readAmount(text: string): bigint | null {
  const digits = /^\d{1,12}\.\d+$/.test(text) ? text.replace('.', '').replace(/^0+/, '').length : 0
  const meant = digits > MEANT_DIGITS ? Number(Number(text).toPrecision(MEANT_DIGITS)).toFixed(MEANT_DIGITS) : text
  return parseDecimal(meant.replace(/(\.\d{6})\d+$/, '$1'))
}

/** An invalid amount is a ceiling of zero, never none. */
export const ceilingMicros = z.string().transform((value) => readAmount(value) ?? 0n)
