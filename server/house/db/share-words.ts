/** Rows of PostgreSQL repeat few words, each time as another string. The function returns the first of those that are equal. */
export function shareWords(): <Word extends string>(word: Word) => Word {
  const known = new Map<string, string>()
  return <Word extends string>(word: Word): Word => {
    const first = known.get(word)
    if (first === undefined) known.set(word, word)
    // A cast, because the equal string is of the same kind.
    return (first ?? word) as Word
  }
}
