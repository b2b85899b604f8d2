import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'
import { isReal } from '#server/house/db/sandbox-sql.ts'
import { columnsOf, type PreorderRow } from './row.ts'

export async function findPreorder(db: Db, input: { id: number; userId: number }): Promise<PreorderRow | null> {
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-find',
    text: `SELECT ${columnsOf()} FROM preorders WHERE id = $1 AND user_id = $2`,
    values: [input.id, input.userId],
  })
  return rows[0] ?? null
}

export async function findByKey(db: Db, input: { userId: number; key: string }): Promise<PreorderRow | null> {
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-find-by-key',
    text: `SELECT ${columnsOf()} FROM preorders WHERE user_id = $1 AND idempotency_key = $2`,
    values: [input.userId, input.key],
  })
  return rows[0] ?? null
}

export async function listOpen(db: Db, userId: number): Promise<PreorderRow[]> {
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-list-open',
    text: `SELECT ${columnsOf()} FROM preorders WHERE user_id = $1 AND state IN ('waiting', 'buying') ORDER BY id DESC`,
    values: [userId],
  })
  return rows
}

export type WantedKind = Pick<PreorderRow, 'service_code' | 'country_id' | 'currency' | 'operator_wanted'>

export async function listWantedKinds(db: Db, now: Date): Promise<WantedKind[]> {
  const { rows } = await db.query<WantedKind>({
    name: 'preorder-list-kinds',
    text: `SELECT DISTINCT service_code, country_id, currency, operator_wanted FROM preorders
      WHERE state = 'waiting' AND next_try_at <= $1`,
    values: [now],
  })
  return rows
}

export async function listBuyable(
  db: Db,
  input: { kinds: (WantedKind & { priceMicros: bigint })[]; now: Date; limit: number },
): Promise<PreorderRow[]> {
  const { kinds, now, limit } = input
  const { rows } = await db.query<PreorderRow>({
    name: 'preorder-list-buyable',
    text: `SELECT ${columnsOf('p')}
      FROM unnest($serviceCodes::text[], $countryIds::integer[], $currencies::text[], $operators::text[], $prices::bigint[])
        AS kind (service_code, country_id, currency, operator_wanted, price_micros)
      JOIN preorders p USING (service_code, country_id, currency)
      WHERE p.state = 'waiting' AND p.next_try_at <= $now AND p.deadline_at > $now
        AND p.operator_wanted IS NOT DISTINCT FROM kind.operator_wanted AND p.max_price_micros >= kind.price_micros
      ORDER BY p.id LIMIT $limit`,
    values: {
      serviceCodes: kinds.map((kind) => kind.service_code),
      countryIds: kinds.map((kind) => kind.country_id),
      currencies: kinds.map((kind) => kind.currency),
      operators: kinds.map((kind) => kind.operator_wanted),
      prices: kinds.map((kind) => kind.priceMicros),
      now,
      limit,
    },
  })
  return rows
}

/** SQL: true if purchases for pre-orders are in progress, or ended without settling their pre-order. */
export const ANY_BUYING = `EXISTS (SELECT FROM preorders WHERE state = 'buying')`

/** Lists pre-orders that a purchase, made until `before`, left unsettled when it ended. */
export async function listUnsettled(
  db: Db,
  { before, limit }: { before: Date; limit: number },
): Promise<Pick<PreorderRow, 'id' | 'tries'>[]> {
  const { rows } = await db.query<Pick<PreorderRow, 'id' | 'tries'>>({
    name: 'preorder-list-unsettled',
    text: `SELECT p.id, p.tries FROM preorders p JOIN activations a ON a.id = p.activation_id
      WHERE p.state = 'buying' AND a.state <> 'reserving' AND a.created_at <= $1 ORDER BY p.id LIMIT $2`,
    values: [before, limit],
  })
  return rows
}

export async function listOverdue(db: Db, input: { now: Date; limit: number }): Promise<bigint[]> {
  const { rows } = await db.query<{ id: bigint }>({
    name: 'preorder-list-overdue',
    text: `SELECT id FROM preorders WHERE state = 'waiting' AND deadline_at <= $1 ORDER BY deadline_at LIMIT $2`,
    values: [input.now, input.limit],
  })
  return rows.map((row) => row.id)
}

/** Returns when the next pre-order is due, or null, and whether a purchase for a pre-order is in progress. */
export async function findNextDue(db: Db, now: Date): Promise<{ dueAt: Date | null; buying: boolean }> {
  const { rows } = await db.query<{ due_at: Date | null; buying: boolean }>({
    name: 'preorder-next-due',
    text: `SELECT LEAST((SELECT min(next_try_at) FROM preorders WHERE state = 'waiting' AND next_try_at > $1),
        (SELECT min(deadline_at) FROM preorders WHERE state = 'waiting')) AS due_at,
      EXISTS (SELECT FROM preorders WHERE state = 'buying') AS buying`,
    values: [now],
  })
  return { dueAt: rows[0]?.due_at ?? null, buying: rows[0]?.buying ?? false }
}

/** The maximum number of newest outcomes that are read, because no index has the sales of a service and country. */
const LOOKED_AT = 5_000

export async function findNewestSale(
  db: Db,
  kind: { serviceCode: string; countryId: number; operator: string | null; currency: Currency },
): Promise<{ price_micros: bigint; at: Date } | null> {
  const { rows } = await db.query<{ price_micros: bigint; at: Date }>({
    name: 'preorder-newest-sale',
    text: `SELECT price_micros, outcome_at AS at FROM (
        SELECT * FROM activations WHERE outcome_at IS NOT NULL ORDER BY outcome_at DESC LIMIT ${LOOKED_AT}
      ) newest
      WHERE service_code = $serviceCode AND country_id = $countryId AND currency = $currency AND money = 'captured' AND ${isReal()}
        AND ($operator::text IS NULL OR operator = $operator)
      ORDER BY outcome_at DESC LIMIT 1`,
    values: kind,
  })
  return rows[0] ?? null
}
