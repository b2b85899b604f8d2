import type { Db } from './pool.ts'

export const OLDEST_POSTGRES = 15
/**
 * SQL that finds a supplier of real numbers. `to_jsonb` works even if the database of an older release lacks a column.
 */
const ANY_SUPPLIER = `SELECT FROM suppliers s WHERE to_jsonb(s)->>'removed_at' IS NULL
  AND to_jsonb(s)->>'sandbox' IS DISTINCT FROM 'true' LIMIT 1`

type Found = { version: number; encoding: string; timeout: number; rates: boolean; suppliers: boolean }

export async function findFitness(
  db: Db,
): Promise<{ version: number; encoding: string; timeoutMs: number; hasRate: boolean; hasSupplier: boolean }> {
  const { rows } = await db.query<Found>({
    text: `SELECT current_setting('server_version_num')::integer / 10000 AS version, current_setting('server_encoding') AS encoding,
      (SELECT setting::integer FROM pg_settings WHERE name = 'statement_timeout') AS timeout,
      to_regclass('exchange_rates') IS NOT NULL AS rates, to_regclass('suppliers') IS NOT NULL AS suppliers`,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('PostgreSQL does not say what it is')
  return {
    version: row.version,
    encoding: row.encoding,
    timeoutMs: row.timeout,
    hasRate: row.rates && (await hasRows(db, `SELECT FROM exchange_rates WHERE currency = 'usd'`)),
    hasSupplier: row.suppliers && (await hasRows(db, ANY_SUPPLIER)),
  }
}

async function hasRows(db: Db, text: string): Promise<boolean> {
  return (await db.query({ text })).rowCount > 0
}
