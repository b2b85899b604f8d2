import { parseDecimal } from '#contract/money.ts'

/** The digits after which an amount counts as a float. Floats print up to 17, and the last two are rounding errors. */
const MEANT_DIGITS = 15

/**
 * Reads an amount, or returns null for other text. Float errors of clients (13.049999999999999 for 4.35 × 3) are
 * rounded away, and digits beyond the sixth decimal cut.
 */
export function readAmount(text: string): bigint | null {
  const digits = /^\d{1,12}\.\d+$/.test(text) ? text.replace('.', '').replace(/^0+/, '').length : 0
  const meant = digits > MEANT_DIGITS ? Number(Number(text).toPrecision(MEANT_DIGITS)).toFixed(MEANT_DIGITS) : text
  return parseDecimal(meant.replace(/(\.\d{6})\d+$/, '$1'))
}
