import type { Mark, WordKind } from '../words/lexicon.ts'
import { type Candidate, findCandidates } from './code-candidates.ts'
import { type MessageText, marksOf, sentenceAt } from './message-text.ts'
import { signInWords } from './sign-in-text.ts'

/** A code in a text. `proved` means that evidence, such as a word for a code, stands beside the number. */
export type FoundCode = { value: string; proved: boolean }

/** `unsure` means that several numbers stand beside a word for a code, so no number is chosen. */
export type Chosen = { code: FoundCode | null; unsure: boolean }

/** `given` are places where the text gives a service's code; they outweigh adverts. `names` are firms' names. */
type Brands = { given: readonly Place[]; names: readonly Place[] }
type Place = { start: number; end: number }

/** Chooses the code of a text. `phone` is the number that received the text, because its digits are no code. */
export function chooseCode(text: MessageText, phone: string | undefined, { given, names }: Brands = NONE): Chosen {
  if (text.bound !== null && !isPhone(text.bound, phone)) {
    return { code: { value: text.bound, proved: true }, unsure: false }
  }
  const candidates = withoutObjects(
    text,
    findCandidates(text).filter((candidate) => !isPhone(candidate.value, phone) && !isName(candidate, names)),
  )
  if (candidates.length === 0) return { code: null, unsure: false }
  const isSignIn = signInWords(text, given)
  const words = marksOf(text, 'code', 'secret').filter(isSignIn)
  const ranked = candidates.map((candidate) => ({
    candidate,
    rank: rankOf(text, candidate, { candidates, words, isSignIn }),
  }))
  const hasDigits = ranked.some(({ candidate, rank }) => rank < APART && !candidate.mixed)
  const judged = hasDigits ? ranked.filter(({ candidate }) => !isSignature(text, candidate)) : ranked
  const best = Math.min(...judged.map(({ rank }) => rank))
  if (best < NO_RANK) {
    const values = new Set(judged.flatMap(({ candidate, rank }) => (rank === best ? [candidate.value] : [])))
    const [value = ''] = values
    return values.size === 1 ? { code: { value, proved: true }, unsure: false } : { code: null, unsure: true }
  }
  return { code: loneNumber(text, candidates), unsure: false }
}

const NONE: Brands = { given: [], names: [] }

/** Returns true if the candidate is a firm's name, such as `1XBET` or `7ELEVEN`. */
function isName({ mixed, start, end }: Candidate, names: readonly Place[]): boolean {
  return mixed && names.some((name) => name.start <= start && name.end >= end)
}

/**
 * Returns true if the candidate is a signature like “N26BANK: …”, “[CHECK24] …” or “… - CHECK24”. Digits beside a word
 * for a code are more likely to be the code.
 */
function isSignature({ folded }: MessageText, { mixed, start, end }: Candidate): boolean {
  if (!mixed) return false
  const before = folded.slice(Math.max(0, start - 24), start)
  const after = folded.slice(end, end + 3)
  const isFirst = start <= 24 && /^\s{0,9}(?:<#>|\[#\])?\s{0,9}[[【(]?$/.test(before)
  return (
    (isFirst && /^(?:[\]】)]|\s?[:|]|\s-\s|\n)/.test(after)) ||
    (/[-[【(\n] ?$/.test(before) && /^[\]】).]?$/.test(after))
  )
}

/** Drops numbers that tell what the code is for, such as 5512 in “Code for account 5512 is 482913”. */
function withoutObjects(text: MessageText, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(
    (candidate, at) =>
      candidate.proved ||
      !candidates
        .slice(at + 1)
        .some(({ start, strict }) => !strict && HANDS_ON.test(text.folded.slice(candidate.end, start))) ||
      !isObject(text, candidate),
  )
}

/** Matches the gap between an account's number and the code: “… 5512 is 482913”. */
const HANDS_ON =
  /^[)\]"'»”]{0,2}(?:,? (?:is|was|es|est|é|e|è|ist|lautet|este|jest|to|je|er|är|on|yra|ir|ni|είναι|هو|هي|است|הוא|היא|là|la|adalah|ialah|ay)(?: ?:)? | ?[:=>] ?| - | ?(?:为|為|是|は) ?)["'«“([{【<「]?$/u

