import { bestRule } from '#contract/formats/payment-terms.ts'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { BonusRuleRecord } from '#contract/payment.ts'
import type { Db } from '#server/house/db/pool.ts'
import { claimBonus, listOfferedRules, type OfferedRule } from './queries/bonuses.ts'
import type { PaymentRow } from './queries/payments.ts'
import { toPercent } from './systems.ts'

export type PromisedBonus = { bonusRuleId: number | null; ruleBonusMicros: bigint }

/**
 * Returns the bonus of the rule that gives the most for a payment. The payment keeps this bonus even if the rule ends.
 */
export async function promiseBonus(
  tx: Db,
  { amountMicros, ...wish }: { userId: number; currency: Currency; amountMicros: bigint; now: Date },
): Promise<PromisedBonus> {
  const found = bestRule(await listOfferedRules(tx, wish), amountMicros)
  return { bonusRuleId: found?.rule.id ?? null, ruleBonusMicros: found?.micros ?? 0n }
}

/**
 * Grants the bonus promised to a payment once and returns it; zero without a bonus. The account must be locked and the
 * full amount must have arrived.
 */
export async function ruleBonusOf(tx: Db, row: PaymentRow, now: Date): Promise<bigint> {
  const { id: paymentId, user_id: userId, bonus_rule_id: ruleId, rule_bonus_micros: amountMicros } = row
  return ruleId === null ? 0n : claimBonus(tx, { paymentId, userId, ruleId, amountMicros, now })
}

export function toBonusRecord({ kind, endsAt, ...terms }: OfferedRule): BonusRuleRecord {
  const { leastMicros, points, amountMicros, mostMicros } = terms
  return {
    kind,
    least: toDecimal(leastMicros),
    percent: points === null ? null : toPercent(points),
    amount: amountMicros === null ? null : toDecimal(amountMicros),
    most: mostMicros === null ? null : toDecimal(mostMicros),
    ends_at: endsAt?.toISOString() ?? null,
  }
}
