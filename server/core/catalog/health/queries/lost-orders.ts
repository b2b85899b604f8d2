import { SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import type { Db } from '#server/house/db/pool.ts'

/** `service` and `country` are codes of the supplier. `since` is the time of the oldest lost order. */
export type LostOrders = { service: string; country: string; count: number; since: Date }

const MOST_PAIRS = 50

/**
 * Lists lost orders, those whose answer from a resale supplier was lost. Their service and country are off sale until
 * the orders are found.
 */
export async function listLostOrders(
  db: Db,
  { supplierId, now }: { supplierId: number; now: Date },
): Promise<LostOrders[]> {
  const { rows } = await db.query<LostOrders>({
    text: `SELECT service, country, count(*)::integer AS count, min(asked_at) AS since FROM resold_orders
      WHERE supplier_id = $supplierId AND state = 'asking' AND asked_at < $answered
      GROUP BY service, country ORDER BY since LIMIT ${MOST_PAIRS}`,
    values: { supplierId, answered: new Date(now.getTime() - SUPPLIER_TIMEOUT_MS) },
  })
  return rows
}
