import type { Words } from './reasons.ts'

/**
 * Describes an export of one table. `rows` is SQL after FROM that names the table `t` and takes the user's id as $1.
 */
export type Section = {
  table: string
  rows: string
  columns: readonly string[]
  currency?: string
  /** The reasons why columns are left out, by column; `user_id` needs none. */
  leftOut?: Readonly<Record<string, Words>>
}

export const OF_ACCOUNT = '(SELECT currency FROM accounts WHERE user_id = $1)'
export const OF_PAYMENT = '(SELECT p.currency FROM payments p WHERE p.transaction_id = t.transaction_id)'

export function ownRows(table: string, order = 'id'): Pick<Section, 'table' | 'rows'> {
  return { table, rows: `${table} t WHERE t.user_id = $1 ORDER BY ${order}` }
}

export function ownAndPlayRows(table: string, order = 'id'): Pick<Section, 'table' | 'rows'> {
  return { table, rows: `${table} t WHERE ${OF_BOTH} ORDER BY ${order}` }
}

export const OF_BOTH = 't.user_id IN (SELECT id FROM users WHERE id = $1 OR sandbox_of = $1)'

/** Selects a table's rows for the user's payments. `by` is the column that joins the table with payments. */
export function ofPayments(table: string, by: 'id' | 'transaction_id', order: string): Pick<Section, 'table' | 'rows'> {
  const column = by === 'id' ? 'payment_id' : by
  return {
    table,
    rows: `${table} t WHERE t.${column} IN (SELECT ${by} FROM payments WHERE user_id = $1) ORDER BY ${order}`,
  }
}
