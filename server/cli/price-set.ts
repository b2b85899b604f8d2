import { CURRENCIES, parseDecimal, toDecimal } from '#contract/money.ts'
import { raiseCatalogVersion } from '#server/features/catalog/queries.ts'
import { makeChange } from './change.ts'
import { type Arguments, type Command, CommandRefused, WrongUsage } from './command.ts'
import { lockRule, nameScope, type PriceRule, type PriceScope, upsertRule } from './queries/prices.ts'

const MAX_MARGIN_PERCENT = 10_000

export const setPrice: Command = {
  name: 'price:set',
  summary: 'set a margin in per cent or a fixed price: for a service, a country, both, or everything',
  options: {
    service: { shows: 'tg' },
    country: { shows: '2' },
    margin: { shows: '30' },
    price: { shows: '12.50' },
    currency: { shows: CURRENCIES.join('|') },
  },
  changes: true,
  database: 'migrated',
  async run(cli, given) {
    const scope = readScope(given)
    const rule = readRule(given)
    return makeChange(cli, { name: 'price:set', given }, async (tx, now) => {
      const names = await nameScope(tx, scope)
      if (scope.serviceCode !== null && names.service === null) {
        throw new CommandRefused(`There is no service ${scope.serviceCode}`)
      }
      if (scope.countryId !== null && names.country === null) {
        throw new CommandRefused(`There is no country ${scope.countryId}`)
      }
      const before = await lockRule(tx, scope)
      await upsertRule(tx, scope, rule)
      await raiseCatalogVersion(tx, now)
      return {
        subject: `price:${scope.serviceCode ?? '*'}/${scope.countryId ?? '*'}`,
        detail: { before: before === null ? null : describe(before), after: describe(rule) },
        says: `${names.service ?? 'Every service'} in ${names.country ?? 'every country'}: ${describe(rule)}${before === null ? '' : ` (was ${describe(before)})`}.`,
      }
    })
  },
}

function readScope({ options }: Arguments): PriceScope {
  const { service = null, country } = options
  if (country !== undefined && !/^\d{1,6}$/.test(country)) throw new WrongUsage('--country is the number of a country')
  return { serviceCode: service, countryId: country === undefined ? null : Number(country) }
}

function readRule({ options }: Arguments): PriceRule {
  const { margin, price, currency } = options
  if ((margin === undefined) === (price === undefined)) throw new WrongUsage('Give either --margin or --price')
  if (margin !== undefined) {
    if (currency !== undefined) throw new WrongUsage('--currency belongs to --price')
    const marginPercent = /^\d{1,5}$/.test(margin) ? Number(margin) : Number.NaN
    if (!(marginPercent <= MAX_MARGIN_PERCENT)) throw new WrongUsage(`--margin is 0 to ${MAX_MARGIN_PERCENT} per cent`)
    return { marginPercent }
  }
  const priceMicros = parseDecimal(price ?? '')
  if (priceMicros === null || priceMicros <= 0n) throw new WrongUsage('--price is an amount above zero, such as 12.50')
  const known = CURRENCIES.find((one) => one === currency)
  if (known === undefined) throw new WrongUsage(`--currency is one of ${CURRENCIES.join(', ')}`)
  return { priceMicros, currency: known }
}

function describe(rule: PriceRule): string {
  return 'marginPercent' in rule
    ? `cost and ${rule.marginPercent} %`
    : `${toDecimal(rule.priceMicros)} ${rule.currency}`
}
