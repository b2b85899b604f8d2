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

const MAX_MARKS = 300

/** The work grows with the text alone; the longer of two overlapping words wins. */
export function findMarks(folded: string): Mark[] {
  const { whole, inner } = lexicon()
  const marks: Mark[] = []
  for (let start = 0; start < folded.length && marks.length < MAX_MARKS; start += 1) {
    const unit = folded.charCodeAt(start)
    const first = marks.length
    const own = whole.next.get(unit)
    if (own !== undefined && !isInsideLetters(folded, start)) collect(own, folded, start, marks)
    const any = inner.next.get(unit)
    if (any !== undefined) collect(any, folded, start, marks)
    if (marks.length - first > 1) keepLongest(marks, first)
  }
  return withoutHidden(marks)
}

function collect(from: Node, folded: string, start: number, marks: Mark[]): void {
  let node: Node | undefined = from
  for (let end = start + 1; node !== undefined; end += 1) {
    const isInner = node.ends.length > 0 && isInsideLetters(folded, end)
    for (const { kind, openEnd } of node.ends) {
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

/** Of one beginning only the longest counts, in each of its kinds; the last ones found are the longest. */
function keepLongest(marks: Mark[], first: number): void {
  let longest = 0
  for (let at = first; at < marks.length; at += 1) longest = Math.max(longest, marks[at]?.end ?? 0)
  let kept = first
  for (let at = first; at < marks.length; at += 1) {
    const mark = marks[at]
    if (mark === undefined || mark.end !== longest || hasKind(marks, { from: first, to: kept, kind: mark.kind }))
      continue
    marks[kept] = mark
    kept += 1
  }
  marks.length = kept
}

function hasKind(marks: readonly Mark[], { from, to, kind }: { from: number; to: number; kind: WordKind }): boolean {
  for (let at = from; at < to; at += 1) if (marks[at]?.kind === kind) return true
  return false
}

/** A word within a longer one says what the longer one says, but a purpose hides nothing: `Sicherheitscode`. */
function withoutHidden(marks: readonly Mark[]): Mark[] {
  let hider: Mark | undefined
  return marks.filter((mark) => {
    const isHidden = hider !== undefined && mark.end <= hider.end && mark.start > hider.start
    if (mark.kind !== 'auth' && mark.end > (hider?.end ?? 0)) hider = mark
    return !isHidden || mark.kind === 'auth'
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
