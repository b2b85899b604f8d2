/** A code of digits, in groups with spaces or dashes between. Codes with letters have dashes only. */
const DIGITS = /^\d+(?:[ -]\d+)*$/
/** The prefix that Google and Facebook print before the digits. It is no part of the code. */
const PREFIX = /^(?:G|FB)-(?=\d+$)/
const MIXED = /^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/
const LEAST = 4
const MOST = 10

/**
 * Reads the field where a service writes a code: 4 to 10 letters and digits, with a digit or only capitals. Returns
 * null for other values, so that our own rules search the text for a code.
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
