import { ACTIVE_STATES } from '#contract/activation.ts'
import type { Currency } from '#contract/money.ts'
import type { SupplierState } from '#server/core/catalog/health/queries/pausing.ts'
import type { Cause } from '#server/core/catalog/health/queries/standings.ts'
import type { SupplierRow } from '#server/core/suppliers/supplier.ts'
import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'
import { sqlList } from '#server/house/db/sql-list.ts'
import { OWN_NUMBER_KINDS } from '#server/programs/boot/kinds/supplier-kinds.ts'

const OWN = sqlList(OWN_NUMBER_KINDS)

export type SupplierSummary = {
  id: number
  code: string
  kind: string
  paused_at: Date | null
  link_up: boolean | null
  link_changed_at: Date | null
  link_why: string | null
  state: 'sound' | 'aside'
  cause: Cause | null
  reason: string | null
  since: Date | null
  try_at: Date | null
  offers: bigint
  /**
   * The number of enabled phone numbers of an own range. For other suppliers, the stock, in which a number offered for
   * several services counts once.
   */
  numbers: bigint
  /** The numbers of an own range that are on sale for at least one service. */
  numbers_out: bigint | null
  /** The stock on sale at the last poll, which the alarm stock-low uses; null before the first list of stock. */
  stock: bigint | null
  /** Our balance at the supplier, and the charged codes that no buyer paid for, in the supplier's currency. */
  balance_micros: bigint | null
  balance_currency: Currency | null
  rating_hundredths: number | null
  late_codes: bigint
  late_codes_micros: bigint
}

export async function listSuppliers(db: Db): Promise<SupplierSummary[]> {
  const { rows } = await db.query<SupplierSummary>({
    text: `SELECT s.id, s.code, s.kind, s.paused_at, s.link_up, s.link_changed_at, s.link_why,
        COALESCE(h.state, 'sound') AS state, h.cause, h.reason, h.since, h.try_at,
        (SELECT count(*) FROM offers o WHERE o.supplier_id = s.id) AS offers,
        CASE WHEN s.kind IN (${OWN}) THEN (SELECT count(*) FROM smpp_numbers n WHERE n.supplier_id = s.id AND n.enabled)
          ELSE (SELECT COALESCE(sum(most), 0)::bigint FROM (
            SELECT max(o.stock) AS most FROM offers o WHERE o.supplier_id = s.id GROUP BY o.country_id, o.operator) places)
          END AS numbers,
        CASE WHEN s.kind IN (${OWN}) THEN (SELECT count(DISTINCT l.phone) FROM smpp_leases l
          WHERE l.supplier_id = s.id AND l.state = 'leased') END AS numbers_out,
        h.stock, h.balance_micros, h.balance_currency, a.rating_hundredths, lost.codes AS late_codes, lost.micros AS late_codes_micros
      FROM suppliers s LEFT JOIN supplier_standings h ON h.supplier_id = s.id
      LEFT JOIN resell_accounts a ON a.supplier_id = s.id CROSS JOIN LATERAL (
        SELECT count(*) AS codes, COALESCE(sum(o.cost_micros), 0)::bigint AS micros FROM resold_orders o
        WHERE o.supplier_id = s.id AND o.is_loss) lost
      WHERE s.removed_at IS NULL AND NOT s.sandbox ORDER BY s.id`,
    limitMs: SLOW_LIMIT_MS,
  })
  return rows
}

export type FoundSupplier = SupplierRow & Pick<SupplierSummary, 'link_up' | 'link_changed_at' | 'link_why'>

export async function findSupplierRow(db: Db, code: string): Promise<FoundSupplier | null> {
  const { rows } = await db.query<FoundSupplier>({
    text: 'SELECT id, code, kind, settings, link_up, link_changed_at, link_why FROM suppliers WHERE code = $1 AND removed_at IS NULL AND NOT sandbox',
    values: [code],
  })
  return rows[0] ?? null
}

export async function findSupplier(db: Db, code: string): Promise<SupplierState | null> {
  const { rows } = await db.query<SupplierState>({
    text: 'SELECT id, kind, settings, paused_at FROM suppliers WHERE code = $1 AND removed_at IS NULL AND NOT sandbox',
    values: [code],
  })
  return rows[0] ?? null
}

