import { type Currency, toDecimal } from '#contract/money.ts'
import { findUsdRate } from '#server/core/catalog/offers/queries.ts'
import { PriceRules } from '#server/core/catalog/rules/price-rules.ts'
import { findRoundings, listFullPromotions, listRulesAt } from '#server/core/catalog/rules/rule-queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import type { Arguments, Command, DatabaseCli } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readCountry, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { listPairCosts, listRules, type PriceScope } from '#server/programs/cli/queries/prices.ts'
import { isCovered, priceOf } from './price-effects.ts'
import { describeRule } from './price-scope.ts'
import { describePeriod } from './price-terms.ts'

export const listPrices: Command = {
  name: 'price:list',
  summary:
    'list what price:set has set, what begins later included; without any rule that fits, a number sells at cost and 30 %; --below-cost lists the pairs that are off sale',
  switches: ['below-cost'],
  options: { service: { shows: 'tg' }, country: { shows: '2' }, ...PAGE_OPTIONS },
  database: 'migrated',
  async run(cli, { options, switches }) {
    if (switches.has('below-cost')) return tellBelowCost(cli, options)
    const limit = readLimit(options.limit)
    const now = cli.clock.now()
    const rows = await listRules(cli.pool, {
      now,
      serviceCode: options.service ?? null,
      countryId: readCountry(options.country),
      after: readAfterId(options.after),
      limit,
    })
    for (const { id, service_code, country_id, rule, spentMicros, ...period } of rows) {
      const fixed = 'priceMicros' in rule
      const margin_percent = fixed ? null : rule.marginPercent
      const price = fixed ? toDecimal(rule.priceMicros) : null
      const currency = fixed ? rule.currency : null
      const spent = spentMicros === null ? null : toDecimal(spentMicros)
      cli.tell(
        { id, service_id: service_code, country_id, margin_percent, price, currency, spent, ...period },
        `${id} ${service_code ?? '*'}/${country_id ?? '*'} ${describeRule(rule)}${describePeriod(period, now)}${spent === null ? '' : `; ${spent} of it spent`}`,
      )
    }
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}

async function tellBelowCost(cli: DatabaseCli, options: Arguments['options']): Promise<number> {
  const limit = readLimit(options.limit)
  const scope = { serviceCode: options.service ?? null, countryId: readCountry(options.country) }
  const all = await listBelowCost(cli.pool, { scope, now: cli.clock.now() })
  const rows = all.filter(({ name }) => name > (options.after ?? '')).slice(0, limit)
  for (const { name, priceMicros, costMicros, currency } of rows) {
    const [price, cost] = [toDecimal(priceMicros), toDecimal(costMicros)]
    cli.tell(
      { pair: name, price, cost, currency },
      `${name}: ${price} ${currency}, and its cheapest number costs ${cost}`,
    )
  }
  remarkPage(cli, { rows, limit, last: rows.at(-1)?.name })
  return 0
}

/** A service in a country that nobody can buy. `currency` is that of both the price and the cost. */
type UnsoldPair = { name: string; priceMicros: bigint; costMicros: bigint; currency: Currency }

/**
 * Lists what is in stock but cannot be bought, because a fixed price is below the lowest cost, sorted by name. The
 * alarm price-below-cost reports the same.
 */
async function listBelowCost(db: Db, { scope, now }: { scope: PriceScope; now: Date }): Promise<UnsoldPair[]> {
  const rubMicrosPerUsd = await findUsdRate(db)
  if (rubMicrosPerUsd === null) return []
  const terms = { rates: { rubMicrosPerUsd }, rounding: await findRoundings(db) }
  const rows = await listRulesAt(db, now)
  const ids = rows.flatMap(({ promotion_id: id }) => id ?? [])
  const full = new Set(await listFullPromotions(db, { ids, now }))
  const rules = new PriceRules(rows, full)
  // Rules without promotions apply to sales that no promotion covers.
  const lasting = new PriceRules(rows.filter(({ promotion_id: id }) => id === null))
  const unsold = (await listPairCosts(db, scope)).flatMap((pair): UnsoldPair[] => {
    const rule = lasting.find(pair.service_code, pair.country_id)
    if (rule.kind !== 'fixed') return []
    const { currency } = rule
    if (isCovered(pair, { rules, terms }, currency) || isCovered(pair, { rules: lasting, terms }, currency)) return []
    const { micros: priceMicros, costMicros } = priceOf(pair, { rule, currency, terms })
    return [{ name: `${pair.service_code}/${pair.country_id}`, priceMicros, costMicros, currency }]
  })
  return unsold.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
