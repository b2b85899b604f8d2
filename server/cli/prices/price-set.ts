import { CURRENCIES, parseDecimal, toDecimal } from '#contract/money.ts'
import { raiseCatalogVersion } from '#server/catalog/offers/queries.ts'
import { makeChange, refuseDoubtful } from '#server/cli/change.ts'
import { type Arguments, type Command, WrongUsage } from '#server/cli/command.ts'
import { findDearOffers } from '#server/cli/queries/dear-offers.ts'
import { lockRule, type PriceRule, type PriceScope, upsertRule } from '#server/cli/queries/prices.ts'
import type { Db } from '#server/db/pool.ts'
import { describeRule, describeScope, readScope, SCOPE_OPTIONS, scopeSubject } from './price-scope.ts'

const MAX_MARGIN_PERCENT = 10_000

export const setPrice: Command = {
  name: 'price:set',
  summary:
    'set a margin in per cent, or a fixed price of an activation (rentals take the next wider margin): for a service, a country, both, or everything',
  options: {
    ...SCOPE_OPTIONS,
    margin: { shows: '30' },
    price: { shows: '12.50' },
    currency: { shows: CURRENCIES.join('|') },
  },
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const scope = readScope(given)
    const rule = readRule(given)
    return makeChange(cli, { name: 'price:set', given }, async (tx, now) => {
      const described = await describeScope(tx, scope)
      const before = await lockRule(tx, scope)
      await refuseBelowCost(tx, given, { scope, rule })
      await upsertRule(tx, scope, rule)
      await raiseCatalogVersion(tx, now)
      const was = before === null ? null : describeRule(before)
      return {
        subject: scopeSubject(scope),
        detail: { before: was, after: describeRule(rule) },
        says: `${described}: ${describeRule(rule)}${was === null ? '' : ` (was ${was})`}.`,
      }
    })
  },
}

/** An offer that costs more than its price is never sold. */
async function refuseBelowCost(
  tx: Db,
  given: Arguments,
  wanted: { scope: PriceScope; rule: PriceRule },
): Promise<void> {
  const { scope, rule } = wanted
  if (!('priceMicros' in rule)) return
  const { dear, all, dearest } = await findDearOffers(tx, { scope, ...rule })
  if (dearest === null) return
  const { serviceCode, countryId, supplier, costMicros, currency } = dearest
  const most = `${toDecimal(costMicros)} ${currency} for ${serviceCode} in country ${countryId} at ${supplier}`
  refuseDoubtful(
    given,
    `${describeRule(rule)} is below the cost of ${dear} of the ${all} offers it is for, up to ${most}: they would not be sold`,
  )
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
