import { toDecimal } from '#contract/money.ts'
import { toPercent } from '#server/core/payments/systems.ts'
import type { Command } from '#server/programs/cli/command.ts'
import { PAGE_OPTIONS, readAfterId, readLimit, remarkPage } from '#server/programs/cli/listing.ts'
import { type BonusRuleSheet, listBonusRules } from '#server/programs/cli/queries/bonuses.ts'
import type { Told } from '#server/programs/cli/say.ts'
import { describeTerms } from './describe-terms.ts'

export const listBonuses: Command = {
  name: 'bonus:list',
  summary: 'list the rules of bonuses, newest first, with what they have given',
  options: PAGE_OPTIONS,
  database: 'migrated',
  async run(cli, { options }) {
    const limit = readLimit(options.limit)
    const rows = await listBonusRules(cli.pool, { after: readAfterId(options.after), limit })
    const now = cli.clock.now()
    for (const row of rows) cli.tell(toTold(row, now), describe(row, now))
    remarkPage(cli, { rows, limit, last: rows.at(-1)?.id })
    return 0
  },
}

function toTold(row: BonusRuleSheet, now: Date): Told {
  const { id, name, kind, currency, leastMicros, points, amountMicros, mostMicros, beginsAt, endsAt } = row
  return {
    id,
    name,
    state: stateOf(row, now),
    kind,
    currency,
    least: toDecimal(leastMicros),
    percent: points === null ? null : toPercent(points),
    amount: amountMicros === null ? null : toDecimal(amountMicros),
    most: mostMicros === null ? null : toDecimal(mostMicros),
    from: beginsAt,
    until: endsAt,
    granted: Number(row.granted),
    grantedAmount: toDecimal(row.grantedMicros),
  }
}

function describe(row: BonusRuleSheet, now: Date): string {
  const given = `given ${row.granted} times, ${toDecimal(row.grantedMicros)} in all`
  return `${row.id} ${row.name} (${stateOf(row, now)}): ${describeTerms(row)}; ${given}`
}

function stateOf({ beginsAt, endsAt }: BonusRuleSheet, now: Date): 'to come' | 'under way' | 'ended' {
  if (endsAt !== null && endsAt <= now) return 'ended'
  return beginsAt > now ? 'to come' : 'under way'
}
