import { chooseCode } from './choose-code.ts'
import { type CodeText, readCodeText } from './code-text.ts'
import { toAsciiDigits, toPlain } from './plain-text.ts'

/**
 * Finds the verification code in the text of an SMS: first by the service's own rule, then by the general one. Null when
 * nothing looks like a code: then the text itself is shown. `phone`: the number that received it, which is never the
 * code. A code is 4 to 8 letters and digits: without ":", because clients of handler_api split replies at it.
 */
export function extractCode(serviceCode: string, text: string, phone?: string): string | null {
  const { general, own } = extractCodes(text, phone)
  return own[serviceCode] ?? general
}

/** The code in a text by whose it is: `own` for the services whose own rule finds one, `general` for all others. */
export type Codes = { general: string | null; own: Record<string, string> }

/** As extractCode, when it is not known yet which service the text is for. */
export function extractCodes(text: string, phone?: string): Codes {
  const plain = toAsciiDigits(toPlain(text))
  const read = readCodeText(plain)
  const general = chooseCode(read, phone)
  const steam = steamCode(plain)
  const telegram = telegramCode(read, general, phone)
  return { general, own: { ...(steam !== null && { mt: steam }), ...(telegram !== null && { tg: telegram }) } }
}

/** Steam's codes are five capitals and digits, sometimes letters alone: only next to its words is that a code. */
function steamCode(plain: string): string | null {
  if (!/steam/i.test(plain)) return null
  const [, after, before] = STEAM.exec(plain) ?? []
  const code = after ?? before
  return code === undefined || STEAM_WORDS.has(code) ? null : code
}

const STEAM =
  /(?:[Cc]ode|[Кк]од|CODE)(?: (?:is|Steam(?: Guard)?))?[ :]{1,3}([A-Z0-9]{5})(?![A-Za-z0-9])|(?<![A-Za-z0-9])([A-Z0-9]{5}) is your Steam/
const STEAM_WORDS: ReadonlySet<string> = new Set(['STEAM', 'GUARD'])

/** Telegram's codes are digits alone: what has letters is not one, and another number of that length is. */
function telegramCode(text: CodeText, general: string | null, phone: string | undefined): string | null {
  if (general === null || !/[A-Za-z]/.test(general)) return null
  const digits = /(?<![\w+-])\d{5,6}(?!\w)/.exec(text.plain)?.[0]
  return digits === undefined || phone?.endsWith(digits) === true ? null : digits
}
