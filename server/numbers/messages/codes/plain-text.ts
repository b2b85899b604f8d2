/** As much of a text as is looked at: longer than any SMS of ten parts. */
export const MAX_TEXT_LENGTH = 4_000

/**
 * A text with one way to write each thing: compatibility forms (full-width letters, ligatures) made plain, invisible marks
 * of joining and direction taken out, one kind of space, dash and apostrophe. Line breaks stay.
 */
export function toPlain(text: string): string {
  return (
    text
      .slice(0, MAX_TEXT_LENGTH)
      // Made plain, a full-width comma before a digit would look like a decimal one.
      .replace(/[，、。；！？]/g, ', ')
      .normalize('NFKC')
      .replace(INVISIBLE, '')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/[’‘ʼ`´]/g, "'")
      .slice(0, MAX_TEXT_LENGTH)
  )
}

/** Soft hyphen, zero-width space and joiners, marks and isolates of direction, byte order mark, variation selectors. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]/g

/** Digits of every script as ASCII ones. */
export function toAsciiDigits(plain: string): string {
  return plain.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // Every script has its ten digits in a row, and no two rows touch but those of the mathematical alphabets, made plain before.
    let zero = digit.codePointAt(0) ?? 0
    const code = zero
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })
}

/** Lower case without a change of length: a position in it is the same position in the text. `ё` counts as `е`. */
export function fold(plain: string): string {
  const lower = plain.toLowerCase()
  const folded =
    lower.length === plain.length ? lower : Array.from({ length: plain.length }, (_, at) => lowerAt(plain, at))
  return (typeof folded === 'string' ? folded : folded.join('')).replaceAll('ё', 'е')
}

function lowerAt(plain: string, at: number): string {
  const unit = plain.charAt(at)
  const lower = unit.toLowerCase()
  return lower.length === 1 ? lower : unit
}

/** Whether two neighbouring letters belong to one word: digits belong to the words of every such script. */
export function isSameWord(one: number, other: number): boolean {
  const [a, b] = [scriptOf(one), scriptOf(other)]
  if (a === 'none' || b === 'none') return false
  return a === b || a === 'digit' || b === 'digit'
}

type Script = 'none' | 'digit' | 'latin' | 'greek' | 'cyrillic' | 'armenian' | 'hebrew' | 'georgian'

/** `none` for all that is written without spaces, or with endings and articles joined on: words there are substrings. */
function scriptOf(unit: number): Script {
  if (unit < 0x80) return ASCII_SCRIPTS[unit] ?? 'none'
  return SCRIPTS.find(({ from, to }) => unit >= from && unit <= to)?.script ?? 'none'
}

const ASCII_SCRIPTS: readonly Script[] = Array.from({ length: 0x80 }, (_, unit) => {
  const letter = String.fromCharCode(unit)
  if (/[0-9]/.test(letter)) return 'digit'
  return /[A-Za-z_]/.test(letter) ? 'latin' : 'none'
})

const SCRIPTS: readonly { from: number; to: number; script: Script }[] = [
  { from: 0xc0, to: 0x24f, script: 'latin' },
  { from: 0x370, to: 0x3ff, script: 'greek' },
  { from: 0x400, to: 0x52f, script: 'cyrillic' },
  { from: 0x531, to: 0x58f, script: 'armenian' },
  { from: 0x5d0, to: 0x5ea, script: 'hebrew' },
  { from: 0x10a0, to: 0x10ff, script: 'georgian' },
  { from: 0x1e00, to: 0x1eff, script: 'latin' },
]