/** Inserts a supplier and returns its id. Returns null if another supplier has the same code. */
export async function insertSupplier(
  tx: Db,
  row: { code: string; kind: string; settings: Record<string, unknown>; now: Date },
): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, settings, created_at) VALUES ($code, $kind, $settings, $now)
      ON CONFLICT ON CONSTRAINT suppliers_code_unique DO NOTHING RETURNING id`,
    values: { ...row, settings: JSON.stringify(row.settings) },
  })
  return rows[0]?.id ?? null
}

/**
 * Stores a supplier's weight and its limit of purchases per minute. Null leaves a value unchanged; `isFree` removes the
 * limit.
 */
export async function setRoute(
  tx: Db,
  route: { id: number; weightPercent: number | null; limit: number | null; isFree: boolean },
): Promise<{ weight_percent: number; purchases_per_minute: number | null }> {
  const { rows } = await tx.query<{ weight_percent: number; purchases_per_minute: number | null }>({
    text: `UPDATE suppliers SET weight_percent = COALESCE($weightPercent, weight_percent),
        purchases_per_minute = CASE WHEN $isFree THEN NULL ELSE COALESCE($limit, purchases_per_minute) END
      WHERE id = $id RETURNING weight_percent, purchases_per_minute`,
    values: route,
  })
  return rows[0] ?? { weight_percent: 100, purchases_per_minute: null }
}

/** Stores new settings of a supplier and raises their version, so that a running server restarts the supplier. */
export async function changeSettings(tx: Db, input: { id: number; settings: Record<string, unknown> }): Promise<void> {
  await tx.query({
    text: 'UPDATE suppliers SET settings = $2, settings_version = settings_version + 1 WHERE id = $1',
    values: [input.id, JSON.stringify(input.settings)],
  })
}

/** Counts a supplier's open orders, and the queued jobs that still have to call the supplier. */
export async function countUnfinished(tx: Db, supplierId: number): Promise<{ orders: number; jobs: number }> {
  const { rows } = await tx.query<{ orders: number; jobs: number }>({
    text: `SELECT ((SELECT count(*) FROM activations WHERE supplier_id = $1
          AND state IN (${sqlList(['reserving', ...ACTIVE_STATES])}))
        + (SELECT count(*) FROM rentals WHERE supplier_id = $1 AND state IN ('reserving', 'active')))::integer AS orders,
      (SELECT count(*)::integer FROM graphile_worker._private_jobs j
        JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        LEFT JOIN activations a ON t.identifier = 'end-number' AND a.id = (j.payload->>'activationId')::bigint
        LEFT JOIN rentals r ON t.identifier = 'end-rental' AND r.id = (j.payload->>'rentalId')::bigint
        WHERE t.identifier IN ('end-number', 'end-rental', 'abandon-attempt', 'abandon-rental', 'abandon-extension')
          AND j.attempts < j.max_attempts
          AND $1 IN (a.supplier_id, r.supplier_id, (j.payload->>'supplierId')::integer)) AS jobs`,
    values: [supplierId],
    limitMs: SLOW_LIMIT_MS,
  })
  return rows[0] ?? { orders: 0, jobs: 0 }
}

/**
 * Locks the supplier's row, so that no new row can refer to the supplier. Waits until a running save of its offers
 * ends.
 */
export async function lockForRemoval(tx: Db, supplierId: number): Promise<void> {
  await tx.query({
    text: 'SELECT FROM suppliers WHERE id = $1 FOR UPDATE',
    values: [supplierId],
    limitMs: SLOW_LIMIT_MS,
  })
}

/** Marks a supplier as removed, and deletes its offers and secrets. The row stays, because orders refer to it. */
export async function removeSupplierRow(tx: Db, input: { id: number; now: Date }): Promise<void> {
  await tx.query({
    text: `WITH offered AS (DELETE FROM offers WHERE supplier_id = $1), rented AS (DELETE FROM rent_offers WHERE supplier_id = $1),
        numbers AS (UPDATE smpp_numbers SET enabled = false, silent_at = NULL
          WHERE supplier_id = $1 AND (enabled OR silent_at IS NOT NULL))
      UPDATE suppliers SET removed_at = $2, settings = '{}', settings_version = settings_version + 1 WHERE id = $1`,
    values: [input.id, input.now],
  })
}
