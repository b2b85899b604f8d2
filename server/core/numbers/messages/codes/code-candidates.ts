import type { Mark, WordKind } from '../words/lexicon.ts'
import { digitGroups } from './digit-groups.ts'
import type { MessageText } from './message-text.ts'
import { isSameWord } from './plain-text.ts'

/**
 * A possible code. `proved` has a prefix that only codes have. `strict` also looks like something else (a year, a date,
 * an amount, a word), so it counts only right beside a word for a code. `dated` may be a year or a date.
 */
export type Candidate = {
  value: string
  start: number
  end: number
  proved: boolean
  strict: boolean
  dated: boolean
  mixed: boolean
}

const MAX_CANDIDATES = 40
const MIN_LENGTH = 4
const MAX_LENGTH = 8
const CONTEXT_LENGTH = 24

export function findCandidates(text: MessageText): Candidate[] {
  const found = digitCandidates(text)
  // The candidates below count only beside a word for a code, so other texts are not searched for them.
  const saysCode = text.marks.some(({ kind }) => kind === 'code' || kind === 'secret')
  if (saysCode && HAS_DOTTED.test(text.plain)) found.push(...dottedCandidates(text))
  if (saysCode && HAS_MIXED.test(text.plain)) found.push(...mixedCandidates(text))
  return found.toSorted((one, other) => one.start - other.start).slice(0, MAX_CANDIDATES)
}

/** Quick checks, which save most texts the slower patterns. */
const HAS_DOTTED = /\d(?:[._·]| - )\d/
const HAS_MIXED = /[A-Za-z]-?\d|\d-?[A-Za-z]|[A-Z]-[A-Z]/

function digitCandidates(text: MessageText): Candidate[] {
  const { plain, folded } = text
  const candidates: Candidate[] = []
  for (const { 0: run, index } of plain.matchAll(/\d[\d -]*/g)) {
    for (const { digits, at, length } of digitGroups(run)) {
      const place = { start: index + at, end: index + at + length }
      if (digits.length < MIN_LENGTH || digits.length > MAX_LENGTH) continue
      if (!standsFree(text, place) || isOtherNumber(text, place)) continue
      const proved = CODE_PREFIX.test(folded.slice(Math.max(0, place.start - 4), place.start))
      const dated = isDateLike(digits)
      if (dated && YEAR_BEHIND.test(folded.slice(place.end, place.end + 6))) continue
      const strict = dated || FREE_PHONE.test(digits) || length > digits.length + 3
      candidates.push({ value: digits, ...place, proved, strict: strict && !proved, dated, mixed: false })
    }
    if (candidates.length >= MAX_CANDIDATES) break
  }
  return candidates
}

/** The shortest numbers of free calls (`800 1234`, `0800 1111`) have seven digits. A shorter number is a code. */
const FREE_PHONE = /^(?=\d{7})0?800/

/** Only Google and Facebook put such a prefix (`G-`, `FB-`) before a code. */
const CODE_PREFIX = /(?<![a-z])(?:g|fb)-$/

/** Matches a word for “year” after a number: `2027-ig`, `2027 года`, `2027年`. */
const YEAR_BEHIND = /^-\p{L}|^ ?(?:г(?!\p{L})|год|г\.|рік|року|év|year|年|년|г\.|yil|жыл|წელ)/u

function isDateLike(digits: string): boolean {
  return /^(?:19[5-9]|20[0-4])\d$/.test(digits) || /^20[2-4]\d[01]\d[0-3]\d$|^[0-3]\d[01]\d20[2-4]\d$/.test(digits)
}

