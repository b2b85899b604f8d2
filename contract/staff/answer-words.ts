/** Placeholders in the braces of a ready answer: the name of the buyer and the number of the ticket. */
export const ANSWER_WORDS = ['name', 'ticket'] as const
export type AnswerWord = (typeof ANSWER_WORDS)[number]

const WORD = /\{\s*([\p{L}_][\p{L}\p{N}_ -]*)\s*\}/gu

/** Returns the words in braces that are not known placeholders, as written. */
export function unknownWords(text: string): string[] {
  const unknown = [...text.matchAll(WORD)].filter(([whole]) => !ANSWER_WORDS.some((word) => whole === `{${word}}`))
  return [...new Set(unknown.map(([whole]) => whole))]
}
