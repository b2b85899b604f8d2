import { toDecimal } from '#contract/money.ts'
import type { Arguments, Command, DatabaseCli } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readCountry, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { listRules } from '#server/programs/cli/queries/prices.ts'
import { listBelowCost } from './below-cost.ts'
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
