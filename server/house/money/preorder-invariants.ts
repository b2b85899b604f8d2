import type { Invariant } from './invariant.ts'

const holdsWhileWaiting: Invariant = {
  name: 'a pre-order holds its price once while it waits, and nothing otherwise',
  counted: 'SELECT count(*) FROM checked_preorders',
  problems: `SELECT format('pre-order %s is %s; of its price, %s %s, %s charges are held, %s captured, %s of another amount', p.id, p.state,
      p.max_price_micros, p.currency, COALESCE(c.held, 0), COALESCE(c.captured, 0), COALESCE(c.other, 0)) AS problem
    FROM checked_preorders p LEFT JOIN (
      SELECT preorder_id, count(*) FILTER (WHERE money = 'held') AS held, count(*) FILTER (WHERE money = 'captured') AS captured,
        count(*) FILTER (WHERE (charges.price_micros, charges.currency) <> (q.max_price_micros, q.currency)) AS other
      FROM checked_charges charges JOIN preorders q ON q.id = preorder_id GROUP BY preorder_id
    ) c ON c.preorder_id = p.id
    WHERE c.preorder_id IS NULL OR c.held <> (p.state = 'waiting')::integer OR c.captured > 0 OR c.other > 0`,
}

const boughtAsOrdered: Invariant = {
  name: 'what a pre-order bought is its buyer’s, of its kind, and costs no more than was held',
  counted: 'SELECT count(*) FROM checked_preorders',
  problems: `SELECT format('pre-order %s is %s with activation %s (%s), for %s of at most %s', p.id, p.state,
      COALESCE(p.activation_id::text, 'none'), COALESCE(a.state, 'missing'), a.price_micros, p.max_price_micros) AS problem
    FROM checked_preorders p LEFT JOIN activations a ON a.id = p.activation_id
    WHERE (p.state IN ('buying', 'bought')) <> (p.activation_id IS NOT NULL) OR (p.activation_id IS NOT NULL AND (
      (p.user_id, p.service_code, p.country_id, p.currency) IS DISTINCT FROM (a.user_id, a.service_code, a.country_id, a.currency)
      OR p.operator_wanted IS DISTINCT FROM a.operator_wanted OR a.price_micros > p.max_price_micros
      OR (p.state = 'bought' AND a.state IN ('reserving', 'failed'))))`,
}

export const preorderInvariants: readonly Invariant[] = [holdsWhileWaiting, boughtAsOrdered]
