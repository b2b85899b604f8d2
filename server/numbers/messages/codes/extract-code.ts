import { chooseCode } from './choose-code.ts'
import { type CodeText, readCodeText } from './code-text.ts'
import { toAsciiDigits, toPlain } from './plain-text.ts'

/** Null: the text itself is shown. `phone` received it. No code has ":", where handler_api clients split. */
export function extractCode(serviceCode: string, text: string, phone?: string): string | null {
  const { general, own } = extractCodes(text, phone)
  return own[serviceCode] ?? general
}

/** `own`: codes by the rules of single services. */
export type Codes = { general: string | null; own: Record<string, string> }

/** For a text whose service is unknown. */
export function extractCodes(text: string, phone?: string): Codes {
  const plain = toAsciiDigits(toPlain(text))
  const read = readCodeText(plain)
  const general = chooseCode(read, phone)
  const steam = steamCode(plain)
  const telegram = telegramCode(read, general, phone)
  return { general, own: { ...(steam !== null && { mt: steam }), ...(telegram !== null && { tg: telegram }) } }
}

/** Five capitals and digits, sometimes letters alone, are a Steam code only next to Steam's words. */
function steamCode(plain: string): string | null {
  if (!/steam/i.test(plain)) return null
  const [, after, before] = STEAM.exec(plain) ?? []
  const code = after ?? before
  return code === undefined || STEAM_WORDS.has(code) ? null : code
}

const STEAM =
  /(?:[Cc]ode|[Кк]од|CODE)(?: (?:is|Steam(?: Guard)?))?[ :]{1,3}([A-Z0-9]{5})(?![A-Za-z0-9])|(?<![A-Za-z0-9])([A-Z0-9]{5}) is your Steam/
const STEAM_WORDS: ReadonlySet<string> = new Set(['STEAM', 'GUARD'])

/** Telegram's codes have digits only, so another number of that length is preferred. */
function telegramCode(text: CodeText, general: string | null, phone: string | undefined): string | null {
  if (general === null || !/[A-Za-z]/.test(general)) return null
  const digits = /(?<![\w+-])\d{5,6}(?!\w)/.exec(text.plain)?.[0]
  return digits === undefined || phone?.endsWith(digits) === true ? null : digits
}
