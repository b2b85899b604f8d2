import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

export type OrderKey = { supplierId: number; reference: string }

type Inserted = OrderKey & { state: 'asking' | 'refused' | 'none'; costMicros: bigint; now: Date }
type Sold = OrderKey & { theirId: string; phone: string; costMicros: bigint; expiresAt: Date | null }

/** The orders sent to a supplier, by our reference. Rows are stored before requests, so nothing is requested twice. */
export type OrderBook<Asked, Unsold extends string> = {
  /** Stores an order. Returns false if its reference is already stored. `costMicros` is the maximum price. */
  insert(db: Db, order: Inserted & Asked): Promise<boolean>
  /**
   * Stores an order's bought number. Returns false if the state has changed, or another order has the supplier's id.
   */
  markOpen(db: Db, sold: Sold): Promise<boolean>
  /**
   * Stores a number that came after its order had moved on, under a reference of its own, and queues the job that gives
   * it back. Returns false if the order has not moved on, or the number belongs to an order of ours.
   */
  giveBack(db: Db, late: Omit<Sold, 'expiresAt'>): Promise<boolean>
  /** Stores that an order bought nothing. Returns false if the order already has a result. */
  markUnsold(db: Db, order: OrderKey & { state: Unsold }): Promise<boolean>
  /** Returns those of the supplier's ids that belong to orders of ours. */
  listKnown(db: Db, input: { supplierId: number; theirIds: string[] }): Promise<Set<string>>
}

/**
 * Creates the queries that store our orders at suppliers in a table. `theirId` is the column of the supplier's id, and
 * `once` the constraint that allows this id in one order only. `asked` maps the values of a request to columns. `held`
 * is the state of an order that has its number, and `abandon` the job that gives such a number back.
 */
export function createOrderBook<Asked extends Record<string, unknown>, Unsold extends string>({
  name,
  table,
  theirId,
  once,
  held,
  abandon,
  asked,
}: {
  name: string
  table: string
  theirId: string
  once: string
  held: 'open' | 'sold'
  abandon: 'abandon-attempt' | 'abandon-rental'
  asked: Record<keyof Asked & string, string>
}): OrderBook<Asked, Unsold> {
  const values = Object.keys(asked).map((value) => `$${value}`)
  const columns = Object.values(asked).join(', ')
  const inserting = `INSERT INTO ${table} (supplier_id, reference, state, cost_micros, asked_at, ${columns})
      VALUES ($supplierId, $reference, $state, $costMicros, $now, ${values.join(', ')})
      ON CONFLICT ON CONSTRAINT ${table}_reference DO NOTHING`
  const own = `supplier_id = $supplierId AND reference = $reference AND state = 'asking'`
  return {
    async insert(db, order) {
      const { rowCount } = await db.query({ name: `insert-order-of-${name}`, text: inserting, values: order })
      return rowCount === 1
    },
    async markOpen(db, sold) {
      try {
        const { rowCount } = await db.query({
          name: `mark-open-of-${name}`,
          text: `UPDATE ${table} SET state = 'open', ${theirId} = $theirId, phone = $phone, cost_micros = $costMicros,
              expires_at = $expiresAt
            WHERE ${own}`,
          values: sold,
        })
        return rowCount === 1
      } catch (error) {
        if (isUniqueViolation(error, once)) return false
        throw error
      }
    },
    async giveBack(db, late) {
      const { rowCount } = await db.query({
        name: `give-back-of-${name}`,
        text: `WITH late AS (
            INSERT INTO ${table} (supplier_id, reference, state, cost_micros, asked_at, ${columns}, ${theirId}, phone)
            SELECT supplier_id, reference || '/' || $theirId::text, '${held}', $costMicros, asked_at, ${columns}, $theirId, $phone
            FROM ${table} WHERE supplier_id = $supplierId AND reference = $reference AND state <> 'asking'
            ON CONFLICT DO NOTHING RETURNING supplier_id, reference
          ) SELECT queue_job('${abandon}', json_build_object('supplierId', supplier_id, 'reference', reference), 25) FROM late`,
        values: late,
        queuesJobs: true,
      })
      return rowCount === 1
    },
    async markUnsold(db, order) {
      const { rowCount } = await db.query({
        name: `mark-unsold-of-${name}`,
        text: `UPDATE ${table} SET state = $state WHERE ${own}`,
        values: order,
      })
      return rowCount === 1
    },
    async listKnown(db, input) {
      const { rows } = await db.query<{ id: string }>({
        name: `list-known-of-${name}`,
        text: `SELECT ${theirId} AS id FROM ${table}
          WHERE supplier_id = $supplierId AND ${theirId} = ANY ($theirIds::text[])`,
        values: input,
      })
      return new Set(rows.map(({ id }) => id))
    },
  }
}
