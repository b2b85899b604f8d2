/**
 * Finds the verification code in the text of an SMS. First the service's own rule, then the general one. Returns null
 * when nothing looks like a code: then the text itself is shown. A code never contains ":", because clients of
 * handler_api split replies at it.
 */
export function extractCode(serviceCode: string, text: string): string | null {
  const own = SERVICE_RULES[serviceCode]?.exec(text)?.[1]
  return own === undefined ? generalCode(text) : tidy(own)
}

/** The code in a text by whose it is: `own` for the services whose own rule finds one, `general` for all others. */
export type Codes = { general: string | null; own: Record<string, string> }

/** As extractCode, when it is not known yet which service the text is for. */
export function extractCodes(text: string): Codes {
  const own: Record<string, string> = {}
  for (const [serviceCode, rule] of Object.entries(SERVICE_RULES)) {
    const found = rule.exec(text)?.[1]
    if (found !== undefined) own[serviceCode] = tidy(found)
  }
  return { general: generalCode(text), own }
}

function generalCode(text: string): string | null {
  const withoutLinks = text.replaceAll(/https?:\/\/\S+/g, ' ')
  for (const rule of GENERAL_RULES) {
    const found = withoutLinks.match(rule)?.[1]
    if (found !== undefined) return tidy(found)
  }
  return null
}

/** Services whose codes the general rule would misread. */
const SERVICE_RULES: Record<string, RegExp> = {
  // Google writes "G-123456", WhatsApp "123-456", Telegram 5 or 6 digits beside links that contain them again.
  go: /\bG-(\d{6})\b/,
  wa: /\b(\d{3}-\d{3})\b/,
  tg: /\b(\d{5,6})\b/,
  // Steam and Discord send letters and digits.
  mt: /\b([A-Z0-9]{5})\b(?=.*steam)/is,
}

/** The word before a code, in the languages services write in. */
const CODE_WORD =
  '(?:code|codes|kod|kodu|código|codigo|codice|пароль|парол|код|коды|кода|password|passcode|pin|пин|otp|token|验证码|驗證碼|認証コード|인증번호|رمز|kode|mã)'
/** Digits in one or two groups: 1234, 123 456, 12-34-56. */
const DIGITS = '(\\d{3}[ -]\\d{3}|\\d{2}-\\d{2}-\\d{2}|\\d{4,8})'

const GENERAL_RULES: readonly RegExp[] = [
  new RegExp(`${CODE_WORD}[^\\d\\n]{0,24}?(?<![\\d.,+])${DIGITS}(?![\\d.,]\\d|\\d)`, 'iu'),
  new RegExp(`(?<![\\d.,+#])${DIGITS}(?![\\d.,]\\d|\\d)[^\\d\\n]{0,40}?${CODE_WORD}`, 'iu'),
  new RegExp(`${CODE_WORD}\\s*(?:is|[:：=—–-])?\\s*((?=[A-Z0-9]*\\d)[A-Z0-9]{4,8})(?![A-Za-z0-9])`, 'u'),
  new RegExp(`(?<![\\d.,+#])${DIGITS}(?![\\d.,]\\d|\\d)`, 'u'),
]

function tidy(code: string): string {
  return code.replaceAll(/[ -]/g, '')
}
