import type { Ending } from '#server/core/suppliers/supplier.ts'
import { isUniqueViolation } from '#server/house/db/constraint.ts'
import type { Db } from '#server/house/db/pool.ts'

export type ResoldOrder = {
  reference: string
  state: 'asking' | 'open' | 'refused' | 'none' | 'ended'
  /** The service in the supplier's codes. */
  service: string
  country: string
  costMicros: bigint
  askedAt: Date
  activationId: string | null
  phone: string | null
  expiresAt: Date | null
  rounds: number
  roundTaken: boolean
  /** The operator that we chose, in the supplier's codes; null means any. */
  operator: string | null
  ending: Ending | null
}

const COLUMNS = `reference, state, service, country, cost_micros AS "costMicros", asked_at AS "askedAt",
  activation_id AS "activationId", phone, expires_at AS "expiresAt", rounds, round_taken AS "roundTaken", operator, ending`

type Key = { supplierId: number; reference: string }

/** Returns false if the order was requested before. `costMicros` is the highest price that may be paid. */
export async function insertAsking(
  db: Db,
  order: Key & { service: string; country: string; operator: string | null; costMicros: bigint; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'resold-insert-asking',
    text: `INSERT INTO resold_orders (supplier_id, reference, state, service, country, operator, cost_micros, asked_at)
      VALUES ($supplierId, $reference, 'asking', $service, $country, $operator, $costMicros, $now)
      ON CONFLICT ON CONSTRAINT resold_orders_reference DO NOTHING`,
    values: order,
  })
  return rowCount === 1
}

/** Returns false if the order has moved on, or the activation belongs to another order. */
export async function markOpen(
  db: Db,
  sold: Key & { activationId: string; phone: string; costMicros: bigint; expiresAt: Date | null },
): Promise<boolean> {
  try {
    const { rowCount } = await db.query({
      name: 'resold-mark-open',
      text: `UPDATE resold_orders SET state = 'open', activation_id = $activationId, phone = $phone, cost_micros = $costMicros,
          expires_at = $expiresAt
        WHERE supplier_id = $supplierId AND reference = $reference AND state = 'asking'`,
      values: sold,
    })
    return rowCount === 1
  } catch (error) {
    if (isUniqueViolation(error, 'resold_orders_activation_once')) return false
    throw error
  }
}

/** Closes an order that got no reply. Returns false if it has one by now. */
export async function markUnsold(db: Db, order: Key & { state: 'refused' | 'none' }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'resold-mark-unsold',
    text: `UPDATE resold_orders SET state = $state
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'asking'`,
    values: order,
  })
  return rowCount === 1
}

/** Refuses a reference that was never requested, so that no later purchase can use it. */
export async function refuseReference(db: Db, order: Key & { now: Date }): Promise<void> {
  await db.query({
    name: 'resold-refuse-reference',
    text: `INSERT INTO resold_orders (supplier_id, reference, state, service, country, cost_micros, asked_at)
      VALUES ($supplierId, $reference, 'none', '', '', 0, $now) ON CONFLICT ON CONSTRAINT resold_orders_reference DO NOTHING`,
    values: order,
  })
}

export async function findOrder(db: Db, key: Key): Promise<ResoldOrder | null> {
  const { rows } = await db.query<ResoldOrder>({
    name: 'resold-find-order',
    text: `SELECT ${COLUMNS} FROM resold_orders WHERE supplier_id = $supplierId AND reference = $reference`,
    values: key,
  })
  return rows[0] ?? null
}

/** No supplier has more open orders. */
const MAX_OPEN = 50_000

/** Lists unfinished orders requested since then, oldest first. */
export async function listUnfinished(db: Db, input: { supplierId: number; since: Date }): Promise<ResoldOrder[]> {
  const { rows } = await db.query<ResoldOrder>({
    name: 'resold-list-unfinished',
    text: `SELECT ${COLUMNS} FROM resold_orders
      WHERE supplier_id = $supplierId AND state IN ('asking', 'open') AND asked_at > $since ORDER BY asked_at LIMIT ${MAX_OPEN}`,
    values: input,
  })
  return rows
}

/** Returns those of the activations that belong to some order. */
export async function listKnown(db: Db, input: { supplierId: number; activationIds: string[] }): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'resold-list-known',
    text: `SELECT activation_id AS id FROM resold_orders
      WHERE supplier_id = $supplierId AND activation_id = ANY ($activationIds::text[])`,
    values: input,
  })
  return new Set(rows.map(({ id }) => id))
}

/** Finds the latest activation of this number. */
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
 * `ending` is null if the supplier ended the order, or a poll saw our end before its reply came; our own ending may
 * still follow. Otherwise an ended order does not change, except that it may become a loss.
 */
export async function markEnded(
  db: Db,
  end: Key & { ending: Ending | null; isLoss: boolean; now: Date },
): Promise<void> {
  await db.query({
    name: 'resold-mark-ended',
    text: `UPDATE resold_orders SET state = 'ended', ending = COALESCE(ending, $ending),
        ended_at = COALESCE(ended_at, $now), is_loss = is_loss OR $isLoss
      WHERE supplier_id = $supplierId AND reference = $reference AND state IN ('open', 'ended')`,
    values: end,
  })
}

/** Returns whether any message arrived for the order, with a code or not. */
export async function hasMessages(db: Db, order: Key & Pick<ResoldOrder, 'phone'>): Promise<boolean> {
  const { supplierId, reference, phone } = order
  const { rowCount } = await db.query({
    name: 'resold-has-messages',
    text: `SELECT FROM messages
      WHERE phone = $phone AND supplier_id = $supplierId AND reference = $reference LIMIT 1`,
    values: { supplierId, reference, phone },
  })
  return rowCount > 0
}

/** Starts a round before the supplier is asked for another code. Returns null if the order is not open. */
export async function beginRound(db: Db, key: Key): Promise<number | null> {
  const { rows } = await db.query<{ rounds: number }>({
    name: 'resold-begin-round',
    text: `UPDATE resold_orders SET rounds = rounds + CASE WHEN round_taken THEN 1 ELSE 0 END, round_taken = false
      WHERE supplier_id = $supplierId AND reference = $reference AND state = 'open' RETURNING rounds`,
    values: key,
  })
  return rows[0]?.rounds ?? null
}

export async function markRoundTaken(db: Db, round: Key & { rounds: number }): Promise<void> {
  await db.query({
    name: 'resold-mark-round-taken',
    text: `UPDATE resold_orders SET round_taken = true
      WHERE supplier_id = $supplierId AND reference = $reference AND rounds = $rounds`,
    values: round,
  })
}
