import { COLUMNS as ACTIVATION_COLUMNS, type ActivationRow } from '#server/core/numbers/activations/queries/row.ts'
import { COLUMNS as RENTAL_COLUMNS, type RentalRow } from '#server/core/numbers/rentals/queries/row.ts'
import type { Db } from '#server/house/db/pool.ts'

export type OrdersWanted = { userId: number; newestFirst: boolean; limit: number; offset: number }

/** Selects the user's orders, open or ended. Orders for which no supplier had a number are left out. */
const MADE = `user_id = $userId AND state NOT IN ('reserving', 'failed')`

const orderOf = ({ newestFirst }: OrdersWanted) => (newestFirst ? 'id DESC' : 'id')

export async function listActivationOrders(db: Db, wanted: OrdersWanted): Promise<ActivationRow[]> {
  const { rows } = await db.query<ActivationRow>({
    name: `five-sim-activations-${wanted.newestFirst}`,
    text: `SELECT ${ACTIVATION_COLUMNS} FROM activations WHERE ${MADE}
      ORDER BY ${orderOf(wanted)} LIMIT $limit OFFSET $offset`,
    values: wanted,
  })
  return rows
}

export async function listRentalOrders(db: Db, wanted: OrdersWanted): Promise<RentalRow[]> {
  const { rows } = await db.query<RentalRow>({
    name: `five-sim-rentals-${wanted.newestFirst}`,
    text: `SELECT ${RENTAL_COLUMNS} FROM rentals WHERE ${MADE} ORDER BY ${orderOf(wanted)} LIMIT $limit OFFSET $offset`,
    values: wanted,
  })
  return rows
}

/** Counts orders, but at most `most`, because programs request the list every few seconds. */
export async function countOrders(
  db: Db,
  table: 'activations' | 'rentals',
  wanted: { userId: number; most: number },
): Promise<number> {
  const { rows } = await db.query<{ count: bigint }>({
    name: `five-sim-count-${table}`,
    text: `SELECT count(*) FROM (SELECT FROM ${table} WHERE ${MADE} LIMIT $most) counted`,
    values: wanted,
  })
  return Number(rows[0]?.count ?? 0n)
}

/** Finds the newest order of this number and service that finished after a paid code. */
export async function findLastFinished(
  db: Db,
  wanted: { userId: number; phone: string; serviceCode: string },
): Promise<{ id: bigint; ended_at: Date } | null> {
  const { rows } = await db.query<{ id: bigint; ended_at: Date }>({
    name: 'five-sim-last-finished',
    text: `SELECT id, ended_at FROM activations WHERE phone = $phone AND user_id = $userId AND service_code = $serviceCode
        AND state = 'finished' AND ended_at IS NOT NULL
      ORDER BY created_at DESC LIMIT 1`,
    values: wanted,
  })
  return rows[0] ?? null
}
