/** Returns the words as an SQL list. Pass constants only, never input, because the words are not escaped. */
export function sqlList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}