const BEFORE_KINDS: readonly WordKind[] = ['money', 'card', 'account', 'other', 'errand', 'pay', 'notcode', 'coupon']
/** Matches the gap between a word such as “order” or “card” and its number, which is no code. */
const GAP =
  /^[\s:#№.,*•·n°º"'(xх_-]{0,7}(?:(?:is|no|nr|number|номер|in|на|auf|la|de|the|raqami|số|so)[\s.:#]{1,3})?[*•·xх_-]{0,4}$/
/** Matches words for the last digits of a card that stand behind the number. */
const ENDING = /bit|végz|vegz|päätt|lõp|끝|終わ|结尾|結尾|ending|endend|kończ|konč|tugay|аяқтал|समाप्त|শেষ|beidz|baig/

function isOtherNumber(text: MessageText, { start, end }: { start: number; end: number }): boolean {
  const { folded, marks } = text
  const before = folded.slice(Math.max(0, start - CONTEXT_LENGTH), start)
  if (
    (/[+*•·…$€£¥₹₽₺₸₴№~≈] ?$/.test(before) && !BULLET.test(before)) ||
    /(?<![a-zа-я])[xх]{2,8}[- ]?$|(?<!\d)\*{1,6}[ -]?$/u.test(before)
  )
    return true
  if ((before.endsWith(' ') && TEXTED_TO.test(before)) || SPENT.test(folded.slice(end, end + CONTEXT_LENGTH)))
    return true
  return marks.some((mark) => {
    if (mark.end <= start && start - mark.end <= CONTEXT_LENGTH && BEFORE_KINDS.includes(mark.kind)) {
      const gap = folded.slice(mark.end, start)
      return (
        GAP.test(gap) && !isSentenceStart(folded, mark, start) && !isPurpose(text, mark, { gap, length: end - start })
      )
    }
    if (mark.start < end || mark.start > end + 2) return false
    const gap = folded.slice(end, mark.start)
    if (mark.kind === 'unit' || mark.kind === 'money') return /^[ -]?$/.test(gap)
    return (
      (mark.kind === 'card' || mark.kind === 'account') &&
      /^[ :-]?$/.test(gap) &&
      ENDING.test(folded.slice(mark.start, mark.end))
    )
  })
}

/** Matches the bullet of a list, as in `Code: • 482913`. There it is not the mask of a card's number. */
const BULLET = /[:\n] ?[•·] $/
/** Matches a number to which a text should be sent: `Text JOIN to 55123`. */
const TEXTED_TO =
  /(?<!\p{L})(?:text|send|sms|reply|отправьте|отправь|envía|envia|envie|envoyez|sende|invia|wyślij|kirim|gửi|soan) ["'«“]?\p{L}{2,12}["'»”]? (?:to|на|al|au|an|para|do|ke|gui|gửi) $/u
/** Matches an old code that a new code replaces. */
const SPENT =
  /^,? ?(?:is |has |ist |wurde |a |ha |est |is now |больше )?(?:invalid|expired|no longer|cancell?ed|недействител|не действу|истек|ungültig|abgelaufen|expiré|caducad|expirad|expirou|scadut|wygasł|已失效|已过期|已過期|失効|만료)/u

/**
 * Returns true if the noun before a number tells the purpose of the code: “code to confirm your phone 4829”. A
 * telephone number would be longer.
 */
function isPurpose({ folded, marks }: MessageText, { kind, start, end }: Mark, { gap, length }: Follower): boolean {
  if (kind !== 'other' && kind !== 'account') return false
  const isLed = /^ ?: ?$/.test(gap) || (kind === 'other' && /^ (?:is|es|est|ist|lautet|é|è) $/.test(gap))
  if (!isLed && (length > 6 || !OF_PHONE.test(gap) || !PHONE.test(folded.slice(start, end)))) return false
  const word = marks.findLast(
    (mark) => mark.kind === 'code' && mark.end < start && /^[\p{L}\p{M} ]{1,40}$/u.test(folded.slice(mark.end, start)),
  )
  if (word === undefined) return false
  return isLed || marks.some((mark) => mark.kind === 'auth' && mark.end <= start && word.start - mark.end <= MAX_APART)
}

type Follower = { gap: string; length: number }

/** The maximum number of characters between a purpose and a word for a code: “Verification code of the phone”. */
const MAX_APART = 2
const PHONE = /^(?:phone|tel|тел|tél|puh|טלפון|هاتف|تلفن|फोन|ফোন|โทร|電話|电话|전화)/
const OF_PHONE = /^(?: number| nr\.?| номер[а-я]?)? ?[:-]? ?$/

/**
 * Returns true if the number begins a sentence: `Thank you for your order. 482913`. Some nouns are abbreviated with a
 * dot, which ends no sentence.
 */
function isSentenceStart(folded: string, mark: Mark, start: number): boolean {
  const gap = folded.slice(mark.end, start)
  if (mark.kind === 'card') return false
  return mark.kind === 'other' ? /^[.!?]\s/.test(gap) && mark.end - mark.start >= MIN_UNCUT : /[.!?]\s|\n/.test(gap)
}

/** The minimum length of a word before a dot that ends a sentence. Shorter words may be abbreviations. */
const MIN_UNCUT = 5

function standsFree({ plain, folded, marks }: MessageText, { start, end }: { start: number; end: number }): boolean {
  const before = folded.slice(Math.max(0, start - CONTEXT_LENGTH), start)
  const after = folded.slice(end, end + CONTEXT_LENGTH)
  if (/[\d.,:/]\d?[.,:/]$|\d[.,:/]$|\/$/.test(before) || /^[.,:]\d|^\/|^[@%°]/.test(after)) return false
  const joinedAfter = end < plain.length && isSameWord(plain.charCodeAt(end - 1), plain.charCodeAt(end))
  // After a lost line break the text continues with a capital letter.
  if (joinedAfter && !/\p{Lu}\p{L}/u.test(plain.slice(end, end + 2)) && !startsWord(marks, end)) return false
  const joinedBefore = start > 0 && isSameWord(plain.charCodeAt(start - 1), plain.charCodeAt(start))
  if (!joinedBefore && !before.endsWith('#')) return true
  return endsWithCodeWord(marks, start - (/[:# ]{1,4}$/.exec(before)?.[0].length ?? 0))
}

function startsWord(marks: readonly Mark[], at: number): boolean {
  return marks.some(({ kind, start }) => start === at && (kind === 'code' || kind === 'secret'))
}

function endsWithCodeWord(marks: readonly Mark[], at: number): boolean {
  return marks.some(({ kind, end }) => (kind === 'code' || kind === 'secret') && end <= at && end >= at - ' is'.length)
}

/** Finds numbers like `482.913`, which may be amounts of money. So they count only right behind a word for a code. */
function dottedCandidates(text: MessageText): Candidate[] {
  const found = text.plain.matchAll(/(?<![\d.,:/-])(\d{3})(?:[._·]| - )(\d{3})(?![\d:/-]|[.,]\d)/g)
  return [...found].slice(0, MAX_CANDIDATES).flatMap(({ 0: all, 1: first, 2: second, index }) => {
    const place = { start: index, end: index + all.length }
    if (isOtherNumber(text, place)) return []
    return [{ value: `${first}${second}`, ...place, proved: false, strict: true, dated: false, mixed: false }]
  })
}

/** Finds codes of letters and digits (`AB12CD`, `ABC-12D`, `Q7-4410`) or of letters alone (`ABC-DEF`). */
function mixedCandidates({ plain }: MessageText): Candidate[] {
  const candidates: Candidate[] = []
  for (const { 0: token, index } of plain.matchAll(MIXED)) {
    const isMixed = /\d/.test(token) && /[A-Za-z]/.test(token)
    // A word like `XX1234` is a masked card number.
    if (/^[Xx]{2,6}\d{2,6}$/.test(token)) continue
    // A coupon for a discount is skipped: `-30% with WINTER26`.
    if (DISCOUNT.test(plain.slice(Math.max(0, index - 40), index))) continue
    if (!isMixed && !/^[A-Z]{3}-[A-Z]{3}$/.test(token)) continue
    const place = { start: index, end: index + token.length }
    candidates.push({ value: token.replace('-', ''), ...place, proved: false, strict: true, dated: false, mixed: true })
    if (candidates.length >= MAX_CANDIDATES) break
  }
  return candidates
}

const DISCOUNT = /\d ?%[^.!?\n]*$/

const MIXED =
  /(?<![\p{L}\p{N}_@#*+/.-])(?:[A-Z0-9]{3}-[A-Z0-9]{3}|(?=[A-Z]{0,2}\d)[A-Z]?[A-Z0-9]{2}-\d{4}|[A-Z0-9]{4}-[A-Z0-9]{4}|[A-Z0-9]{4,8}|[a-z0-9]{8}|[A-Za-z0-9]{6})(?![\p{L}\p{N}_@%/-])/gu
