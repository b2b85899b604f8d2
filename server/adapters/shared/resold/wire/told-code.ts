/** Groups as services print them: of digits with spaces or dashes, else with dashes alone. */
const DIGITS = /^\d+(?:[ -]\d+)*$/
/** Printed before digits by Google and Facebook, and no part of the code. */
const PREFIX = /^(?:G|FB)-(?=\d+$)/
const MIXED = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/
/** Without separators. */
const LEAST = 4
const MOST = 10

/**
 * Reads the field where a platform writes the code. null: nothing, or words, which are judged as a text. A code has 4 to 10
 * letters and digits, and a digit among them or capitals alone.
 */
export function readToldCode(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const told = String(value).normalize('NFKC').trim().replace(PREFIX, '')
  const isDigits = DIGITS.test(told)
  if (!isDigits && !MIXED.test(told)) return null
  const { length } = told.replaceAll(/[ -]/g, '')
  if (length < LEAST || length > MOST) return null
  if (isDigits) return told.replaceAll(/[ -]/g, '')
  return /\d/.test(told) || told === told.toUpperCase() ? told : null
}
