import { type Candidate, CODE_WORD, findCandidates } from './code-candidates.ts'
import type { CodeText } from './code-text.ts'

/** The likeliest code of a text: what stands nearest to a word for it. Null when nothing looks like one. */
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
/** Shorter ends of a telephone number are codes by chance more often than that number. */
const MIN_PHONE_END = 6

function isPhone(value: string, phone: string | undefined): boolean {
  return phone !== undefined && value.length >= MIN_PHONE_END && phone.endsWith(value)
}

/** Letters between a code and its word, at most. */
const REACH_BEFORE = 48
const REACH_AFTER = 56
/** A word before the code is likelier its own than one behind it, which may begin the next sentence. */
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

/** Words for a code in languages not known here: one candidate alone is it, but not in a carrier's notice. */
function onlyCandidate(folded: string, candidates: readonly Candidate[]): string | null {
  const values = new Set(candidates.map(({ value }) => value))
  const [only] = values
  return only === undefined || values.size > 1 || NOTICE.test(folded) ? null : only
}

const NOTICE =
  /\*\d{2,4}[*#]|balance|saldo|bundle|data pack|recharge|top.?up|баланс|тариф|пополн|абонент|\d ?(?:gb|mb|гб|мб)(?!\p{L})/u
