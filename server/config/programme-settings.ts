import { z } from 'zod'
import { CURRENCIES, type Currency, parseDecimal } from '#contract/money.ts'
import type { EnvironmentReader } from './environment.ts'
import { type ReferralSettings, readReferral } from './referral-settings.ts'

export type Programmes = {
  loyalty: { currency: Currency; ranks: { top_up: string; percent: number }[] } | null
  referral: ReferralSettings
}

const MAX_RANKS = 20
const loyaltySchema = z.strictObject({
  currency: z.enum(CURRENCIES),
  ranks: z
    .array(
      z.strictObject({
        top_up: z.string().refine((text) => (parseDecimal(text) ?? 0n) > 0n, 'is an amount such as "1000.00"'),
        percent: z.number().positive().max(100),
      }),
    )
    .min(1)
    .max(MAX_RANKS),
})

/** `LOYALTY_RANKS`: `{"currency":"rub","ranks":[{"top_up":"1000.00","percent":4}]}`. */
export function readProgrammes(read: EnvironmentReader, database: { demo: boolean }): Programmes {
  return { loyalty: readLoyalty(read), referral: readReferral(read, database) }
}

function readLoyalty(read: EnvironmentReader): Programmes['loyalty'] {
  const text = read.optionalText('LOYALTY_RANKS')
  if (text === null) return null
  try {
    const parsed = loyaltySchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    read.problem('LOYALTY_RANKS', z.prettifyError(parsed.error).replaceAll('\n', ' '))
  } catch (error) {
    read.problem('LOYALTY_RANKS', `is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  return null
}
