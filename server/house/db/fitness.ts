import type { Db } from './pool.ts'

export const OLDEST_POSTGRES = 15
/**
 * SQL that finds a supplier of real numbers. `to_jsonb` works even if the database of an older release lacks a column.
 */
const ANY_SUPPLIER = `SELECT FROM suppliers s WHERE to_jsonb(s)->>'removed_at' IS NULL
  AND to_jsonb(s)->>'sandbox' IS DISTINCT FROM 'true' LIMIT 1`

type Found = {
  version: number
  encoding: string
  timeouts: Timeouts
  rates: boolean
  suppliers: boolean
}

/** The time-outs of this connection. */
type Timeouts = { statementMs: number; transactionIdleMs: number }

export async function findFitness(
  db: Db,
): Promise<{ version: number; encoding: string; timeouts: Timeouts; hasRate: boolean; hasSupplier: boolean }> {
  const { rows } = await db.query<Found>({
    text: `SELECT current_setting('server_version_num')::integer / 10000 AS version, current_setting('server_encoding') AS encoding,
      (SELECT json_build_object('statementMs', min(setting::integer) FILTER (WHERE name = 'statement_timeout'),
          'transactionIdleMs', min(setting::integer) FILTER (WHERE name = 'idle_in_transaction_session_timeout'))
        FROM pg_settings WHERE name LIKE '%_timeout') AS timeouts,
      to_regclass('exchange_rates') IS NOT NULL AS rates, to_regclass('suppliers') IS NOT NULL AS suppliers`,
  })
  const row = rows[0]
  if (row === undefined) throw new Error('PostgreSQL does not say what it is')
  return {
    version: row.version,
    encoding: row.encoding,
    timeouts: row.timeouts,
    hasRate: row.rates && (await hasRows(db, `SELECT FROM exchange_rates WHERE currency = 'usd'`)),
    hasSupplier: row.suppliers && (await hasRows(db, ANY_SUPPLIER)),
  }
}

/** Returns what a database has in common with all its copies, and with no other database. */
export async function findIdentity(db: Db): Promise<string> {
  const { rows } = await db.query<{ identity: string }>({
    text: `SELECT system_identifier || ' ' || current_database() AS identity FROM pg_control_system()`,
  })
  return rows[0]?.identity ?? ''
}

async function hasRows(db: Db, text: string): Promise<boolean> {
  return (await db.query({ text })).rowCount > 0
}
