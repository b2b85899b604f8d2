/** Edits (insertion, deletion, change, swap) that turn `typed` into a beginning of `word`; null above `limit`. */
export function mistakesIn(typed: string, word: string, limit: number): number | null {
  // `rows[typed letters][letters of the word]`; only the last two rows are kept.
  let before: number[] = []
  let above = Array.from({ length: Math.min(word.length, typed.length + limit) + 1 }, (_, at) => at)
  for (let row = 1; row <= typed.length; row++) {
    const letter = typed.charAt(row - 1)
    const current = [row]
    for (let at = 1; at < above.length; at++) {
      const same = letter === word.charAt(at - 1)
      let least = Math.min((above[at - 1] ?? 0) + (same ? 0 : 1), (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1)
      if (row > 1 && at > 1 && letter === word.charAt(at - 2) && typed.charAt(row - 2) === word.charAt(at - 1)) {
        least = Math.min(least, (before[at - 2] ?? 0) + 1)
      }
      current.push(least)
    }
    if (Math.min(...current) > limit) return null
    before = above
    above = current
  }
  const mistakes = Math.min(...above)
  return mistakes > limit ? null : mistakes
}
