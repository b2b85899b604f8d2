import { z } from 'zod'
import { CURRENCIES, parseDecimal } from '#contract/money.ts'
import { MINUTE } from '#contract/time.ts'
import type { PaymentSystem } from '#server/core/gateways/gateway.ts'

const amount = z.string().transform((text, check) => {
  const micros = parseDecimal(text)
  if (micros !== null && micros > 0n) return micros
  check.addIssue('is an amount such as "100.00"')
  return z.NEVER
})

/** Reads a percentage. The text "3.5" becomes 350 hundredths of a per cent. */
const percent = z.string().transform((text, check) => {
  const micros = parseDecimal(text)
  if (micros !== null && micros >= 0n && micros < 100_000_000n && micros % 10_000n === 0n)
    return Number(micros / 10_000n)
  check.addIssue('is a percentage such as "3.5", below 100')
  return z.NEVER
})

const amounts = z.partialRecord(z.enum(CURRENCIES), amount)

const systemSchema = z
  .strictObject({
    name: z.strictObject({ en: z.string().min(1).max(60), ru: z.string().min(1).max(60) }).optional(),
    min: amounts.optional(),
    max: amounts.optional(),
    fee_percent: percent.default(0),
    fee_by: z.enum(['payer', 'house']).default('payer'),
    bonus_percent: percent.default(0),
    minutes: z.number().int().min(0).max(20_160).optional(),
    first_days: z.number().int().min(0).max(365).optional(),
    first_days_max: amounts.optional(),
    open_minutes: z.number().int().min(1).max(43_200).optional(),
  })
  .default({ fee_percent: 0, fee_by: 'payer', bonus_percent: 0 })

/** The settings of each payment method of a gateway, under `systems` in the gateway's settings. */
export const systemsSchema = z.record(z.string(), systemSchema).default({})
type SystemSettings = z.output<typeof systemSchema>

type SystemDefaults = Pick<
  PaymentSystem,
  'form' | 'mark' | 'names' | 'limits' | 'minutes' | 'isCard' | 'hasOneOpen'
> & {
  suffix: string
  lifetimeMs: number
}

const NEW_ACCOUNT_DAYS = 7
/** The highest card payment of a new account, because stolen cards are tried on fresh accounts. */
const CARD_MOST: PaymentSystem['firstDays']['mostMicros'] = { rub: 10_000_000_000n, usd: 100_000_000n }

/** Describes a gateway's payment methods. Throws if the settings name an unknown method, or contradictory limits. */
export function describeSystems(
  code: string,
  given: Record<string, SystemSettings>,
  defaults: readonly SystemDefaults[],
): PaymentSystem[] {
  const names = defaults.map(({ suffix }) => suffix || 'main')
  const unknown = Object.keys(given).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`systems: there is no ${unknown.join(', ')}, only ${names.join(', ')}`)
  return defaults.map((one) => describeSystem(code, given[one.suffix || 'main'], one))
}

function describeSystem(code: string, given: SystemSettings | undefined, defaults: SystemDefaults): PaymentSystem {
  const { suffix, ...system } = defaults
  const key = suffix === '' ? code : `${code}-${suffix}`
  const firstDays = {
    days: given?.first_days ?? NEW_ACCOUNT_DAYS,
    mostMicros: { ...(defaults.isCard ? CARD_MOST : {}), ...given?.first_days_max },
  }
  if (given === undefined) return { ...system, key, firstDays, feePoints: 0, feeBorneBy: 'payer', bonusPoints: 0 }
  const limits: PaymentSystem['limits'] = { ...defaults.limits }
  for (const currency of CURRENCIES) {
    const standard = defaults.limits[currency]
    const minMicros = given.min?.[currency] ?? standard?.minMicros
    const maxMicros = given.max?.[currency] ?? standard?.maxMicros
    if (minMicros === undefined || maxMicros === undefined) continue
    if (minMicros > maxMicros) throw new Error(`systems: of ${key} the least amount is above the most, in ${currency}`)
    limits[currency] = { minMicros, maxMicros }
  }
  return {
    ...system,
    key,
    limits,
    firstDays,
    names: given.name ?? defaults.names,
    minutes: given.minutes ?? defaults.minutes,
    lifetimeMs: given.open_minutes === undefined ? defaults.lifetimeMs : given.open_minutes * MINUTE,
    feePoints: given.fee_percent,
    feeBorneBy: given.fee_by,
    bonusPoints: given.bonus_percent,
  }
}

/** Reads a gateway's settings. Throws an error that names bad fields, but no values, which may be passwords. */
export function readSettings<Schema extends z.ZodType>(schema: Schema, settings: unknown): z.output<Schema> {
  const parsed = schema.safeParse(settings)
  if (parsed.success) return parsed.data
  throw new Error(
    parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'settings'}: ${message}`).join('; '),
  )
}
