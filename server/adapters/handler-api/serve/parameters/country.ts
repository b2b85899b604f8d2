import { z } from 'zod'
import { countryId } from './parameter-schemas.ts'

export const ANY_COUNTRY = 'any'

/** `any` and `*` name every country. */
export const countryOrAny = z
  .string()
  .regex(/^(any|\*)$/i)
  .transform((): typeof ANY_COUNTRY => ANY_COUNTRY)
  .or(countryId)

/** Where a list is asked for, every country is the same as none. */
export const countryFilter = countryOrAny.optional().transform((found) => (found === ANY_COUNTRY ? undefined : found))
