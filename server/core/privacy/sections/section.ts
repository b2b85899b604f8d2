import type { Words } from './reasons.ts'

/** What an export has of one table: `rows` follows FROM, has the table as `t`, and takes the person's id as $1. */
export type Section = {
  table: string
  rows: string
  columns: readonly string[]
  /** SQL of the currency of the amounts, where the table has no column of it. */
  currency?: string
  /** By column: why nobody is given it. `user_id` is the person of the file and needs no reason. */
  leftOut?: Readonly<Record<string, Words>>
}

export const OF_ACCOUNT = '(SELECT currency FROM accounts WHERE user_id = $1)'
export const OF_PAYMENT = '(SELECT p.currency FROM payments p WHERE p.transaction_id = t.transaction_id)'

/** Rows with the person's id. `order`: the columns that make it certain. */
export function ownRows(table: string, order = 'id'): Pick<Section, 'table' | 'rows'> {
  return { table, rows: `${table} t WHERE t.user_id = $1 ORDER BY ${order}` }
}

/** The same, with those of their sandbox keys. */
export function ownAndPlayRows(table: string, order = 'id'): Pick<Section, 'table' | 'rows'> {
  return { table, rows: `${table} t WHERE ${OF_BOTH} ORDER BY ${order}` }
}

/** SQL: the row `t` is the person's, or their shadow's. */
export const OF_BOTH = 't.user_id IN (SELECT id FROM users WHERE id = $1 OR sandbox_of = $1)'

/** Rows that belong to a payment of the person. `by`: the column of both. */
export function ofPayments(table: string, by: 'id' | 'transaction_id', order: string): Pick<Section, 'table' | 'rows'> {
  const column = by === 'id' ? 'payment_id' : by
  return {
    table,
    rows: `${table} t WHERE t.${column} IN (SELECT ${by} FROM payments WHERE user_id = $1) ORDER BY ${order}`,
  }
}
