import { z } from 'zod'
import { RENT_PERIODS_HOURS } from '#contract/constants.ts'
import { CURRENCIES, parseDecimal } from '#contract/money.ts'
import { FULL_NUMBER } from '#contract/rental.ts'

const amountMicros = z.string().transform((text, context) => {
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n) return micros
  context.addIssue({ code: 'custom', message: 'must be an amount such as "0.35", with at most six decimals' })
  return z.NEVER
})

/** Our cost of a whole rental by its length in hours: `{"24": "30", "168": "150"}`. */
const rentCost = z
  .record(z.string(), amountMicros)
  .refine(
    (cost) => Object.keys(cost).every((hours) => RENT_PERIODS_HOURS.some((known) => String(known) === hours)),
    `has hours other than ${RENT_PERIODS_HOURS.join(', ')}`,
  )
const countryKey = z.string().regex(/^\d+$/, 'must be a country id')

const count = z.number().int().min(1).max(100_000)
/** The rules that rest or retire a SIM card (docs/api/webhook-intake.md). A sale is an order that got its code. */
const simRules = z
  .strictObject({
    maxSales: count.optional(),
    maxSalesByService: z.record(z.string().min(1).max(32), count).default({}),
    maxAgeDays: count.optional(),
    restAfterSales: count.optional(),
    restHours: count.default(24),
  })
  .default({ maxSalesByService: {}, restHours: 24 })
export type SimRules = z.output<typeof simRules>

export const ownNumbers = {
  currency: z.enum(CURRENCIES),
  services: z
    .array(
      z.strictObject({
        code: z.string().min(1).max(32).refine(isNotFull, 'is rented, not activated: name it in rent'),
        cost: amountMicros,
        costByCountry: z.record(countryKey, amountMicros).default({}),
      }),
    )
    .max(2_000)
    .refine(namesEachOnce, 'names a service twice'),
  rent: z
    .array(
      z.strictObject({
        code: z.string().min(1).max(32),
        cost: rentCost,
        costByCountry: z.record(countryKey, rentCost).default({}),
      }),
    )
    .max(2_000)
    .refine(namesEachOnce, 'names a service twice')
    .default([]),
  /** If true, a number serves one order at a time, and no other account for 20 minutes afterwards. */
  exclusive: z.boolean().default(false),
  /** The number of consecutive sales without any message that take a number off sale. */
  silentSales: z.number().int().min(2).max(1_000).default(5),
  sims: simRules,
}

const ownNumbersObject = z.strictObject(ownNumbers)
export type OwnNumbers = z.output<typeof ownNumbersObject>

function isNotFull(code: string): boolean {
  return code !== FULL_NUMBER
}

function namesEachOnce(services: { code: string }[]): boolean {
  return new Set(services.map(({ code }) => code)).size === services.length
}
