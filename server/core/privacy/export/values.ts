import { toDecimal } from '#contract/money.ts'
import type { Section } from '#server/core/privacy/sections/section.ts'
import type { Cell } from '#server/house/csv/csv.ts'

export type Row = Record<string, unknown>

/** The pattern of amounts: `price_micros` as a column, `priceMicros` in a JSON document. */
const AMOUNT = /^(.+?)_?[mM]icros$/
const WHOLE = /^-?\d+$/

/** Returns the shown names of a section's columns: amounts lose their unit, and a missing currency is added. */
export function shownColumns({ columns, currency }: Section): string[] {
  return [...columns.map(shownName), ...(currency === undefined ? [] : ['currency'])]
}

/** Returns a row as JSON. Amounts become decimal text, and so do integers beyond a reader's safe range. */
export function toJson(row: Row): string {
  return JSON.stringify(shown(row))
}

export function toCells(section: Section, row: Row): Cell[] {
  const columns = section.currency === undefined ? section.columns : [...section.columns, 'currency']
  return columns.map((column) => {
    const value = shown(row[column], column)
    if (row[column] instanceof Date) return { at: String(value) }
    return AMOUNT.test(column) && typeof value === 'string' ? { figure: value } : toCell(value)
  })
}

export function shownName(name: string): string {
  return AMOUNT.exec(name)?.[1] ?? name
}

function shown(value: unknown, name = ''): unknown {
  if (AMOUNT.test(name) && WHOLE.test(String(value))) return toDecimal(BigInt(String(value)))
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((one) => shown(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [shownName(key), shown(one, key)]))
}

function toCell(value: unknown): Cell {
  if (value === null || value === undefined) return { text: null }
  if (typeof value === 'number') return { figure: value }
  return { text: typeof value === 'string' ? value : JSON.stringify(value) }
}
