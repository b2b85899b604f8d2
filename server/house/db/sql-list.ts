/** Pass constants only and never input: nothing is escaped. */
export function sqlList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}
