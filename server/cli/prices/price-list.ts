import { toDecimal } from '#contract/money.ts'
import type { Command } from '#server/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readCountry, readLimit, remarkPage } from '#server/cli/listing.ts'
import { listRules } from '#server/cli/queries/prices.ts'
import { describeRule } from './price-scope.ts'
import { describePeriod } from './price-terms.ts'

export const listPrices: Command = {
  name: 'price:list',
  summary:
    'list what price:set has set, what begins later included; without any rule that fits, a number sells at cost and 30 %',
  options: { service: { shows: 'tg' }, country: { shows: '2' }, ...PAGE_OPTIONS },
  database: 'migrated',
  async run(cli, { options }) {
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
