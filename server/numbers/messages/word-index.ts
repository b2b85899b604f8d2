import { fold, isSameWord, toPlain } from './codes/plain-text.ts'

/** A word found in a text, whole: `start` and `end` are its place. */
export type Found<Meaning> = { meaning: Meaning; start: number; end: number }

type Node<Meaning> = { next: Map<number, Node<Meaning>>; ends: Entry<Meaning>[] }
type Entry<Meaning> = { written: string; asWritten: boolean; meaning: Meaning }

/** Longer ones are phrases nobody sends. It bounds the work for each letter of a text. */
const MAX_WORD_LENGTH = 60

/** Many words, looked for in a text at once: a trie, so that the time does not grow with their number. */
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

  /** Every whole word in the text, those inside others too. `plain` is what toPlain made, `folded` is its fold. */
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

/** Whether the letters before and after this place are of one word. */
function isInsideWord(folded: string, at: number): boolean {
  return at > 0 && at < folded.length && isSameWord(folded.charCodeAt(at - 1), folded.charCodeAt(at))
}
