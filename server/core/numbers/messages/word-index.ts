import { fold, isSameWord, toPlain } from './codes/plain-text.ts'

export type Found<Meaning> = { meaning: Meaning; start: number; end: number }

type Node<Meaning> = { next: Map<number, Node<Meaning>>; ends: Entry<Meaning>[] }
type Entry<Meaning> = { written: string; asWritten: boolean; meaning: Meaning }

const TABLE_LENGTH = 0x600
/** The maximum length of a word, in characters. It bounds the work per letter. */
const MAX_WORD_LENGTH = 60

/** The minimum length of a word that may have case endings. Shorter words are parts of too many words. */
const MIN_DECLINED = 5
const MAX_ENDING = 4
/** Case endings, as in `WhatsAppi kood`, without those for “in” and “from”, which lead the reader elsewhere. */
const DECLINED =
  /^(?:a|i|u|e|o|t|s|in|is|il|an|en|ul|om|em|ie|ga|ks|ra|re|ot|et|on|ul|ui|in|nu|ni|ului|nak|nek|ning|ою|ом|ой|а|у|е|и|ы|ів|ам|ға|ге|нің|тың|ди|ни)(?![\p{L}\d])/u

/** Finds words by a trie, so the time does not grow with the number of words. */
export class WordIndex<Meaning> {
  readonly #root: Node<Meaning> = { next: new Map(), ends: [] }
  /** An array holds most first letters, because an array is faster than a map. */
  readonly #table: (Node<Meaning> | undefined)[] = Array.from({ length: TABLE_LENGTH })

  add(word: string, options: { asWritten: boolean; meaning: Meaning }): void {
    const written = toPlain(word).slice(0, MAX_WORD_LENGTH)
    if (written === '') return
    let node = this.#root
    const folded = fold(written)
    for (let at = 0; at < folded.length; at += 1) {
      const unit = folded.charCodeAt(at)
      const next = node.next.get(unit) ?? { next: new Map(), ends: [] }
      node.next.set(unit, next)
      if (at === 0 && unit < TABLE_LENGTH) this.#table[unit] = next
      node = next
    }
    node.ends.push({ written, ...options })
  }

  /** Finds the index's words, also inside longer words. `plain` comes from toPlain, and `folded` from fold(plain). */
  find(plain: string, folded: string): Found<Meaning>[] {
    const found: Found<Meaning>[] = []
    for (let start = 0; start < folded.length; start += 1) {
      const unit = folded.charCodeAt(start)
      let node = unit < TABLE_LENGTH ? this.#table[unit] : this.#root.next.get(unit)
      if (node === undefined || isInsideWord(folded, start)) continue
      for (let end = start + 1; node !== undefined; end += 1) {
        for (const { written, asWritten, meaning } of node.ends) {
          if (asWritten && plain.slice(start, end) !== written) continue
          if (!isInsideWord(folded, end)) found.push({ meaning, start, end })
          else if (!asWritten && end - start >= MIN_DECLINED) {
            const ending = DECLINED.exec(folded.slice(end, end + MAX_ENDING + 1))?.[0]
            if (ending !== undefined) found.push({ meaning, start, end: end + ending.length })
          }
        }
        node = node.next.get(folded.charCodeAt(end))
      }
    }
    return found
  }
}

function isInsideWord(folded: string, at: number): boolean {
  return at > 0 && at < folded.length && isSameWord(folded.charCodeAt(at - 1), folded.charCodeAt(at))
}
