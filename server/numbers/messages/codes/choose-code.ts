import { type Candidate, CODE_WORD, findCandidates } from './code-candidates.ts'
import type { CodeText } from './code-text.ts'

/** The candidate nearest to a code word; null when there is none. */
export function chooseCode({ plain, folded, bound }: CodeText, phone: string | undefined): string | null {
  if (bound !== null && !isPhone(bound, phone)) return bound
  const candidates = findCandidates(plain, folded).filter(({ value }) => !isPhone(value, phone))
  let best: { value: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = candidate.proved ? PROVED : distanceToWord(folded, candidate)
    if (distance !== null && (best === undefined || distance < best.distance)) {
      best = { value: candidate.value, distance }
    }
  }
  return best?.value ?? onlyCandidate(folded, candidates)
}

const PROVED = -1
/** Shorter digits end the phone number by chance too often. */
const MIN_PHONE_END = 6

function isPhone(value: string, phone: string | undefined): boolean {
  return phone !== undefined && value.length >= MIN_PHONE_END && phone.endsWith(value)
}

/** In characters. */
const REACH_BEFORE = 48
const REACH_AFTER = 56
/** A word after the code may begin the next sentence, so it counts as farther. */
const BEHIND = 6

function distanceToWord(folded: string, { start, end }: Candidate): number | null {
  const before = folded.slice(Math.max(0, start - REACH_BEFORE), start)
  const last = [...before.matchAll(CODE_WORD)].at(-1)
  const fromBefore = last === undefined ? null : before.length - (last.index + last[0].length)
  const next = [...folded.slice(end, end + REACH_AFTER).matchAll(CODE_WORD)][0]
  const fromBehind = next === undefined ? null : next.index + BEHIND
  if (fromBefore === null || fromBehind === null) return fromBefore ?? fromBehind
  return Math.min(fromBefore, fromBehind)
}

/** Unknown languages: a single candidate is the code, except in a carrier's notice. */
function onlyCandidate(folded: string, candidates: readonly Candidate[]): string | null {
  const values = new Set(candidates.map(({ value }) => value))
  const [only] = values
  return only === undefined || values.size > 1 || NOTICE.test(folded) ? null : only
}

const NOTICE =
  /\*\d{2,4}[*#]|balance|saldo|bundle|data pack|recharge|top.?up|баланс|тариф|пополн|абонент|\d ?(?:gb|mb|гб|мб)(?!\p{L})/u
