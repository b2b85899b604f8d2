import { digitGroups } from './digit-groups.ts'
import { isSameWord } from './plain-text.ts'

/** `proved`: it has a prefix that only codes have. */
export type Candidate = { value: string; start: number; end: number; proved: boolean }

const MAX_CANDIDATES = 40
const MIN_LENGTH = 4
const MAX_LENGTH = 8
/** Characters around a candidate. */
const CONTEXT_LENGTH = 24

/** Nouns only, because verbs occur in every text. */
export const CODE_WORD =
  /(?:code|passcode|codes)(?![a-z])|(?<![a-z])(?:pin|otp|token|tac|gac|password|clave|contraseña|senha|m[aã]|c[oó]digo|codigos|codice|kode|verifikasi|doğrulama|şifre|şifreniz)(?![a-z])|(?<![a-z])k[oó]d[a-zéúíıąęů]{0,4}(?![a-z])|(?<![а-я])(?:код(?:а|у|ом|ы|е)?|парол[а-я]{1,2})(?![а-я])|koodi|κωδικ|קוד|კოდი|կոդ|รหัส|कोड|ओटीपी|কোড|رمز|کد|الكود|验证码|驗證碼|校验码|动态码|安全码|代码|密码|コード|認証番号|確認番号|인증번호|인증 ?코드|비밀번호/g

export function saysCode(folded: string): boolean {
  return folded.search(CODE_WORD) >= 0
}

/** `folded` is `plain` in lower case with the same positions. */
export function findCandidates(plain: string, folded: string): Candidate[] {
  return [...digitCandidates(plain, folded), ...mixedCandidates(plain, folded)]
}

function digitCandidates(plain: string, folded: string): Candidate[] {
  const candidates: Candidate[] = []
  for (const { 0: run, index } of plain.matchAll(/\d[\d -]*/g)) {
    if (OTHER_NUMBER.test(folded.slice(Math.max(0, index - CONTEXT_LENGTH), index))) continue
    for (const { digits, at, length } of digitGroups(run)) {
      const place = { start: index + at, end: index + at + length }
      if (digits.length < MIN_LENGTH || digits.length > MAX_LENGTH || !standsFree(plain, folded, place)) continue
      const proved = CODE_PREFIX.test(folded.slice(Math.max(0, place.start - 4), place.start))
      candidates.push({ value: digits, ...place, proved })
    }
    if (candidates.length >= MAX_CANDIDATES) break
  }
  return candidates
}

/** Only Google and Facebook use this prefix. */
const CODE_PREFIX = /(?<![a-z])(?:g|fb)-$/

/** Prefixes of money, cards, telephone numbers and orders. */
const OTHER_NUMBER = new RegExp(
  `(?:${[
    '[+*$€£¥₹₽₺₸₴]',
    '(?<![a-z])x{2,8}-?',
    '(?<!\\p{L})(?:rs|inr|usd|eur|rub|gbp|try|idr|rp)\\.?',
    '(?<!\\p{L})(?:call|dial|tel|phone|hotline|hubungi|text|sms|stop(?: all)? to|stop|help|llame|llama|ligue|звоните|тел|телефон|по номеру)[:.]?',
    '致电|电话|客服|热线|尾号|尾號|订单号?',
    'ending(?: in| with)?|ends(?: in| with)?',
    '(?<!\\p{L})(?:card|a/c|acct?|карт[аеуы]|сч[её]т[а-я]{0,2})(?: no\\.?| number)?',
    '(?<!\\p{L})(?:order|ref|reference|invoice|ticket|заказ[а-я]{0,2}|pesanan)(?: no\\.?| id| number)?[:.]?',
  ].join('|')}) ?[(#№]?\\+?$`,
  'u',
)

/** Suffixes of money, shares and durations. */
const UNIT =
  /^ ?(?:%|руб|₽|р\.|грн|тг(?!\p{L})|тенге|сум(?!\p{L})|rs(?!\p{L})|inr|usd|eur|rub|gbp|元|円|원|[€$₺₸₴]|(?:min|sec|hour|day|мин|сек|час|дн|gb|mb|гб|мб)|分|秒|小时)/u

/** False within a date, a decimal, a word, a link or an amount. */
function standsFree(plain: string, folded: string, { start, end }: { start: number; end: number }): boolean {
  const before = folded.slice(Math.max(0, start - CONTEXT_LENGTH), start)
  const after = folded.slice(end, end + CONTEXT_LENGTH)
  if (/[\d.,:/]\d?[.,:/]$|\d[.,:/]$|\/$/.test(before) || /^[.,:]\d|^\//.test(after) || UNIT.test(after)) return false
  const joinedAfter = end < plain.length && isSameWord(plain.charCodeAt(end - 1), plain.charCodeAt(end))
  // A text whose line break was lost goes on with a capital.
  if (joinedAfter && !/\p{Lu}/u.test(plain.charAt(end))) return false
  const joinedBefore = start > 0 && isSameWord(plain.charCodeAt(start - 1), plain.charCodeAt(start))
  if (!joinedBefore && !before.endsWith('#')) return true
  return endsWithCodeWord(before.replace(/[:# ]{1,4}$/, ''))
}

function endsWithCodeWord(before: string): boolean {
  const last = [...before.matchAll(CODE_WORD)].at(-1)
  return last !== undefined && last.index + last[0].length >= before.length - ' is'.length
}

/** Codes with letters count only right after a code word: `AB12CD`, `ABC-DEF`. */
function mixedCandidates(plain: string, folded: string): Candidate[] {
  const candidates: Candidate[] = []
  for (const word of folded.matchAll(CODE_WORD)) {
    const from = word.index + word[0].length
    const found = MIXED.exec(plain.slice(from, from + CONTEXT_LENGTH))
    const [whole = '', code = ''] = found ?? []
    const isMixed = /\d/.test(code) ? /[A-Za-z]/.test(code) : code.includes('-')
    if (!isMixed) continue
    const start = from + whole.length - code.length
    candidates.push({ value: code.replace('-', ''), start, end: start + code.length, proved: false })
    if (candidates.length >= MAX_CANDIDATES) break
  }
  return candidates
}

const MIXED =
  /^(?: is| was|[ :=#"'-]){1,4}([A-Z0-9]{3}-[A-Z0-9]{3}|[A-Z0-9]{4,8}|[a-z0-9]{8})(?![A-Za-z0-9]|-[A-Za-z0-9])/
