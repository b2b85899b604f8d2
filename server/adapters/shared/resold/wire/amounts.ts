import { parseDecimal } from '#contract/money.ts'
import { textOf } from './json-fields.ts'

/**
 * Reads an amount in micros, rounded up, so that a cost is never underestimated. A JSON number of at most 15 digits is
 * exactly what the supplier wrote. Returns null if the value is no amount.
 */
export function readAmount(value: unknown): bigint | null {
  const [, kept, cut] = /^(\d{1,12}(?:\.\d{1,6})?)(\d*)$/.exec(textOf(value)?.trim() ?? '') ?? []
  if (kept === undefined) return null
  const micros = parseDecimal(kept)
  if (micros === null) return null
  return micros + (/[1-9]/.test(cut ?? '') ? 1n : 0n)
}
