export const ANSWER_WORDS = ['name', 'ticket'] as const
export type AnswerWord = (typeof ANSWER_WORDS)[number]

const WORD = /\{\s*([\p{L}_][\p{L}\p{N}_ -]*)\s*\}/gu

/** Returns the words in braces that are no known placeholders of a ready answer, with their braces. */
export function unknownWords(text: string): string[] {
  const unknown = [...text.matchAll(WORD)].filter(([whole]) => !ANSWER_WORDS.some((word) => whole === `{${word}}`))
  return [...new Set(unknown.map(([whole]) => whole))]
}
