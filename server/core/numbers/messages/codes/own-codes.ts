import type { FoundCode } from './choose-code.ts'
import type { MessageText } from './message-text.ts'

export function ownCodes(text: MessageText, general: FoundCode | null): Record<string, FoundCode> {
  const steam = steamCode(text.plain)
  return { ...(steam !== null && steam !== general?.value && { mt: { value: steam, proved: true } }) }
}

/** Finds a Steam code beside Steam's own words: five capitals and digits, sometimes letters alone. */
function steamCode(plain: string): string | null {
  if (!/steam/i.test(plain)) return null
  const [, after, before] = STEAM.exec(plain) ?? []
  const code = after ?? before
  return code === undefined || STEAM_WORDS.has(code) ? null : code
}

const STEAM =
  /(?:(?:[Cc]ode|[Кк]од|CODE)(?: (?:is|Steam(?: Guard)?))?[ :]{1,3}|(?:验证码|驗證碼|令牌码|代码|コード|코드)[ :]{0,3}(?:是|为|為|は|는)?[ :]{0,3})([A-Z0-9]{5})(?![A-Za-z0-9])|(?<![A-Za-z0-9])([A-Z0-9]{5}) is your Steam/
const STEAM_WORDS: ReadonlySet<string> = new Set(['STEAM', 'GUARD'])
