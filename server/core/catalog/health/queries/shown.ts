import type { Currency } from '#contract/money.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import type { Cause } from './standings.ts'

export async function findSupplierId(db: Db, code: string): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>({
    text: 'SELECT id FROM suppliers WHERE code = $1 AND NOT sandbox',
    values: [code],
  })
  return rows[0]?.id ?? null
}

type EventRow = { id: bigint; at: Date; kind: string; reason: string }

export async function listSupplierEvents(
  db: Db,
  filter: { supplierId: number; since: Date | null; after: bigint | null; limit: number },
): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>({
    text: `SELECT id, at, kind, reason FROM supplier_events
      WHERE supplier_id = $supplierId AND ($since::timestamptz IS NULL OR at >= $since) AND ($after::bigint IS NULL OR id < $after)
      ORDER BY id DESC LIMIT $limit`,
    values: filter,
  })
  return rows
}

export type ShownSupplier = {
  id: number
  code: string
  kind: string
  paused_at: Date | null
  removed_at: Date | null
  link_up: boolean | null
  link_changed_at: Date | null
  link_why: string | null
  state: 'sound' | 'aside'
  cause: Cause | null
  reason: string | null
  since: Date | null
  try_at: Date | null
  last_sms_at: Date | null
  stock: bigint | null
  balance_micros: bigint | null
  balance_currency: Currency | null
  balance_at: Date | null
  weight_percent: number
  purchases_per_minute: number | null
}

const SHOWN = `SELECT s.id, s.code, s.kind, s.paused_at, s.removed_at, s.link_up, s.link_changed_at, s.link_why, COALESCE(h.state, 'sound') AS state,
    h.cause, h.reason, h.since, h.try_at, h.last_sms_at, h.stock, h.balance_micros, h.balance_currency, h.balance_at,
    s.weight_percent, s.purchases_per_minute
  FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id`

export async function findShownSupplier(db: Db, supplierId: number): Promise<ShownSupplier | null> {
  const { rows } = await db.query<ShownSupplier>({ text: `${SHOWN} WHERE s.id = $1`, values: [supplierId] })
  return rows[0] ?? null
}

export async function listShownSuppliers(db: Db, limit: number): Promise<ShownSupplier[]> {
  const { rows } = await db.query<ShownSupplier>({
    name: 'health-shown',
    text: `${SHOWN} WHERE s.removed_at IS NULL AND NOT s.sandbox ORDER BY s.id LIMIT $1`,
    values: [limit],
  })
  return rows
}

export type PairShare = { service_code: string; country_id: number; purchases: number; codes: number }

export async function sumOutcomesOf(db: Db, input: { supplierId: number; since: Date }): Promise<PairShare[]> {
  const { rows } = await db.query<PairShare>({
    text: `SELECT service_code, country_id, count(*)::integer AS purchases,
        (count(*) FILTER (WHERE first_code_at IS NOT NULL))::integer AS codes
      FROM activations WHERE supplier_id = $1 AND outcome_at > $2 AND operator IS NOT NULL GROUP BY service_code, country_id`,
    values: [input.supplierId, input.since],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}
