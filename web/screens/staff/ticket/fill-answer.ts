import type { AnswerWord } from '#contract/staff/answer-words.ts'

const NAME = '{name}'
/** Matches the placeholder of an unknown name with the comma before it, as in "Hello, {name}!". */
const UNNAMED = /,?[ \t]*\{name\}/g
/** Markdown characters in a name are escaped. A buyer chooses the name, and it must not become a link or a heading. */
const MARKS = /[\\`*_[\]<>~#|]/g

export function fillAnswer(text: string, words: Record<AnswerWord, string | number>): string {
  const numbered = text.replaceAll('{ticket}', String(words.ticket))
  const known = String(words.name).replaceAll(/\s+/g, ' ').trim()
  if (known === '') return numbered.replaceAll(UNNAMED, '')
  return numbered.replaceAll(
    NAME,
    known.replaceAll(MARKS, (mark) => `\\${mark}`),
  )
}
