/** Creates a function that returns the first string equal to its argument, which saves memory in repetitive rows. */
export function internStrings(): <Word extends string>(word: Word) => Word {
  const known = new Map<string, string>()
  return <Word extends string>(word: Word): Word => {
    const first = known.get(word)
    if (first === undefined) known.set(word, word)
    // The cast is safe because `first` and `word` are equal strings.
    return (first ?? word) as Word
  }
}
