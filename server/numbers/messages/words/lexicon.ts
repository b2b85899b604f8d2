import { readSeedTable } from '#server/seed/read-seed-table.ts'
import { fold, isSameLetters, toPlain } from '../codes/plain-text.ts'

/** Kinds of words, in the languages of the services (`seed/words.tsv`). */
export type WordKind =
  /** A code; `secret`: a word that stands in texts without one as well; `notcode`: other codes, such as post codes. */
  | 'code'
  | 'secret'
  | 'notcode'
  /** What the text is about. */
  | 'auth'
  | 'coupon'
  | 'errand'
  | 'pay'
  | 'advert'
  | 'balance'
  | 'call'
  | 'alert'
  /** What a number beside it is. */
  | 'money'
  | 'card'
  | 'other'
  | 'unit'
  /** What the reader is to do. */
  | 'use'
  | 'tap'
  | 'lead'
  /** Between a word for a code and a name. */
  | 'link'

/** `end` is the end of the whole word, also where only its stem is listed. */
export type Mark = { kind: WordKind; start: number; end: number }

type Entry = { kind: WordKind; openEnd: boolean }
type Node = { next: Map<number, Node>; ends: Entry[] }

const MAX_MARKS = 400

/** The work grows with the text alone; the longer of two overlapping words wins. */
export function findMarks(folded: string): Mark[] {
  const { whole, inner } = lexicon()
  const marks: Mark[] = []
  for (let start = 0; start < folded.length && marks.length < MAX_MARKS; start += 1) {
    const unit = folded.charCodeAt(start)
    const isInner = isInsideLetters(folded, start)
    const first = marks.length
    if (!isInner) collect(whole.next.get(unit), folded, start, marks)
    collect(inner.next.get(unit), folded, start, marks)
    if (marks.length - first > 1) keepLongest(marks, first)
  }
  return withoutHidden(marks)
}

function collect(from: Node | undefined, folded: string, start: number, marks: Mark[]): void {
  let node = from
  for (let end = start + 1; node !== undefined; end += 1) {
    for (const { kind, openEnd } of node.ends) {
      const isInner = isInsideLetters(folded, end)
      if (!isInner) marks.push({ kind, start, end })
      else if (openEnd) marks.push({ kind, start, end: endOfWord(folded, end) })
    }
    node = node.next.get(folded.charCodeAt(end))
  }
}

function endOfWord(folded: string, from: number): number {
  let end = from
  while (isInsideLetters(folded, end)) end += 1
  return end
}

/** Of one beginning only the longest counts, in each of its kinds. */
function keepLongest(marks: Mark[], first: number): void {
  const longest = Math.max(...marks.slice(first).map(({ end }) => end))
  const kept = marks.splice(first).filter(({ end }) => end === longest)
  marks.push(...new Map(kept.map((mark) => [mark.kind, mark])).values())
}

/** A word within a longer one says what the longer one says; only its subject still counts. */
function withoutHidden(marks: readonly Mark[]): Mark[] {
  let reach = 0
  return marks.filter((mark, at) => {
    const isHidden = mark.end <= reach && marks[at - 1] !== undefined && mark.start > (marks[at - 1]?.start ?? 0)
    const isSame = marks
      .slice(Math.max(0, at - 3), at)
      .some(({ start, end }) => start === mark.start && end === mark.end)
    reach = Math.max(reach, mark.end)
    return !isHidden || isSame || mark.kind === 'auth'
  })
}

/** Digits bound words here: `199р`, `code4821`. */
function isInsideLetters(folded: string, at: number): boolean {
  return at > 0 && at < folded.length && isSameLetters(folded.charCodeAt(at - 1), folded.charCodeAt(at))
}

const FILE = new URL('../seed/words.tsv', import.meta.url).href
let built: { whole: Node; inner: Node } | null = null

/** `*` at an end of a word: more letters may stand there. */
function lexicon(): { whole: Node; inner: Node } {
  if (built !== null) return built
  built = { whole: { next: new Map(), ends: [] }, inner: { next: new Map(), ends: [] } }
  for (const { kind, words } of readSeedTable(FILE, ['kind', 'languages', 'words'])) {
    // The table's kinds are those of the type; a test holds them equal.
    for (const word of words.split('|')) add(built[word.startsWith('*') ? 'inner' : 'whole'], word, kind as WordKind)
  }
  return built
}

function add(root: Node, word: string, kind: WordKind): void {
  let node = root
  const folded = fold(toPlain(word.replace(/^\*/, '').replace(/\*$/, '')))
  for (let at = 0; at < folded.length; at += 1) {
    const unit = folded.charCodeAt(at)
    const next = node.next.get(unit) ?? { next: new Map(), ends: [] }
    node.next.set(unit, next)
    node = next
  }
  node.ends.push({ kind, openEnd: word.endsWith('*') })
}
