/** What `{words}` of a ready answer stand for: the name of the buyer, the number of the ticket. */
export const ANSWER_WORDS = ['name', 'ticket'] as const
export type AnswerWord = (typeof ANSWER_WORDS)[number]

const WORD = /\{\s*([\p{L}_][\p{L}\p{N}_ -]*)\s*\}/gu

/** Words in braces that stand for nothing, as they are written. */
export function unknownWords(text: string): string[] {
  const unknown = [...text.matchAll(WORD)].filter(([whole]) => !ANSWER_WORDS.some((word) => whole === `{${word}}`))
  return [...new Set(unknown.map(([whole]) => whole))]
}
