import { type Db, SLOW_LIMIT_MS } from '#server/house/db/pool.ts'

/** The tables of the history, whose rows are written with the names of their columns. */
type PastTable =
  | ('users' | 'accounts' | 'sessions' | 'refresh_tokens' | 'favorites' | 'api_keys' | 'api_key_calls')
  | ('activations' | 'rentals' | 'charges' | 'preorders' | 'messages' | 'burnt_numbers' | 'used_reports' | 'events')
  | ('payments' | 'deposits' | 'vouchers' | 'sandbox_payments' | 'loyalty_rewards' | 'transfers')
  | ('notifications' | 'support_tickets' | 'support_messages' | 'supplier_call_hours' | 'supplier_events')
  | ('status_days' | 'incidents')

export type Row = Readonly<Record<string, unknown>>

/** Inserts rows in order, in one statement. All rows have the columns of the first; others take their defaults. */
export async function insertRows(tx: Db, table: PastTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first).join(', ')
  await tx.query({
    text: `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
    values: [JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))],
    limitMs: SLOW_LIMIT_MS,
  })
}

/** Takes ids of a table's sequence, so that rows can name each other before they are inserted. */
export async function takeIds(tx: Db, table: PastTable, count: number): Promise<bigint[]> {
  const { rows } = await tx.query<{ id: bigint }>({
    text: `SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id FROM generate_series(1, $2)`,
    values: [table, count],
  })
  return rows.map(({ id }) => id)
}
