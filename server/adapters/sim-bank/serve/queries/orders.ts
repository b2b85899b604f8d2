import type { Db } from '#server/house/db/pool.ts'

export type Told = 1 | 3 | 4 | 5

/**
 * Stores a platform's order. `told` is the status with which to end it. It is null, unless the number came too late for
 * the platform or never reached it.
 */
export async function insertOrder(
  db: Db,
  order: { activationId: bigint; outletId: number; watchedUntil: Date; told: Told | null; now: Date },
): Promise<void> {
  await db.query({
    name: 'outlet-order-insert',
    text: `INSERT INTO outlet_orders (activation_id, outlet_id, sold_at, watched_until, told, told_at)
      VALUES ($activationId, $outletId, $now, $watchedUntil, $told, CASE WHEN $told::smallint IS NOT NULL THEN $now::timestamptz END)
      ON CONFLICT (activation_id) DO UPDATE SET told = COALESCE(outlet_orders.told, excluded.told),
        told_at = COALESCE(outlet_orders.told_at, excluded.told_at)`,
    values: order,
  })
}

/**
 * Stores how a platform ended an order. A second end is ignored, unless it is a refund. Returns false if the order
 * belongs to another platform or does not exist.
 */
export async function noteTold(
  db: Db,
  word: { activationId: string; outletId: number; told: Told; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'outlet-order-told',
    text: `UPDATE outlet_orders SET told = COALESCE(told, $told), told_at = COALESCE(told_at, $now),
        refunded_at = CASE WHEN $told::smallint = 5 THEN COALESCE(refunded_at, $now) ELSE refunded_at END
      WHERE activation_id = $activationId AND outlet_id = $outletId`,
    values: word,
  })
  return rowCount === 1
}

export type TodoOrder = { activationId: bigint; userId: number; told: Told }

/**
 * Lists orders to end, oldest first: of one activation, or all if `activationId` is null. Orders that cannot be
 * cancelled yet are left out, because they would block others.
 */
export async function listToDo(
  db: Db,
  input: { activationId: string | null; cancellableBefore: Date; limit: number },
): Promise<TodoOrder[]> {
  const { rows } = await db.query<TodoOrder>({
    name: 'outlet-orders-to-do',
    text: `SELECT o.activation_id AS "activationId", a.user_id AS "userId", o.told
      FROM outlet_orders o JOIN activations a ON a.id = o.activation_id
      WHERE o.told IS NOT NULL AND NOT o.carried_out AND ($activationId::bigint IS NULL OR o.activation_id = $activationId)
        AND (a.state <> 'waiting' OR o.told = 1 OR a.created_at <= $cancellableBefore)
      ORDER BY o.told_at LIMIT $limit`,
    values: input,
  })
  return rows
}

/** Lists numbers bought for a platform that never learned of them, because the process died before the reply. */
export async function listForgotten(
  db: Db,
  input: { boughtBefore: Date; limit: number },
): Promise<Omit<TodoOrder, 'told'>[]> {
  const { rows } = await db.query<Omit<TodoOrder, 'told'>>({
    name: 'outlet-orders-forgotten',
    text: `SELECT a.id AS "activationId", a.user_id AS "userId" FROM activations a
      WHERE a.user_id IN (SELECT k.user_id FROM outlets o JOIN api_keys k ON k.id = o.api_key_id)
        AND a.state IN ('waiting', 'received', 'waiting_again') AND a.channel = 'agent' AND a.created_at <= $boughtBefore
        AND NOT EXISTS (SELECT FROM outlet_orders o WHERE o.activation_id = a.id)
      ORDER BY a.id LIMIT $limit`,
    values: input,
  })
  return rows
}

export async function markCarriedOut(db: Db, activationId: bigint): Promise<void> {
  await db.query({
    name: 'outlet-order-carried-out',
    text: 'UPDATE outlet_orders SET carried_out = true WHERE activation_id = $1 AND told IS NOT NULL',
    values: [activationId],
  })
}
