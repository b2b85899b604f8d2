import { readSeedTable } from '#server/house/seed/read-seed-table.ts'
import { fold, isSameLetters, toPlain } from '../codes/plain-text.ts'

export type WordKind =
  /**
   * Words for a code. `secret` words also occur in texts without a code. `notcode` words mean other codes, such as post
   * codes.
   */
  | 'code'
  | 'secret'
  | 'notcode'
  /** Words for the subject of a text. */
  | 'auth'
  | 'coupon'
  | 'errand'
  | 'pay'
  | 'advert'
  | 'balance'
  | 'call'
  | 'alert'
  /** Words that explain a number beside them. */
  | 'money'
  | 'card'
  | 'account'
  | 'other'
  | 'unit'
  /** Words for an act that the reader should do. */
  | 'use'
  | 'send'
  | 'tap'
  | 'lead'
  /** Words between a word for a code and a name. */
  | 'link'

/** A listed word in a text. `end` is the end of the whole word, even if only the word's stem is listed. */
export type Mark = { kind: WordKind; start: number; end: number }

type Entry = { kind: WordKind; openEnd: boolean }
type Node = { next: Map<number, Node>; ends: Entry[] }
/** An array holds most letters, because an array is faster than a map. */
type Root = Node & { table: (Node | undefined)[] }

const MAX_MARKS = 300

/** Finds the lexicon's words in a text. The work grows only with the text. If words overlap, the longest wins. */
export function findMarks(folded: string): Mark[] {
  const { whole, inner } = lexicon()
  const marks: Mark[] = []
  for (let start = 0; start < folded.length && marks.length < MAX_MARKS; start += 1) {
    const unit = folded.charCodeAt(start)
    const first = marks.length
    const own = firstOf(whole, unit)
    if (own !== undefined && !isInsideLetters(folded, start)) collect(own, folded, start, marks)
    const any = firstOf(inner, unit)
    if (any !== undefined) collect(any, folded, start, marks)
    if (marks.length - first > 1) keepLongest(marks, first)
  }
  return withoutHidden(marks)
}

const TABLE_LENGTH = 0x600

function firstOf({ table, next }: Root, unit: number): Node | undefined {
  return unit < TABLE_LENGTH ? table[unit] : next.get(unit)
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

/** Keeps only the longest of the words with the same beginning, each kind by itself. */
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

/**
 * Drops each word that lies within a longer listed word. A word of kind `auth` neither hides a word nor is hidden:
 * `Sicherheitscode`.
 */
function withoutHidden(marks: readonly Mark[]): Mark[] {
  let hider: Mark | undefined
  return marks.filter((mark) => {
    const isHidden = hider !== undefined && mark.end <= hider.end && mark.start > hider.start
    if (mark.kind !== 'auth' && mark.end > (hider?.end ?? 0)) hider = mark
    return !isHidden || mark.kind === 'auth'
  })
}

/** Returns true between two letters of one word. Digits end a word here: `199р`, `code4821`. */
function isInsideLetters(folded: string, at: number): boolean {
  return at > 0 && at < folded.length && isSameLetters(folded.charCodeAt(at - 1), folded.charCodeAt(at))
}

const FILE = new URL('../seed/words.tsv', import.meta.url).href
let built: { whole: Root; inner: Root } | null = null

/** Loads the words. A `*` at an end of a word allows more letters there. */
function lexicon(): { whole: Root; inner: Root } {
  if (built !== null) return built
  built = { whole: newRoot(), inner: newRoot() }
  for (const { kind, words } of readSeedTable(FILE, ['kind', 'languages', 'words'])) {
    // A test checks that the table has exactly the kinds of `WordKind`.
    for (const word of words.split('|')) add(built[word.startsWith('*') ? 'inner' : 'whole'], word, kind as WordKind)
  }
  for (const { table, next } of [built.whole, built.inner]) {
    for (let unit = 0; unit < TABLE_LENGTH; unit += 1) table.push(next.get(unit))
  }
  return built
}

function newRoot(): Root {
  return { next: new Map(), ends: [], table: [] }
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
