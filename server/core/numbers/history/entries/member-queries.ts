/**
 * SQL: joins the order or payment that a transfer `k` belongs to. A transfer for an activation of a pre-order belongs
 * to the pre-order, and a transfer for an extension belongs to the rental. A transfer that belongs to nothing has only
 * nulls. `OFFSET 0` prevents the planner from joining whole tables.
 */
export const BOUND = `CROSS JOIN LATERAL (SELECT (SELECT rental_id FROM charges WHERE id = k.charge_id) AS rental_id,
      COALESCE((SELECT preorder_id FROM charges WHERE id = k.charge_id),
        (SELECT id FROM preorders WHERE activation_id = k.activation_id)) AS preorder_id OFFSET 0) came
    CROSS JOIN LATERAL (SELECT came.rental_id, came.preorder_id, k.payment_id,
      COALESCE(k.activation_id, (SELECT activation_id FROM preorders WHERE id = came.preorder_id)) AS activation_id OFFSET 0) bound`

/** Each kind of transfer needs its own condition, because the indexes on transfers are partial. */
const KINDS = [`kind = 'hold'`, `kind IN ('capture', 'release')`, `kind = 'refund'`]
export const COLUMNS = 't.id, t.kind, t.amount_micros, t.from_account, t.to_account, t.activation_id, t.charge_id, t.at'

/** SQL: all transfers of the order or payment `bound`, each once. The caller adds the limit `$topId`. */
export const MEMBERS = [
  ...KINDS.map(
    (kind) => `SELECT ${COLUMNS} FROM transfers t WHERE t.activation_id = bound.activation_id AND t.${kind}`,
  ),
  ...['rental_id', 'preorder_id'].flatMap((owner) =>
    KINDS.map(
      (kind) => `SELECT ${COLUMNS} FROM (SELECT id FROM charges WHERE ${owner} = bound.${owner} OFFSET 0) c
        CROSS JOIN LATERAL (SELECT * FROM transfers WHERE charge_id = c.id AND ${kind} OFFSET 0) t`,
    ),
  ),
  `SELECT ${COLUMNS} FROM transfers t WHERE t.payment_id = bound.payment_id`,
].join(' UNION ALL ')
