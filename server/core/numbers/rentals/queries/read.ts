import { countActiveRentalsSql } from '#server/core/accounts/users/active-queries.ts'
import {
  FITS,
  type Page,
  type PageFilter,
  type PageRow,
  pageOf,
  pageValues,
} from '#server/core/numbers/listing/queries/page.ts'
import { transitions } from '#server/core/numbers/rentals/state.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { COLUMNS, type RentalRow } from './row.ts'

const ACTIVE = sqlList(transitions.live)
const ENDED = sqlList(['finished', 'expired', 'cancelled', 'revoked'])

export async function findRental(db: Db, input: { id: number; userId: number }): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-find',
    text: `SELECT ${COLUMNS} FROM rentals WHERE id = $1 AND user_id = $2`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

/** Finds a rental of any account. Only jobs and sweeps may use this function. */
export async function findAnyRental(db: Db, id: bigint): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-find-any',
    text: `SELECT ${COLUMNS} FROM rentals WHERE id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function findRentalByKey(db: Db, input: { userId: number; key: string }): Promise<RentalRow | null> {
  const { rows } = await db.query<RentalRow>({
    name: 'rental-find-by-key',
    text: `SELECT ${COLUMNS} FROM rentals WHERE user_id = $1 AND idempotency_key = $2`,
    values: [input.userId, input.key],
  })
  return rows[0] ?? null
}

const LISTS = {
  newest: { states: ACTIVE, order: 'id DESC' },
  oldest: { states: ACTIVE, order: 'id' },
  expiring: { states: ACTIVE, order: 'expires_at, id' },
  ended: { states: ENDED, order: 'id DESC' },
} as const

export async function listRentals(db: Db, filter: PageFilter & { list: keyof typeof LISTS }): Promise<Page<RentalRow>> {
  const { states, order } = LISTS[filter.list]
  const { rows } = await db.query<PageRow<RentalRow>>({
    name: `rental-list-${filter.list}`,
    text: `WITH wanted AS MATERIALIZED (
      SELECT id FROM rentals WHERE user_id = $userId AND state IN (${states}) AND ${FITS}
    ), totals AS (SELECT (SELECT count(*) FROM wanted) AS total, ${countActiveRentalsSql('$userId')} AS total_count)
    SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM rentals WHERE id IN (SELECT id FROM wanted) ORDER BY ${order} LIMIT $limit OFFSET $offset
    ) page ON true ORDER BY ${order}`,
    values: pageValues(filter),
  })
  return pageOf<RentalRow>(rows)
}

export async function isRented(
  db: Db,
  input: { supplierId: number; phone: string; supplierReference: string },
): Promise<boolean> {
  const { rows } = await db.query<{ rented: boolean }>({
    name: 'rental-is-rented',
    text: `SELECT EXISTS (SELECT FROM rentals
      WHERE phone = $phone AND state IN (${ACTIVE}) AND supplier_id = $supplierId AND supplier_reference = $supplierReference) AS rented`,
    values: input,
  })
  return rows[0]?.rented ?? false
}
