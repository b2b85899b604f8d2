import type { Ending } from '#server/core/suppliers/supplier.ts'
import type { Db } from '#server/house/db/pool.ts'
import { createOrderBook, type OrderKey } from './order-book.ts'

export type ResoldOrder = {
  reference: string
  state: 'asking' | 'open' | 'refused' | 'none' | 'ended'
  service: string
  country: string
  costMicros: bigint
  askedAt: Date
  activationId: string | null
  phone: string | null
  expiresAt: Date | null
  rounds: number
  roundTaken: boolean
  /** The mobile operator that we chose, in the supplier's codes. Null means any. */
  operator: string | null
  ending: Ending | null
}

const COLUMNS = `reference, state, service, country, cost_micros AS "costMicros", asked_at AS "askedAt",
  activation_id AS "activationId", phone, expires_at AS "expiresAt", rounds, round_taken AS "roundTaken", operator, ending`

export const NOTHING_ASKED = { service: '', country: '', operator: null, costMicros: 0n }

export const resoldOrders = createOrderBook<
  { service: string; country: string; operator: string | null },
  'refused' | 'none'
>({
  name: 'resold-orders',
  table: 'resold_orders',
  theirId: 'activation_id',
  once: 'resold_orders_activation_once',
  held: 'open',
  abandon: 'abandon-attempt',
  asked: { service: 'service', country: 'country', operator: 'operator' },
})

export async function findOrder(db: Db, key: OrderKey): Promise<ResoldOrder | null> {
  const { rows } = await db.query<ResoldOrder>({
    name: 'resold-find-order',
    text: `SELECT ${COLUMNS} FROM resold_orders WHERE supplier_id = $supplierId AND reference = $reference`,
    values: key,
  })
  return rows[0] ?? null
}

export const MAX_OPEN = 50_000

export async function listUnfinished(db: Db, input: { supplierId: number; since: Date }): Promise<ResoldOrder[]> {
  const { rows } = await db.query<ResoldOrder>({
    name: 'resold-list-unfinished',
    text: `SELECT ${COLUMNS} FROM resold_orders
      WHERE supplier_id = $supplierId AND state IN ('asking', 'open') AND asked_at > $since ORDER BY asked_at LIMIT ${MAX_OPEN}`,
    values: input,
  })
  return rows
}

export async function findActivationOf(
  db: Db,
  input: { supplierId: number; phone: string; service: string },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'resold-find-activation-of-phone',
    text: `SELECT activation_id AS id FROM resold_orders
      WHERE supplier_id = $supplierId AND phone = $phone AND service = $service AND state = 'ended' AND ending = 'finished'
      ORDER BY asked_at DESC LIMIT 1`,
    values: input,
  })
  return rows[0]?.id ?? null
}

/**
 * Stores the end of an order. `ending` is null if the supplier ended the order, or if a poll saw the end that we
 * requested before the request was answered. A null may be replaced later, but a stored ending never changes. A later
 * call may still store `isLoss`: the supplier charged a message that our buyer did not pay for.
 */
export async function markEnded(
  db: Db,
  end: OrderKey & { ending: Ending | null; isLoss: boolean; now: Date },
): Promise<void> {
  await db.query({
    name: 'resold-mark-ended',
    text: `UPDATE resold_orders SET state = 'ended', ending = COALESCE(ending, $ending),
        ended_at = COALESCE(ended_at, $now), is_loss = is_loss OR $isLoss
      WHERE supplier_id = $supplierId AND reference = $reference AND state IN ('open', 'ended')`,
    values: end,
  })
}

export async function hasMessages(db: Db, order: OrderKey & Pick<ResoldOrder, 'phone'>): Promise<boolean> {
  const { supplierId, reference, phone } = order
  const { rowCount } = await db.query({
    name: 'resold-has-messages',
    text: `SELECT FROM messages
      WHERE phone = $phone AND supplier_id = $supplierId AND reference = $reference LIMIT 1`,
    values: { supplierId, reference, phone },
  })
  return rowCount > 0
}

/** Prepares an order for a request for another code. Returns the request's number, or null if the order is not open. */
export async function beginRound(db: Db, key: OrderKey): Promise<number | null> {
  const { rows } = await db.query<{ rounds: number }>({
    name: 'resold-begin-round',
    text: `UPDATE resold_orders SET rounds = rounds + CASE WHEN round_taken THEN 1 ELSE 0 END, round_taken = false
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'open' RETURNING rounds`,
    values: key,
  })
  return rows[0]?.rounds ?? null
}

export async function markRoundTaken(db: Db, round: OrderKey & { rounds: number }): Promise<void> {
  await db.query({
    name: 'resold-mark-round-taken',
    text: `UPDATE resold_orders SET round_taken = true
      WHERE supplier_id = $supplierId AND reference = $reference AND rounds = $rounds`,
    values: round,
  })
}
