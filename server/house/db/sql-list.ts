/** Returns an SQL list of the words. Pass constants only and never input, because the words are not escaped. */
export function sqlList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}
