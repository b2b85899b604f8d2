/** A bit set of the characters in a text. Each ASCII letter has its own bit; all other characters share bits. */
export type Letters = { ascii: number; other: number }

const ASCII_END = 128
const LOWER_A = 97
const LETTERS = 26
const PLACES_LEFT = 32 - LETTERS

export function lettersOf(text: string): Letters {
  const letters = { ascii: 0, other: 0 }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= ASCII_END) letters.other |= 1 << code
    else letters.ascii |= 1 << asciiPlace(code)
  }
  return letters
}

function asciiPlace(code: number): number {
  const place = code - LOWER_A
  return place >= 0 && place < LETTERS ? place : LETTERS + (code % PLACES_LEFT)
}

/** Returns true if a text lacks more than `limit` of the wanted characters. This cheap test precedes a search. */
export function lacksMore(text: Letters, wanted: Letters, limit: number): boolean {
  let count = 0
  for (let left = wanted.ascii & ~text.ascii; left !== 0; left &= left - 1) if (++count > limit) return true
  for (let left = wanted.other & ~text.other; left !== 0; left &= left - 1) if (++count > limit) return true
  return false
}
