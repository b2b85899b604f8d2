import type { AnswerWord } from '#contract/staff/answer-words.ts'

const NAME = '{name}'
/** Before a name that is not known, as in "Hello, {name}!". */
const UNNAMED = /,?[ \t]*\{name\}/g
/** A name is what its owner typed: it must not become a link or a heading. */
const MARKS = /[\\`*_[\]<>~#|]/g

/** A ready answer with the buyer's name and the number of the ticket in it. */
export function fillAnswer(text: string, words: Record<AnswerWord, string | number>): string {
  const numbered = text.replaceAll('{ticket}', String(words.ticket))
  const known = String(words.name).replaceAll(/\s+/g, ' ').trim()
  if (known === '') return numbered.replaceAll(UNNAMED, '')
  return numbered.replaceAll(
    NAME,
    known.replaceAll(MARKS, (mark) => `\\${mark}`),
  )
}
