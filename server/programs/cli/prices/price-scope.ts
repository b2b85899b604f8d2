import { toDecimal } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { type Arguments, CommandRefused } from '#server/programs/cli/command.ts'
import { readCountry } from '#server/programs/cli/listing.ts'
import { nameScope, type PriceRule, type PriceScope } from '#server/programs/cli/queries/prices.ts'

export const SCOPE_OPTIONS = { service: { shows: 'tg' }, country: { shows: '2' } } as const

export function readScope({ options }: Arguments): PriceScope {
  const { service = null, country } = options
  return { serviceCode: service, countryId: readCountry(country) }
}

export async function describeScope(db: Db, { serviceCode, countryId }: PriceScope): Promise<string> {
  const { service, country } = await nameScope(db, { serviceCode, countryId })
  if (serviceCode !== null && service === null) throw new CommandRefused(`There is no service ${serviceCode}`)
  if (countryId !== null && country === null) throw new CommandRefused(`There is no country ${countryId}`)
  return `${service ?? 'Every service'} in ${country ?? 'every country'}`
}

export function scopeSubject({ serviceCode, countryId }: PriceScope): string {
  return `price:${serviceCode ?? '*'}/${countryId ?? '*'}`
}

export function describeRule(rule: PriceRule): string {
  if ('marginPercent' in rule) return `cost and ${rule.marginPercent} %`
  const { priceMicros, currency, belowCost } = rule
  const price = `${toDecimal(priceMicros)} ${currency}`
  if (belowCost === undefined) return price
  return `${price}, below cost by ${toDecimal(belowCost.saleLimitMicros)} a sale and ${toDecimal(belowCost.limitMicros)} in all,`
}
