import { createOrderBook, type OrderBook, type OrderKey } from '#server/adapters/shared/resold/queries/order-book.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

export type BankOrder = {
  state: 'asking' | 'sold' | 'refused' | 'none' | 'lost' | 'ended'
  operator: string
  costMicros: bigint
  activationId: string | null
  phone: string | null
}

type Asked = { serviceCode: string; countryId: number; operator: string }

/** The orders sent to SIM banks. Bought numbers are stored by `markSold`, because it must check them. */
export const bankOrders: Pick<
  OrderBook<Asked, 'refused' | 'lost'>,
  'insert' | 'markUnsold' | 'giveBack'
> = createOrderBook({
  name: 'sim-bank-orders',
  table: 'sim_bank_orders',
  theirId: 'activation_id',
  once: 'sim_bank_orders_activation_once',
  held: 'sold',
  abandon: 'abandon-attempt',
  asked: { serviceCode: 'service_code', countryId: 'country_id', operator: 'operator' },
})

/**
 * Stores the number that a bank gave. Returns `moved-on` if the order was given up, and `taken` if another order has
 * this activation. `closed` means that the phone is missing or may be another buyer's, because it got messages after a
 * lost reply. The row then has no phone, so the number can only be given back, even after a crash.
 */
export async function markSold(
  db: Db,
  sold: OrderKey & { activationId: string; phone: string; lostSince: Date },
): Promise<'sold' | 'closed' | 'moved-on' | 'taken'> {
  try {
    const { rows } = await db.query<{ phone: string }>({
      name: 'sim-bank-mark-sold',
      text: `UPDATE sim_bank_orders SET state = 'sold', activation_id = $activationId, phone = CASE WHEN EXISTS (
          SELECT FROM sim_bank_orders l JOIN messages m ON m.phone = $phone AND m.supplier_id = $supplierId
            AND m.given = 'unmatched' AND m.received_at >= l.asked_at
          WHERE l.supplier_id = $supplierId AND l.state = 'lost' AND l.asked_at > $lostSince) THEN '' ELSE $phone END
        WHERE supplier_id = $supplierId AND reference = $reference AND state = 'asking' RETURNING phone`,
      values: sold,
    })
    const [row] = rows
    if (row === undefined) return 'moved-on'
    return row.phone === '' ? 'closed' : 'sold'
  } catch (error) {
    if (isUniqueViolation(error, 'sim_bank_orders_activation_once')) return 'taken'
    throw error
  }
}

/** Returns the stored order. If there is none, stores a refusal, so that no later purchase may use the reference. */
export async function findOrRefuse(db: Db, order: OrderKey & { now: Date }): Promise<BankOrder> {
  const { rows } = await db.query<BankOrder>({
    name: 'sim-bank-find-or-refuse',
    text: `INSERT INTO sim_bank_orders AS known (supplier_id, reference, state, service_code, operator, cost_micros, asked_at)
      VALUES ($supplierId, $reference, 'none', '', '', 0, $now)
      ON CONFLICT ON CONSTRAINT sim_bank_orders_reference DO UPDATE SET state = known.state
      RETURNING state, operator, cost_micros AS "costMicros", activation_id AS "activationId", phone`,
    values: order,
  })
  const [row] = rows
  if (row === undefined) throw new Error('an order of a SIM bank is neither there nor made')
  return row
}

/** Stores the status that was reported to the bank. An order that has already ended does not change. */
export async function markEnded(db: Db, end: OrderKey & { told: number; now: Date }): Promise<void> {
  await db.query({
    name: 'sim-bank-mark-ended',
    text: `UPDATE sim_bank_orders SET state = 'ended', told = $told, ended_at = $now
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'sold'`,
    values: end,
  })
}

export async function isEnded(db: Db, { supplierId, reference }: OrderKey): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'sim-bank-is-ended',
    text: `SELECT FROM sim_bank_orders WHERE supplier_id = $1 AND reference = $2 AND state = 'ended'`,
    values: [supplierId, reference],
  })
  return rowCount > 0
}

export async function countLost(db: Db, input: { supplierId: number; since: Date }): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    text: `SELECT count(*) FROM sim_bank_orders WHERE supplier_id = $supplierId AND state = 'lost' AND asked_at > $since`,
    values: input,
  })
  return Number(rows[0]?.count ?? 0)
}
