import { z } from 'zod'
import { countryId } from './parameter-schemas.ts'

export const ANY_COUNTRY = 'any'

export const countryOrAny = z
  .string()
  .regex(/^(any|\*)$/i)
  .transform((): typeof ANY_COUNTRY => ANY_COUNTRY)
  .or(countryId)

/** Reads the country of a list. `any` is the same as no filter. */
export const countryFilter = countryOrAny.optional().transform((found) => (found === ANY_COUNTRY ? undefined : found))
