/** Counts the edits (insert, delete, change, swap) from the typed text to a word's beginning; null above `limit`. */
export function mistakesIn(typed: string, word: string, limit: number): number | null {
  const tooMany = limit + 1
  const width = Math.min(word.length, typed.length + limit)
  // The distance table is `rows[letters of typed][letters of word]`, and only its last rows are kept.
  let before: number[] = []
  let above = new Array<number>(width + 1).fill(tooMany)
  for (let at = 0; at <= Math.min(width, limit); at++) above[at] = at
  for (let row = 1; row <= typed.length; row++) {
    const letter = typed.charCodeAt(row - 1)
    // Table cells farther from the diagonal need more insertions or deletions than `limit` allows.
    const from = Math.max(1, row - limit)
    const to = Math.min(width, row + limit)
    let fewest = row <= limit ? row : tooMany
    const current = new Array<number>(width + 1).fill(tooMany)
    current[0] = fewest
    for (let at = from; at <= to; at++) {
      const same = letter === word.charCodeAt(at - 1)
      let least = Math.min((above[at - 1] ?? 0) + (same ? 0 : 1), (above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1)
      if (
        row > 1 &&
        at > 1 &&
        letter === word.charCodeAt(at - 2) &&
        typed.charCodeAt(row - 2) === word.charCodeAt(at - 1)
      ) {
        least = Math.min(least, (before[at - 2] ?? 0) + 1)
      }
      current[at] = least
      if (least < fewest) fewest = least
    }
    if (fewest > limit) return null
    before = above
    above = current
  }
  const mistakes = Math.min(...above)
  return mistakes > limit ? null : mistakes
}
