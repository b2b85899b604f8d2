/** Interns strings: PostgreSQL's rows repeat a few words, each time as a new string. Returns the first equal one. */
export function internStrings(): <Word extends string>(word: Word) => Word {
  const known = new Map<string, string>()
  return <Word extends string>(word: Word): Word => {
    const first = known.get(word)
    if (first === undefined) known.set(word, word)
    // The cast is safe because the two strings are equal.
    return (first ?? word) as Word
  }
}
