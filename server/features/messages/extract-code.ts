import { chooseCode } from './codes/choose-code.ts'
import { readCodeText } from './codes/code-text.ts'
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
  const steam = steamCode(plain)
  return { general: chooseCode(readCodeText(plain), phone), own: steam === null ? {} : { mt: steam } }
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
