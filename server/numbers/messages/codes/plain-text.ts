/** Longer than any SMS of ten parts. */
export const MAX_TEXT_LENGTH = 4_000

/** Normalises compatibility forms, invisible marks, spaces, dashes and apostrophes; line breaks stay. */
export function toPlain(text: string): string {
  return (
    text
      .slice(0, MAX_TEXT_LENGTH)
      // NFKC would turn a full-width comma before a digit into a decimal one.
      .replace(/[，、；]/g, ', ')
      .replace(/[。！？]/g, '. ')
      .normalize('NFKC')
      .replace(INVISIBLE, '')
      .replace(/([0-9])\u20e3/g, '$1')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .replace(/[‐‑‒–—―−]/g, '-')
      .replace(/[’‘ʼʻ`´]/g, "'")
      .slice(0, MAX_TEXT_LENGTH)
  )
}

/** Soft hyphen, Arabic elongation, zero-width and direction marks, byte order mark, variation selectors. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640]|[\ufe00-\ufe0f]/g

export function toAsciiDigits(plain: string): string {
  return plain.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // Each script's digits are contiguous. Only mathematical alphabets touch, and NFKC has replaced those.
    let zero = digit.codePointAt(0) ?? 0
    const code = zero
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })
}

/** Lower case with equal positions; `ё` counts as `е`. */
export function fold(plain: string): string {
  const lower = plain.toLowerCase()
  const folded =
    lower.length === plain.length ? lower : Array.from({ length: plain.length }, (_, at) => lowerAt(plain, at))
  return (typeof folded === 'string' ? folded : folded.join('')).replaceAll('ё', 'е')
}

function lowerAt(plain: string, at: number): string {
  const unit = plain.charAt(at)
  if (unit === 'İ') return 'i'
  const lower = unit.toLowerCase()
  return lower.length === 1 ? lower : unit
}

/** Digits belong to the words of every script. */
export function isSameWord(one: number, other: number): boolean {
  const [a, b] = [scriptOf(one), scriptOf(other)]
  if (a === 'none' || b === 'none') return false
  return a === b || a === 'digit' || b === 'digit'
}

/** As isSameWord, but digits bound words. */
export function isSameLetters(one: number, other: number): boolean {
  const script = scriptOf(one)
  return script !== 'none' && script !== 'digit' && script === scriptOf(other)
}

/** Only letters and digits that one can see: fillers and marks alone are blank. */
export function isBlank(plain: string): boolean {
  return !/[\p{L}\p{N}]/u.test(plain.replace(/[\u115f\u1160\u3164\uffa0]/g, ''))
}

type Script = 'none' | 'digit' | 'latin' | 'greek' | 'cyrillic' | 'armenian' | 'hebrew' | 'georgian'

/** `none`: scripts without spaces or with joined endings, where words are substrings. */
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
