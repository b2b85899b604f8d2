import { toDecimal } from '#contract/money.ts'
import { rehearsal } from '#server/house/db/transaction.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { readLimit } from '#server/programs/cli/listing.ts'
import { storeRule } from '#server/programs/cli/queries/prices.ts'
import { compareEffects, describeEffect } from './price-effects.ts'
import { describeRule, describeScope, readScope, SCOPE_OPTIONS } from './price-scope.ts'
import { describePeriod, RULE_OPTIONS, RULE_SWITCHES, readPeriod, readRuleFor } from './price-terms.ts'

export const previewPrice: Command = {
  name: 'price:preview',
  summary:
    'what price:set with the same options would change: the lowest price of each pair in stock, the largest change first',
  options: { ...SCOPE_OPTIONS, ...RULE_OPTIONS, limit: { shows: '1-500' } },
  switches: RULE_SWITCHES,
  database: 'migrated',
  async run(cli, given) {
    const scope = readScope(given)
    const rule = readRuleFor(scope, given)
    const limit = readLimit(given.options.limit)
    const now = cli.clock.now()
    const period = readPeriod(given.options, now)
    const currency = 'currency' in rule ? rule.currency : 'rub'
    const { described, effects } = await rehearsal(cli.pool, async (tx) => ({
      described: await describeScope(tx, scope),
      effects: await compareEffects(tx, { scope, moments: [period.startsAt ?? now], currency }, () =>
        storeRule(tx, { scope, rule, period, now }),
      ),
    }))
    const { pairs, changed } = effects
    for (const effect of changed.slice(0, limit)) {
      const { serviceCode, countryId, beforeMicros, afterMicros, percent, isSold } = effect
      const figures = { before: toDecimal(beforeMicros), after: toDecimal(afterMicros), currency, percent, isSold }
      cli.tell({ serviceId: serviceCode, countryId, ...figures }, describeEffect(effect, currency))
    }
    const up = changed.filter(({ percent }) => percent > 0).length
    const counts = { changed: changed.length, pairs, up, down: changed.length - up }
    const belowCost = changed.filter(({ isSold }) => !isSold).length
    cli.tell(
      { ...counts, belowCost },
      `${described}: ${describeRule(rule)}${describePeriod(period, now)} would change ${counts.changed} of ${pairs} prices: ${up} up, ${counts.down} down, ${belowCost} below cost. Nothing was changed.`,
    )
    return 0
  },
}
