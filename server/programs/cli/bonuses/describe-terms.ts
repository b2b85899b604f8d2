import { toDecimal } from '#contract/money.ts'
import { toPercent } from '#server/core/payments/systems.ts'
import type { BonusRuleTerms } from '#server/programs/cli/queries/bonuses.ts'

/** Describes a bonus: `10 % of the first top-up from 500.00 rub on, 1000.00 at most, from 2026-12-01T00:00:00Z`. */
export function describeTerms(terms: BonusRuleTerms): string {
  const { kind, currency, leastMicros, points, amountMicros, mostMicros, beginsAt, endsAt } = terms
  const what = amountMicros === null ? `${toPercent(points ?? 0)} % of` : `${toDecimal(amountMicros)} ${currency} for`
  const top = kind === 'first' ? 'the first top-up' : 'one top-up'
  const least = leastMicros === 0n ? ` in ${currency}` : ` from ${toDecimal(leastMicros)} ${currency} on`
  const most = mostMicros === null ? '' : `, ${toDecimal(mostMicros)} at most`
  const until = endsAt === null ? '' : ` until ${endsAt.toISOString()}`
  return `${what} ${top}${least}${most}, from ${beginsAt.toISOString()}${until}`
}
