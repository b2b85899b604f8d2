import type { Invariant } from '#server/house/money/invariant.ts'

const PAYMENTS = 'SELECT count(*) FROM checked_payments'

const OF_SYSTEM = 'div(p.amount_micros::numeric * p.bonus_points, 10000)'

/** Bonuses of earlier releases were not rounded to whole cents. */
const asPromised: Invariant = {
  name: 'the bonus of a payment is what its system and its rule promised',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s has a bonus of %s: its system promised %s, its rule gives %s of the %s it promised', p.id,
      t.amount_micros, ${OF_SYSTEM}, COALESCE(g.amount_micros, 0), p.rule_bonus_micros) AS problem
    FROM checked_payments p LEFT JOIN bonus_grants g ON g.payment_id = p.id
      LEFT JOIN transfers t ON t.payment_id = p.id AND t.kind = 'bonus' AND t.reversal_id IS NULL
    WHERE t.amount_micros - COALESCE(g.amount_micros, 0) NOT IN (${OF_SYSTEM}, ${OF_SYSTEM} - ${OF_SYSTEM} % 10000)
      OR g.amount_micros <> p.rule_bonus_micros`,
}

const onceEach: Invariant = {
  name: 'a bonus rule gives an account one bonus, for a payment of its own that has arrived whole',
  counted: PAYMENTS,
  problems: `SELECT format('payment %s of user %s has the bonus of rule %s of user %s, and was promised that of rule %s: %s have it, %s of %s arrived',
      id, user_id, rule_id, owner, COALESCE(promised::text, 'none'), granted, arrived, amount_micros) AS problem
    FROM (
      SELECT p.id, p.user_id, p.amount_micros, p.bonus_rule_id AS promised, g.rule_id, g.user_id AS owner,
        (SELECT count(*) FROM bonus_grants o WHERE (o.user_id, o.rule_id) = (g.user_id, g.rule_id)) AS granted,
        COALESCE((SELECT sum(amount_micros) FROM transfers t WHERE t.payment_id = p.id AND t.kind = 'topup'), 0) AS arrived
      FROM checked_payments p JOIN bonus_grants g ON g.payment_id = p.id
    ) grants
    WHERE owner <> user_id OR rule_id IS DISTINCT FROM promised OR granted <> 1 OR arrived < amount_micros`,
}

export const bonusInvariants: readonly Invariant[] = [asPromised, onceEach]
