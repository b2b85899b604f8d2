import type { Db } from '#server/db/pool.ts'
import { sqlStates, transitions } from '../state.ts'
import { type ActivationRow, COLUMNS } from './row.ts'

const ACTIVE = sqlStates(transitions.receive)
/** The same of one buyer, as the condition of activations_user_open has it. */
const ACTIVE_OF_USER = `state IN ('reserving', ${ACTIVE}) AND state <> 'reserving'`

/** Someone else's activation is not found. */
export async function findActivation(db: Db, input: { id: number; userId: number }): Promise<ActivationRow | null> {
  const { rows } = await db.query<ActivationRow>({
    name: 'activation-find',
    text: `SELECT ${COLUMNS} FROM activations WHERE id = $1 AND user_id = $2`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

/** Whoever it belongs to: for jobs. */
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

export type ActiveFilter = {
  userId: number
  /** Any of these fits; null: no search. */
  search: { phonePart: string | null; serviceCodes: string[]; countryIds: number[] } | null
  serviceCodes: string[] | null
  countryIds: number[] | null
  sort: 'newest' | 'oldest' | 'expiring'
  limit: number
  offset: number
}

const ORDERS = { newest: 'id DESC', oldest: 'id', expiring: 'expires_at, id' } as const

/**
 * One page of a buyer's active numbers, with the totals. Walks the partial index of active ones, so the time depends on
 * how many are active, never on how many there have been.
 */
export async function listActive(
  db: Db,
  filter: ActiveFilter,
): Promise<{ rows: ActivationRow[]; total: number; totalCount: number }> {
  const { rows } = await db.query<ActivationRow & { total: bigint; total_count: bigint }>({
    name: `activation-list-active-${filter.sort}`,
    text: `WITH active AS (
      SELECT ${COLUMNS}, ($2::text[] IS NULL OR service_code = ANY ($2)) AND ($3::integer[] IS NULL OR country_id = ANY ($3))
        AND (NOT $4 OR phone LIKE '%' || $5 || '%' OR service_code = ANY ($6) OR country_id = ANY ($7)) AS wanted
      FROM activations WHERE user_id = $1 AND ${ACTIVE_OF_USER}
    ), totals AS (SELECT count(*) FILTER (WHERE wanted) AS total, count(*) AS total_count FROM active)
    SELECT page.*, totals.* FROM totals LEFT JOIN LATERAL (
      SELECT ${COLUMNS} FROM active WHERE wanted ORDER BY ${ORDERS[filter.sort]} LIMIT $8 OFFSET $9
    ) page ON true ORDER BY ${ORDERS[filter.sort]}`,
    values: [
      filter.userId,
      filter.serviceCodes,
      filter.countryIds,
      filter.search !== null,
      filter.search?.phonePart ?? null,
      filter.search?.serviceCodes ?? [],
      filter.search?.countryIds ?? [],
      filter.limit,
      filter.offset,
    ],
  })
  const found = rows.filter((row) => row.id !== null)
  return { rows: found, total: Number(rows[0]?.total ?? 0n), totalCount: Number(rows[0]?.total_count ?? 0n) }
}

/** For a query that has more to ask about the user: how many of his numbers are active. `userId` is an SQL expression. */
export function countActiveSql(userId: string): string {
  return `(SELECT count(*) FROM activations WHERE user_id = ${userId} AND ${ACTIVE_OF_USER})`
}

export type MessageRow = {
  id: bigint
  activation_id: bigint
  sender: string
  body: string | null
  code: string | null
  received_at: Date
}

/** The newest messages of some activations, newest first, at most `perActivation` of each. */
export async function listMessages(
  db: Db,
  input: { activationIds: bigint[]; perActivation: number },
): Promise<MessageRow[]> {
  if (input.activationIds.length === 0) return []
  const { rows } = await db.query<MessageRow>({
    name: 'activation-list-messages',
    text: `SELECT m.* FROM unnest($1::bigint[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT id, activation_id, sender, body, code, received_at FROM messages
      WHERE activation_id = wanted.id ORDER BY id DESC LIMIT $2
    ) m ORDER BY m.id DESC`,
    values: [input.activationIds, input.perActivation],
  })
  return rows
}

export type NumberHolder = {
  id: bigint
  service_code: string
  again_asked_at: Date | null
}

/** Who holds this number of this supplier now, newest first. */
export async function listHolders(
  db: Db,
  input: { supplierId: number; phone: string; limit: number },
): Promise<NumberHolder[]> {
  const { rows } = await db.query<NumberHolder>({
    name: 'activation-list-holders',
    text: `SELECT id, service_code, again_asked_at FROM activations
      WHERE phone = $1 AND state IN (${ACTIVE}) AND supplier_id = $2 ORDER BY id DESC LIMIT $3`,
    values: [input.phone, input.supplierId, input.limit],
  })
  return rows
}

/** Whether somebody has a number by this very order of the supplier's. */
export async function isHeld(
  db: Db,
  input: { supplierId: number; phone: string; supplierReference: string },
): Promise<boolean> {
  const { rows } = await db.query<{ held: boolean }>({
    text: `SELECT EXISTS (SELECT FROM activations
      WHERE phone = $1 AND state IN (${ACTIVE}) AND supplier_id = $2 AND supplier_reference = $3) AS held`,
    values: [input.phone, input.supplierId, input.supplierReference],
  })
  return rows[0]?.held ?? false
}
