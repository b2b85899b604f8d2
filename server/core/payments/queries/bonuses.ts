import type { RuleTerms } from '#contract/formats/payment-terms.ts'
import type { Currency } from '#contract/money.ts'
import type { BonusKind } from '#contract/payment.ts'
import type { Db } from '#server/house/db/pool.ts'

export type OfferedRule = RuleTerms & { id: number; kind: BonusKind; endsAt: Date | null }

/** SQL: true if the user has fully paid another payment before. Vouchers do not count, because they are gifts. */
const hasPaidBefore = (userId: string, paymentId: string) => `EXISTS (SELECT FROM payments other
      WHERE other.user_id = ${userId} AND other.id IS DISTINCT FROM ${paymentId} AND other.paid_at IS NOT NULL
        AND other.amount_micros <= (SELECT sum(amount_micros) FROM transfers
          WHERE payment_id = other.id AND kind = 'topup'))`

export const STILL_PROMISED = `CASE WHEN p.bonus_rule_id IS NULL OR EXISTS (SELECT FROM bonus_grants
      WHERE user_id = p.user_id AND rule_id = p.bonus_rule_id AND payment_id <> p.id) THEN 0
    WHEN (SELECT kind FROM bonus_rules WHERE id = p.bonus_rule_id) = 'first' AND ${hasPaidBefore('p.user_id', 'p.id')}
      THEN 0 ELSE p.rule_bonus_micros END`

export async function listOfferedRules(
  db: Db,
  input: { userId: number; currency: Currency; now: Date },
): Promise<OfferedRule[]> {
  const { rows } = await db.query<OfferedRule>({
    name: 'bonus-rules-offered',
    text: `SELECT id, kind, least_micros AS "leastMicros", points, amount_micros AS "amountMicros", most_micros AS "mostMicros",
        ends_at AS "endsAt"
      FROM bonus_rules r WHERE currency = $currency AND begins_at <= $now AND (ends_at IS NULL OR ends_at > $now)
        AND NOT EXISTS (SELECT FROM bonus_grants WHERE user_id = $userId AND rule_id = r.id)
        AND (kind <> 'first' OR NOT ${hasPaidBefore('$userId::integer', 'NULL')})
      ORDER BY id`,
    values: input,
  })
  return rows
}

/**
 * Claims a rule's bonus for a payment and returns its micros, also if called again. Returns 0n if another payment has
 * the bonus, or a first-payment rule meets a later payment. The account must be locked, and the full amount arrived.
 */
export async function claimBonus(
  tx: Db,
  input: { paymentId: bigint; userId: number; ruleId: number; amountMicros: bigint; now: Date },
): Promise<bigint> {
  const { rows } = await tx.query<{ micros: bigint }>({
    name: 'bonus-claim',
    text: `WITH made AS (
        INSERT INTO bonus_grants (user_id, rule_id, payment_id, amount_micros, at)
        SELECT $userId, id, $paymentId, $amountMicros, $now FROM bonus_rules
        WHERE id = $ruleId AND (kind <> 'first' OR NOT ${hasPaidBefore('$userId', '$paymentId')})
        ON CONFLICT DO NOTHING RETURNING amount_micros
      )
      SELECT amount_micros AS micros FROM made
      UNION ALL SELECT amount_micros FROM bonus_grants WHERE payment_id = $paymentId`,
    values: input,
  })
  return rows[0]?.micros ?? 0n
}
