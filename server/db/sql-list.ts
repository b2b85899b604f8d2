/** Words as a list of SQL literals: `'waiting', 'received'`. They are constants of ours, never input. */
export function sqlList(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}
