import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import { makeChange } from '#server/programs/cli/change.ts'
import { type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { deleteRules, lockRules } from '#server/programs/cli/queries/prices.ts'
import { readMoment } from '#server/programs/cli/read-moment.ts'
import { compareEffects, refuseLargeEffects } from './price-effects.ts'
import { describeRule, describeScope, readScope, SCOPE_OPTIONS, scopeSubject } from './price-scope.ts'
import { BELOW_COST, describePeriod } from './price-terms.ts'

export const removePrice: Command = {
  name: 'price:remove',
  summary:
    'remove what price:set has set for exactly this service, country, both, or everything; wider rules hold again. With --from only the rule that begins then, with --below-cost only one below cost',
  options: { ...SCOPE_OPTIONS, from: { shows: '2026-12-01T09:00:00Z' } },
  switches: [BELOW_COST],
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const scope = readScope(given)
    const startsAt = readMoment('from', given.options.from)
    const belowCost = given.switches.has(BELOW_COST)
    return makeChange(cli, { name: 'price:remove', given }, async (tx, now) => {
      const described = await describeScope(tx, scope)
      const rules = await lockRules(tx, { scope, now })
      const removed = rules
        .filter((rule) => startsAt === null || rule.startsAt?.getTime() === startsAt.getTime())
        .filter(({ rule }) => !belowCost || 'belowCost' in rule)
      if (removed.length === 0)
        throw new CommandRefused(
          `${described}: there is no price rule ${belowCost ? 'below cost ' : ''}for exactly this`,
        )
      const effects = await compareEffects(tx, { scope, moments: [startsAt ?? now], currency: 'rub' }, () =>
        deleteRules(tx, { scope, startsAt, belowCost }),
      )
      refuseLargeEffects(given, effects)
      await raiseCatalogVersion(tx, now)
      const before = removed.map((rule) => describeRule(rule.rule) + describePeriod(rule, now)).join('; ')
      const left = removed.length < rules.length ? 'the others hold' : 'no price rule any more'
      return {
        subject: scopeSubject(scope),
        detail: { before, after: null },
        says: `${described}: ${left} (was ${before}).`,
      }
    })
  },
}
