/** `signed`: “Signal: …”; `owner`: “your Signal code”; `target`: “code for Signal”; `aside`: “at AMAZON”. */
export type Standing = 'signed' | 'owner' | 'target' | 'plain' | 'aside'

/** Covers every phrase below and bounds the work. */
const BEFORE_LENGTH = 64
const AFTER_LENGTH = 48

/** `folded`: lower case, with links blanked; `start` and `end` bound the word. */
export function standingOf(folded: string, { start, end }: { start: number; end: number }): Standing {
  const before = folded.slice(Math.max(0, start - BEFORE_LENGTH), start)
  const after = folded.slice(end, end + AFTER_LENGTH)
  if (isSigned(before, after, start <= BEFORE_LENGTH)) return 'signed'
  if (AFTER.test(after) || AFTER_JOINED.test(after)) return 'owner'
  // After a code word or the code, “for” and “in” are part of its phrase.
  if (BEFORE.test(before)) return 'target'
  return ASIDE.test(before) ? 'aside' : 'plain'
}

/** In its own brackets, or first with a colon or dash behind it. */
function isSigned(before: string, after: string, fromStart: boolean): boolean {
  const opened = /[[【(「『]\s?$/.test(before) && /^\s?[\]】)」』]/.test(after)
  if (opened && /[[【「『]\s?$/.test(before)) return true
  if (!fromStart || !LEAD.test(before)) return false
  return opened || /from: $/.test(before) || /^\s?[:-]/.test(after)
}

/** What may stand before the first word: app marks, carrier marks, `From:`. */
const LEAD = /^\s{0,9}(?:(?:<#>|\[#\]|\[web발신\]|\[국외발신\]|from:)\s{0,9}){0,3}[([【]?$/

const CODE_WORD =
  '(?:(?:verification|confirmation|authentication|authorization|activation|security|login|log-in|sign-?in|access|one-time|register|registration)(?: code| pin| password| otp)?|(?:pass|pin)?codes?|password|pin|otp|token|парол[а-я]{0,3}|код[а-я]{0,2}|подтверждени[а-я]|kod[a-z]{0,3}|kód[a-z]{0,3}|kode|c[oó]digo|codice|m[aã]|verifikasi|clave|验证码|校验码|驗證碼|动态码|認証番号|認証コード|確認コード|コード|인증번호|인증|رمز|کد|कोड)'

const AFTER = new RegExp(
  `^(?:'s)?["'»“”]?[\\])】]?[ -]{0,2}(?:(?:account|app|id|user|profile|mobile|driver|guard)[ -]{1,2}){0,2}${CODE_WORD}(?![a-z])`,
)
/** In scripts without spaces, a few letters may stand between. */
const AFTER_JOINED =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul} ]{0,8}?(?:验证|校验|動態|动态|驗證|认证|認証|確認|代码|コード|인증)/u

const LINK_WORD =
  '(?:for|from|to|in|on|into|of|your|the|is|as|only|log|login|sign|verify|de|do|da|del|di|du|para|tu|su|pour|votre|verificaci[oó]n|verifica[cç][aã]o|v[eé]rification|confirma[cç][aã]o|confirmaci[oó]n|f[uü]r|dein|для|от|в|на|из|із|входа|вход|регистрации|подтверждения|akun|untuk|masuk|otp)'
const BEFORE = new RegExp(
  `(?:(?<![\\p{L}])${CODE_WORD}|(?:验证码|인증번호)|\\d{3}[ -]?\\d{1,5}[)\\]]?|enter (?:it|this code|the code|this))(?:[ :]{1,2}${LINK_WORD}){0,5}[ :]{0,2}["'«“]?$`,
  'u',
)

const ASIDE =
  /(?<!\p{L})(?:in|on|via|through|at|to|by|with|or|our|join|follow|visit|using|в|во|на|через|по|наш[а-я]{0,3}|или|у|и|with|en|em|par|sur|bei|di|pada)\s["'«“]?$/u
