import type { Currency } from '#contract/money.ts'
import type { Db } from '#server/house/db/pool.ts'

export type Cause = 'errors' | 'share'

export type StandingRow = {
  supplier_id: number
  state: 'sound' | 'aside'
  cause: Cause | null
  reason: string | null
  since: Date | null
  try_at: Date | null
  falls: number
  version: number
  judged_from: Date | null
}

const COLUMNS = 'supplier_id, state, cause, reason, since, try_at, falls, version, judged_from'

export type EventKind =
  | 'link-up'
  | 'link-down'
  | 'set-aside'
  | 'trial-failed'
  | 'returned'
  | 'restored'
  | 'paused'
  | 'resumed'
  | 'number-aside'
  | 'numbers-resumed'

export async function listStandings(db: Db): Promise<StandingRow[]> {
  const text = `SELECT ${COLUMNS} FROM supplier_standings`
  return (await db.query<StandingRow>({ name: 'health-standings', text })).rows
}

export type StandingChange = {
  supplierId: number
  version: number
  kind: EventKind
  cause: Cause | null
  reason: string
  tryAt: Date | null
  falls: number
  now: Date
}

/** Stores a supplier's new health state and an event. Returns null if staff changed the supplier meanwhile. */
export async function changeStanding(db: Db, change: StandingChange): Promise<StandingRow | null> {
  const { rows } = await db.query<StandingRow>({
    name: 'health-change-standing',
    text: `WITH changed AS (
      INSERT INTO supplier_standings AS s (supplier_id, state, cause, reason, since, try_at, falls, version, judged_from)
      SELECT id, CASE WHEN $cause::text IS NULL THEN 'sound' ELSE 'aside' END, $cause, $reason, $now, $tryAt, $falls,
        $version::integer + 1, $now
      FROM suppliers WHERE id = $supplierId AND removed_at IS NULL AND paused_at IS NULL
      ON CONFLICT (supplier_id) DO UPDATE
      SET state = excluded.state, cause = excluded.cause, reason = excluded.reason, try_at = excluded.try_at,
        falls = excluded.falls, version = excluded.version, judged_from = excluded.judged_from,
        since = CASE WHEN s.state = excluded.state THEN s.since ELSE excluded.since END
      WHERE s.version = $version
      RETURNING ${COLUMNS}
    ), told AS (
      INSERT INTO supplier_events (supplier_id, at, kind, reason) SELECT supplier_id, $now, $kind, $reason FROM changed
    )
    SELECT * FROM changed`,
    values: change,
  })
  return rows[0] ?? null
}

/** Puts a supplier back on sale by hand, whatever was decided meanwhile. Returns false if the supplier was healthy. */
export async function restoreStanding(tx: Db, input: { supplierId: number; now: Date }): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE supplier_standings
      SET state = 'sound', cause = NULL, reason = NULL, try_at = NULL, falls = 0, since = $now, version = version + 1, judged_from = $now
      WHERE supplier_id = $supplierId AND state = 'aside'`,
    values: input,
  })
  return rowCount === 1
}

export async function insertEvent(
  db: Db,
  event: { supplierId: number; kind: EventKind; reason: string; now: Date },
): Promise<void> {
  await db.query({
    name: 'health-event',
    text: `INSERT INTO supplier_events (supplier_id, at, kind, reason) VALUES ($supplierId, $now, $kind, $reason)`,
    values: event,
  })
}

export async function storeBalance(
  db: Db,
  balance: { supplierId: number; micros: bigint; currency: Currency; now: Date },
): Promise<void> {
  await db.query({
    name: 'health-balance',
    text: `INSERT INTO supplier_standings (supplier_id, balance_micros, balance_currency, balance_at)
      VALUES ($supplierId, $micros, $currency, $now)
      ON CONFLICT (supplier_id) DO UPDATE SET balance_micros = $micros, balance_currency = $currency, balance_at = $now`,
    values: balance,
  })
}

export async function storeSeen(
  db: Db,
  seen: { supplierIds: number[]; smsAt: (Date | null)[]; stocks: (number | null)[] },
): Promise<void> {
  await db.query({
    name: 'health-seen',
    text: `INSERT INTO supplier_standings AS s (supplier_id, last_sms_at, stock)
      SELECT seen.* FROM unnest($supplierIds::integer[], $smsAt::timestamptz[], $stocks::bigint[]) AS seen (id, at, stock)
      JOIN suppliers USING (id)
      ON CONFLICT (supplier_id) DO UPDATE SET last_sms_at = GREATEST(s.last_sms_at, excluded.last_sms_at),
        stock = COALESCE(excluded.stock, s.stock)`,
    values: seen,
  })
}
