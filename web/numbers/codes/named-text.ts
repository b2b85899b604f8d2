const MARKS_AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu
const SIGNS = /[.*+?^${}()|[\]\\]/gu

/** Returns true if the text says the sender's name as a word: `Telegram code: 48213`, `[Uber] …`, `Your code for X: …`. */
export function saysName(text: string, name: string): boolean {
  const wanted = name.replaceAll(MARKS_AROUND, '').replaceAll(SIGNS, String.raw`\$&`)
  return wanted !== '' && new RegExp(String.raw`(?<![\p{L}\p{N}])${wanted}(?![\p{L}\p{N}])`, 'iu').test(text)
}
