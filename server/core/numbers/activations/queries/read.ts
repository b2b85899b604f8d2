import { ACTIVE_OF_USER } from '#server/core/accounts/users/active-queries.ts'
import { transitions } from '#server/core/numbers/activations/state.ts'
import {
  FITS,
  type Page,
  type PageFilter,
  type PageRow,
  pageOf,
  pageValues,
} from '#server/core/numbers/listing/queries/page.ts'
import type { Db } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { type ActivationRow, COLUMNS } from './row.ts'

const ACTIVE = sqlList(transitions.receive)

export async function findActivation(db: Db, input: { id: number; userId: number }): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-find',
    text: `SELECT ${COLUMNS} FROM activations WHERE id = $1 AND user_id = $2`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

export type StatusRow = Pick<ActivationRow, 'state' | 'code' | 'again_asked_at'>

/**
 * Finds the state, the code and the latest request for another code of an activation. Programs poll this often, and
 * each further column would cost as much time as our code.
 */
export async function findStatus(db: Db, input: { id: number; userId: number }): Promise<StatusRow | null> {
  const { rows } = await db.query<StatusRow>({
    name: 'activation-status',
    text: 'SELECT state, code, again_asked_at FROM activations WHERE id = $1 AND user_id = $2',
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

/** Finds an activation of any account. Only jobs may use this function. */
export async function findAnyActivation(db: Db, id: bigint): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-find-any',
    text: `SELECT ${COLUMNS} FROM activations WHERE id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export async function findByIdempotencyKey(
  db: Db,
  input: { userId: number; key: string },
): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-find-by-key',
    text: `SELECT ${COLUMNS} FROM activations WHERE user_id = $1 AND idempotency_key = $2`,
    values: [input.userId, input.key],
  })
  return rows[0] ?? null
}

const ORDERS = { newest: 'id DESC', oldest: 'id', expiring: 'expires_at, id' } as const

/** Lists active numbers by a partial index, so that ended numbers cost no time. */
export async function listActive(
  db: Db,
  filter: PageFilter & { sort: keyof typeof ORDERS },
): Promise<Page<ActivationRow>> {
  const { rows } = await db.query<PageRow<ActivationRow>>({
    name: `activation-list-active-${filter.sort}`,
    text: `WITH active AS (
      SELECT ${COLUMNS}, ${FITS} AS wanted
      FROM activations WHERE user_id = $userId AND ${ACTIVE_OF_USER}
    ), totals AS (SELECT count(*) FILTER (WHERE wanted) AS total, count(*) AS total_count FROM active)
    SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM active WHERE wanted ORDER BY ${ORDERS[filter.sort]} LIMIT $limit OFFSET $offset
    ) page ON true ORDER BY ${ORDERS[filter.sort]}`,
    values: pageValues(filter),
  })
  return pageOf<ActivationRow>(rows)
}

export async function isHeld(
  db: Db,
  input: { supplierId: number; phone: string; supplierReference: string },
): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>({
    name: 'activation-is-held',
    text: `SELECT EXISTS (SELECT FROM activations
      WHERE phone = $phone AND state IN (${ACTIVE}) AND supplier_id = $supplierId AND supplier_reference = $supplierReference) AS held`,
    values: input,
  })
  return rows[0]?.held ?? false
}
