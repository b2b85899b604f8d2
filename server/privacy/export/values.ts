import type { Cell } from '#server/numbers/history/csv.ts'

export type Row = Record<string, unknown>

/** Amounts are whole millionths and may be beyond what JSON readers count in: they are texts. */
export function toJson(row: Row): string {
  return JSON.stringify(row, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}

export function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return { text: null }
  if (value instanceof Date) return { figure: value.toISOString() }
  if (typeof value === 'bigint' || typeof value === 'number') return { figure: value.toString() }
  return { text: typeof value === 'string' ? value : JSON.stringify(value) }
}
