const MARKS_BEFORE = /^[^\p{L}\p{N}]+/u
const WORD_GOES_ON = /^[\p{L}\p{N}]/u

/** Returns true if the text begins with the sender's name: `Telegram code: 48213`, `[Uber] …`, `«Uber»: …`. */
export function beginsWithName(text: string, name: string): boolean {
  const [words, wanted] = [text, name].map((one) => one.replace(MARKS_BEFORE, '').toLowerCase())
  if (words === undefined || wanted === undefined || wanted === '' || !words.startsWith(wanted)) return false
  return !WORD_GOES_ON.test(words.slice(wanted.length))
}