function isObject({ folded, marks }: MessageText, { start }: Candidate): boolean {
  const before = folded.slice(Math.max(0, start - OBJECT_REACH), start)
  const last = /[\p{L}\p{M}]+[.№#:]? ?[№#"'«“(]?$/u.exec(before)
  if (last === null || LEADS_ON.test(before)) return false
  const from = start - last[0].length
  const word = marks.find(({ kind, start: first, end }) => SECRETS.includes(kind) && first < start && end > from)
  // A word for a code may belong to the object that the code is for: “OTP for visitor pass 5512 is 482913”.
  return (
    word === undefined ||
    (word.kind === 'secret' &&
      marks.some(({ kind, end }) => kind === 'code' && end < from && from - end < OBJECT_REACH))
  )
}

const OBJECT_REACH = 40
const SECRETS: readonly WordKind[] = ['code', 'secret']

/** The minimum number of digits to compare with the phone's last digits. Fewer are too often equal by chance. */
const MIN_PHONE_END = 6

function isPhone(value: string, phone: string | undefined): boolean {
  return phone !== undefined && value.length >= MIN_PHONE_END && phone.endsWith(value)
}

/** The ranks of candidates. The candidate with the lowest rank is the likeliest code. */
const PREFIXED = 0
const BESIDE = 1
const LINKED = 2
const SAME_SENTENCE = 3
const DATED = 4
const APART = 5
const NO_RANK = 9

/** The maximum distance between a candidate and a word for a code, in characters. */
const REACH = 72

type IsSignIn = (word: Place) => boolean
type Around = { candidates: readonly Candidate[]; words: readonly Mark[]; isSignIn: IsSignIn }

function rankOf(text: MessageText, candidate: Candidate, { candidates, words, isSignIn }: Around): number {
  if (candidate.proved) return PREFIXED
  const others = candidates.filter(({ value, strict }) => value !== candidate.value && !strict)
  const ranks = words.map((word) => rankBeside(text, candidate, { word, others }))
  const best = Math.min(NO_RANK, ...ranks, rankByUse(text, candidate, isSignIn))
  if (candidate.mixed) return best <= LINKED ? best : NO_RANK
  if (candidate.dated) return best <= BESIDE ? DATED : NO_RANK
  if (candidate.strict) return best <= BESIDE ? best : NO_RANK
  if (best < NO_RANK) return best
  if (isBelow(text, candidate)) return APART
  if (words.length === 0) return NO_RANK
  const isOnly = new Set(candidates.filter(({ mixed }) => !mixed).map(({ value }) => value)).size === 1
  return isOnly && standsAlone(text, candidate) && words.some(({ kind }) => kind === 'code') ? APART : NO_RANK
}

/** Returns true if the number stands in the line after a text like “Please use the code below.” */
function isBelow(text: MessageText, candidate: Candidate): boolean {
  if (!standsAlone(text, candidate)) return false
  const before = text.folded.slice(Math.max(0, candidate.start - BELOW_REACH), candidate.start)
  return CODE_BELOW.test(before) && marksOf(text, 'coupon', 'errand', 'advert', 'pay').length === 0
}

const BELOW_REACH = 160
const CODE_BELOW = /code below(?:[^\n]{0,120}\n| ?: ?)\s{0,3}$/

/** Matches the gap between a word for a code and the code: punctuation, or a verb such as “is”. */
const BESIDE_GAP =
  /^[\s"'»”)\]】」]{0,3}(?:is|was|are|es|est|é|e|è|ist|lautet|lautet wie folgt|este|jest|to|je|er|är|on|yra|ir|ni|είναι|ето|е|هو|هي|است|ہے|है|হল|হলো|là|la|adalah|ialah|ay|为|為|是|は|:)?[\s:;=>"'«“([{【<「#,-]{0,6}$/u

/** Matches a phrase between a word for a code and the colon or “is”: “code for signing in: 1234”. */
const LEADS_ON =
  /(?::|[=>-]|(?<!\p{L})(?:is|was|es|est|é|e|è|ist|lautet|este|jest|je|er|är|on|yra|ir|ni|είναι|هو|هي|là|adalah|ialah|ay|为|為|是|は))[\s"'«“([{【<「#]{0,4}$/u

function rankBeside(
  text: MessageText,
  candidate: Candidate,
  { word, others }: { word: Mark; others: readonly Candidate[] },
): number {
  const isBefore = word.end <= candidate.start
  const gap = isBefore ? text.folded.slice(word.end, candidate.start) : text.folded.slice(candidate.end, word.start)
  if (gap.length > REACH || word.start < candidate.end === !isBefore) return NO_RANK
  if (isBefore && BESIDE_GAP.test(gap) && !/\n.{0,40}\S.{0,40}\n/.test(gap)) return BESIDE
  if (/[\n]|[.!?…](?=\s|$)/.test(gap.trim()) && !isAbbreviated(text, gap, isBefore ? word.end : candidate.end)) {
    return NO_RANK
  }
  const [low, high] = isBefore ? [word.end, candidate.start] : [candidate.end, word.start]
  if (others.some(({ start }) => start >= low && start < high)) return NO_RANK
  if (isBefore) {
    if (LEADS_ON.test(gap)) return LINKED
    return word.kind === 'code' && !candidate.strict ? SAME_SENTENCE : NO_RANK
  }
  const [from] = sentenceAt(text, candidate.start)
  const isFirst = isOpening(text, from, candidate.start)
  if (candidate.strict) return isFirst && gap.length <= 24 ? BESIDE : NO_RANK
  if (isFirst || gap.length <= 3) return LINKED
  return word.kind === 'code' ? SAME_SENTENCE : NO_RANK
}

/** Returns true if only punctuation, a signature or a verb for using a code precedes the number in its sentence. */
function isOpening({ folded, marks }: MessageText, from: number, to: number): boolean {
  const verb = marks.find(({ kind, start, end }) => kind === 'use' && start >= from && end <= to)
  const head = verb === undefined ? folded.slice(from, to) : folded.slice(from, verb.start) + folded.slice(verb.end, to)
  return /^[\s\p{P}\p{S}]{0,12}$/u.test(head.replace(/^[^:]{1,24}:\s/, ''))
}

/** Returns true if all dots between a word for a code and a number end abbreviations, not sentences. */
function isAbbreviated({ ends }: MessageText, gap: string, from: number): boolean {
  return !ends.some((end) => end > from && end <= from + gap.trimEnd().length)
}

/** Ranks a number by the purpose that the text gives for it: “Use 482913 to sign in”. */
function rankByUse(text: MessageText, candidate: Candidate, isSignIn: IsSignIn): number {
  if (candidate.strict) return NO_RANK
  const [from, to] = sentenceAt(text, candidate.start)
  const within = (mark: Mark) => mark.start >= from && mark.end <= to
  const gapTo = (mark: Mark) =>
    mark.end <= candidate.start
      ? text.folded.slice(mark.end, candidate.start)
      : text.folded.slice(candidate.end, mark.start)
  const isUsed = marksOf(text, 'use').some((mark) => {
    const gap = gapTo(mark)
    return within(mark) && /^[\s:"'«“([【]{0,4}(?:\S{1,8}\s)?$|^\s?(?:を|로|를|을|से|को) ?$/u.test(gap)
  })
  const isHanded = isUsed || HANDED.test(text.folded.slice(from, candidate.start))
  if (!isHanded && !servesFor(text, candidate, from)) return colonRank(text, candidate, isSignIn)
  const purpose = marksOf(text, 'auth').find(within)
  return purpose !== undefined && isSignIn(purpose) ? LINKED : NO_RANK
}

/** Returns true for a number with a purpose behind it: “482913 to sign in”. */
function servesFor(text: MessageText, { start, end }: Candidate, from: number): boolean {
  const after = /^ (?:to|for|для|щоб|чтобы|pour|para|per|zum|um|för att|for å|untuk|để|de) /u.exec(
    text.folded.slice(end, end + 12),
  )?.[0]
  return (
    after !== undefined &&
    isOpening(text, from, start) &&
    marksOf(text, 'auth').some((mark) => mark.start === end + after.length)
  )
}

/** Matches “Approve the sign-in with 482913”. */
const HANDED = /\s(?:with|using|entering|mit|avec|con|com|met|med|кодом|с помощью)\s$/

/** Ranks a number after a colon or “with”: `Verification: 482913`, `confirm with 482913`. */
function colonRank(text: MessageText, candidate: Candidate, isSignIn: IsSignIn): number {
  const said = marksOf(text, 'auth').some(
    (mark) =>
      mark.end <= candidate.start &&
      /^\s?(?::|with|using|by|mit|avec|con|com|met|med|z|s|с|через|кодом)\s$|^:$/.test(
        text.folded.slice(mark.end, candidate.start),
      ) &&
      isSignIn(mark),
  )
  return said ? LINKED : NO_RANK
}

function standsAlone(text: MessageText, { start, end }: Candidate): boolean {
  const [from, to] = sentenceAt(text, start)
  return !/[\p{L}\p{N}]/u.test(text.folded.slice(from, start) + text.folded.slice(end, to))
}

/** The maximum number of words beside a lone number. A longer text is not about a code. */
const MAX_WORDS_BESIDE = 6

/** Returns a number without an explaining word, if the text is short and has no other subject. */
function loneNumber(text: MessageText, candidates: readonly Candidate[]): FoundCode | null {
  const numbers = candidates.filter(({ mixed }) => !mixed)
  const values = new Set(numbers.map(({ value }) => value))
  const [only] = numbers
  if (only === undefined || values.size > 1 || only.dated) return null
  if (marksOf(text, 'pay', 'coupon', 'errand', 'advert', 'balance', 'call', 'money', 'notcode').length > 0) return null
  const words =
    text.folded
      .slice(0, only.start)
      .concat(text.folded.slice(only.end))
      .match(/\p{L}{2,}/gu) ?? []
  const isBrief = words.length <= MAX_WORDS_BESIDE
  const followed = /^ [\p{Ll}]/u.test(text.plain.slice(only.end, only.end + 2))
  // True if a dash, colon or `>` follows a number at the beginning: `482913 - …`.
  const isFront = only.start <= 4 && /^\s?[-:>]\s/.test(text.folded.slice(only.end, only.end + 3))
  return standsAlone(text, only) || (isBrief && !followed) || isFront
    ? { value: only.value, proved: text.hashed }
    : null
}
