import { fold, isSameWord, toPlain } from './codes/plain-text.ts'

export type Found<Meaning> = { meaning: Meaning; start: number; end: number }

type Node<Meaning> = { next: Map<number, Node<Meaning>>; ends: Entry<Meaning>[] }
type Entry<Meaning> = { written: string; asWritten: boolean; meaning: Meaning }

/** Bounds the work per letter. */
const MAX_WORD_LENGTH = 60

/** A trie: the time does not grow with the number of words. */
export class WordIndex<Meaning> {
  readonly #root: Node<Meaning> = { next: new Map(), ends: [] }

  /** `asWritten`: compared with case. */
  add(word: string, options: { asWritten: boolean; meaning: Meaning }): void {
    const written = toPlain(word).slice(0, MAX_WORD_LENGTH)
    if (written === '') return
    let node = this.#root
    const folded = fold(written)
    for (let at = 0; at < folded.length; at += 1) {
      const unit = folded.charCodeAt(at)
      const next = node.next.get(unit) ?? { next: new Map(), ends: [] }
      node.next.set(unit, next)
      node = next
    }
    node.ends.push({ written, ...options })
  }

  /** Includes words inside others. `plain` is from toPlain, `folded` its fold. */
  find(plain: string, folded: string): Found<Meaning>[] {
    const found: Found<Meaning>[] = []
    for (let start = 0; start < folded.length; start += 1) {
      let node = this.#root.next.get(folded.charCodeAt(start))
      if (node === undefined || isInsideWord(folded, start)) continue
      for (let end = start + 1; node !== undefined; end += 1) {
        for (const { written, asWritten, meaning } of node.ends) {
          if (isInsideWord(folded, end) || (asWritten && plain.slice(start, end) !== written)) continue
          found.push({ meaning, start, end })
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
