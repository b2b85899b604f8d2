import { toDecimal } from '#contract/money.ts'
import { raiseCatalogVersion } from '#server/core/catalog/offers/queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { makeChange, refuseDoubtful } from '#server/programs/cli/change.ts'
import { type Arguments, type Command, CommandRefused } from '#server/programs/cli/command.ts'
import { findDearOffers } from '#server/programs/cli/queries/dear-offers.ts'
import { lockRules, type PriceRule, type PriceScope, storeRule } from '#server/programs/cli/queries/prices.ts'
import { compareEffects, refuseLargeEffects } from './price-effects.ts'
import { describeRule, describeScope, readScope, SCOPE_OPTIONS, scopeSubject } from './price-scope.ts'
import { describePeriod, RULE_OPTIONS, RULE_SWITCHES, readPeriod, readRuleFor } from './price-terms.ts'

const MAX_RULES = 20

export const setPrice: Command = {
  name: 'price:set',
  summary:
    'set a margin in per cent, or a fixed price of an activation (rentals take the next wider margin): for a service, a country, both, or everything; for good, or for a time; with --below-cost for one pair, until an end, within a ceiling of its loss',
  options: { ...SCOPE_OPTIONS, ...RULE_OPTIONS },
  switches: RULE_SWITCHES,
  changes: true,
  doubts: true,
  database: 'migrated',
  async run(cli, given) {
    const scope = readScope(given)
    const rule = readRuleFor(scope, given)
    return makeChange(cli, { name: 'price:set', given }, async (tx, now) => {
      const period = readPeriod(given.options, now)
      const described = await describeScope(tx, scope)
      const rules = await lockRules(tx, { scope, now })
      if (rules.length >= MAX_RULES) throw new CommandRefused(`${described}: there are ${MAX_RULES} rules already`)
      await refuseBelowCost(tx, given, { scope, rule, at: period.startsAt ?? now })
      const currency = 'currency' in rule ? rule.currency : 'rub'
      const effects = await compareEffects(tx, { scope, moments: [period.startsAt ?? now], currency }, async () => {
        await storeRule(tx, { scope, rule, period, now })
      })
      refuseLargeEffects(given, effects)
      await raiseCatalogVersion(tx, now)
      const before = rules.find(({ startsAt }) => startsAt === null || startsAt <= now)
      const was = before === undefined ? null : describeRule(before.rule) + describePeriod(before, now)
      const set = describeRule(rule) + describePeriod(period, now)
      return {
        subject: scopeSubject(scope),
        detail: { before: was, after: set },
        says: `${described}: ${set}${was === null ? '' : ` (was ${was})`}.${stillStands(rules, { now, period })}`,
      }
    })
  },
}

/** Returns a remark if a temporary rule is in force, because a permanent rule does not end it. */
function stillStands(
  rules: Awaited<ReturnType<typeof lockRules>>,
  { now, period }: { now: Date; period: ReturnType<typeof readPeriod> },
): string {
  const [first] = rules
  const holds = first !== undefined && first.endsAt !== null && first.startsAt !== null && first.startsAt <= now
  if (!holds || period.startsAt !== null) return ''
  return ` Before it, ${describeRule(first.rule)} holds${describePeriod(first, now)}.`
}

/** Refuses an unconfirmed fixed price below the cost of offers, because these offers would never be sold. */
async function refuseBelowCost(
  tx: Db,
  given: Arguments,
  wanted: { scope: PriceScope; rule: PriceRule; at: Date },
): Promise<void> {
  const { scope, rule, at } = wanted
  if (!('priceMicros' in rule)) return
  const { priceMicros: price, currency: paidIn, belowCost } = rule
  const priceMicros = price + (belowCost?.saleLimitMicros ?? 0n)
  const { dear, all, dearest } = await findDearOffers(tx, { scope, at, priceMicros, currency: paidIn })
  if (dearest === null) return
  const { serviceCode, countryId, supplier, costMicros, currency } = dearest
  const most = `${toDecimal(costMicros)} ${currency} for ${serviceCode} in country ${countryId} at ${supplier}`
  refuseDoubtful(
    given,
    `${describeRule(rule)} is below the cost of ${dear} of the ${all} offers it is for, up to ${most}: they would not be sold`,
  )
}
