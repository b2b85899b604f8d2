import { findMarks, type Mark, type WordKind } from '../words/lexicon.ts'
import { findBoundCode, findLinks, type Link } from './links.ts'
import { fold, toAsciiDigits, toPlain } from './plain-text.ts'

export type MessageText = {
  /** The text as it came, with links. Positions are the same as in `folded`. */
  whole: string
  /** The text with ASCII digits, in which links and the hash of an app are replaced by spaces. */
  plain: string
  folded: string
  links: readonly Link[]
  /** `marks` holds the words of the lexicon; `allMarks` also holds the small words between them. */
  marks: readonly Mark[]
  allMarks: readonly Mark[]
  ends: readonly number[]
  /** The code of a last line that is bound to a domain, such as `@example.com #123456`. */
  bound: string | null
  /** True if the text ends with the hash of an Android app. */
  hashed: boolean
}

export function readText(text: string): MessageText {
  const plain = withoutMarkup(toAsciiDigits(toPlain(text))).trimEnd()
  const whole = fold(plain)
  const hashed = endsWithHash(plain)
  const links = findLinks(whole)
  const open = blank(hashed ? `${plain.slice(0, -HASH_LENGTH)}${' '.repeat(HASH_LENGTH)}` : plain, links)
  const folded = open === plain ? whole : fold(open)
  const allMarks = findMarks(folded)
  const marks = allMarks.filter(({ kind }) => kind !== 'link')
  return {
    whole,
    plain: open,
    folded,
    links,
    marks,
    allMarks,
    ends: findEnds(folded, marks),
    bound: findBoundCode(whole),
    hashed,
  }
}

/** Removes markup of bold and italics: `*482913*`, `_482913_`. */
function withoutMarkup(plain: string): string {
  return /[*_~]/.test(plain) ? plain.replaceAll(MARKUP, '$2') : plain
}

const MARKUP =
  /(?<![\p{L}\d*_~@/.-])([*_~]{1,3}) ?(\d[\d -]{2,10}\d|(?=[^\s*_~])[^*_~\n]{0,59}[^\s*_~]) ?\1(?![\p{L}\d*_~])/gu

export function marksOf({ marks }: Pick<MessageText, 'marks'>, ...kinds: WordKind[]): Mark[] {
  return marks.filter(({ kind }) => kinds.includes(kind))
}

export function sentenceAt({ ends, folded }: Pick<MessageText, 'ends' | 'folded'>, at: number): [number, number] {
  const next = ends.findIndex((end) => end > at)
  const count = next === -1 ? ends.length : next
  return [ends[count - 1] ?? 0, ends[count] ?? folded.length]
}

const MAX_ENDS = 200

/** A dot within a word of the lexicon, such as `tel.`, ends no sentence. */
function findEnds(folded: string, marks: readonly Mark[]): number[] {
  const ends: number[] = []
  for (const { index, 0: found } of folded.matchAll(/[.!?…](?=[\s"'»”)<]|$)|[\n।။።]/g)) {
    const isAbbreviation = found === '.' && marks.some(({ start, end }) => start <= index && end === index + 1)
    if (!isAbbreviation) ends.push(index + 1)
    if (ends.length === MAX_ENDS) break
  }
  return ends
}

/**
 * Returns true if the text ends with the hash of an app, which may follow the code without a space. A plain number,
 * word or name of eleven characters is no hash.
 */
function endsWithHash(text: string): boolean {
  const end = text.slice(-HASH_LENGTH)
  const isHash = /^[A-Za-z0-9+/]{11}$/.test(end) && /[a-z]/.test(end) && /.[A-Z+/]|^[+/]|\d.{0,9}[a-z]/.test(end)
  return isHash && /[\s\d.]$/.test(text.slice(0, -HASH_LENGTH))
}

const HASH_LENGTH = 11

/** Replaces links by spaces, because words within links mean nothing. Positions do not change. */
function blank(text: string, links: readonly Link[]): string {
  let blanked = text
  for (const { linked, start, end } of links) {
    if (linked) blanked = blanked.slice(0, start) + ' '.repeat(end - start) + blanked.slice(end)
  }
  return blanked
}
