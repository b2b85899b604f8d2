import type { Invariant } from '#server/house/money/invariant.ts'

const UNUSED = `SELECT NOT EXISTS (SELECT FROM activations WHERE promotion_id IS NOT NULL)
  AND NOT EXISTS (SELECT FROM transfers WHERE kind IN ('promotion', 'promotion_back')) AS holds`

/** Recomputes the loss of a promotion's sale from its cost, its exchange rate and its price. */
const bookedOnce: Invariant = {
  name: 'what a sale of a promotion cost beyond its price is booked once, and taken back with its refund',
  counted: 'SELECT count(*) FROM promotions',
  problems: `SELECT format('activation %s is %s, refunded %s, and lost %s %s by promotion %s: %s was booked, %s taken back', sale.id,
      money, refunded, lost, sale.currency, COALESCE(promotion_id::text, 'none'), booked, taken_back) AS problem
    FROM (
      SELECT a.*, CASE WHEN a.promotion_id IS NULL THEN 0 ELSE sale_loss(a, a.currency) END AS lost,
        COALESCE(m.booked, 0) AS booked, COALESCE(m.taken_back, 0) AS taken_back, COALESCE(m.refunded, false) AS refunded,
        COALESCE(m.fits, true) AS fits
      FROM (SELECT id FROM checked_activations WHERE promotion_id IS NOT NULL
        UNION SELECT activation_id FROM checked_moves WHERE kind IN ('promotion', 'promotion_back')) thing
      JOIN activations a ON a.id = thing.id LEFT JOIN (
        SELECT t.activation_id, sum(t.amount_micros) FILTER (WHERE t.kind = 'promotion') AS booked,
          sum(t.amount_micros) FILTER (WHERE t.kind = 'promotion_back') AS taken_back, bool_or(t.kind = 'refund') AS refunded,
          bool_and((t.user_id, t.currency) = (o.user_id, o.currency)) AS fits
        FROM checked_moves t JOIN activations o ON o.id = t.activation_id
        WHERE t.kind IN ('promotion', 'promotion_back', 'refund') GROUP BY t.activation_id
      ) m ON m.activation_id = a.id
    ) sale
    WHERE NOT fits OR booked <> CASE money WHEN 'captured' THEN lost ELSE 0 END
      OR taken_back <> CASE WHEN money = 'captured' AND refunded THEN lost ELSE 0 END`,
  proof: UNUSED,
}

const withinLimit: Invariant = {
  name: 'a promotion has spent what its open sales may lose and its captured ones lost, within its limit',
  counted: 'SELECT count(*) FROM promotions',
  problems: `SELECT format('promotion %s says %s %s of %s are spent, its sales say %s', p.id, p.spent_micros, p.currency, p.limit_micros,
      COALESCE(s.micros, 0)) AS problem
    FROM promotions p LEFT JOIN (
      SELECT a.promotion_id, sum(CASE a.money WHEN 'held' THEN o.sale_limit_micros
        WHEN 'captured' THEN LEAST(o.sale_limit_micros, sale_loss(a, o.currency)) ELSE 0 END) AS micros
      FROM activations a JOIN promotions o ON o.id = a.promotion_id GROUP BY a.promotion_id
    ) s ON s.promotion_id = p.id
    WHERE p.spent_micros <> COALESCE(s.micros, 0) OR p.spent_micros > p.limit_micros`,
}

export const promotionInvariants: readonly Invariant[] = [bookedOnce, withinLimit]
