import { z } from 'zod'
import { readAmount } from '#server/adapters/shared/parameters/read-amount.ts'
import { readFlag } from '#server/adapters/shared/parameters/read-flag.ts'

export const serviceCode = z.string().max(40)

export const countryId = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)

/** Reads an activation id. An id with too many digits is unknown rather than invalid. */
export const activationId = z
  .string()
  .regex(/^\d+$/)
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))

export const flag = z.string().optional().transform(readFlag)

const MAX_LIST_ENTRIES = 100

export const commaList = z
  .string()
  .default('')
  .transform((value) => value.split(',', MAX_LIST_ENTRIES).map((entry) => entry.trim().toLowerCase()))
  .transform((entries) => entries.filter((entry) => entry !== ''))

/** Reads a maximum price. An invalid amount becomes 0, so that a typing error never removes the limit. */
export const ceilingMicros = z.string().transform((value) => readAmount(value) ?? 0n)
