/** The maximum length of a text, in characters. An SMS of ten parts is shorter. */
export const MAX_TEXT_LENGTH = 4_000

/** Normalises compatibility forms, invisible characters, spaces, dashes and apostrophes. Line breaks stay. */
export function toPlain(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH && PLAIN.test(text) && !text.includes('  ') && !text.includes('\n\n\n'))
    return text
  return (
    text
      .slice(0, MAX_TEXT_LENGTH)
      // NFKC would turn a full-width comma before a digit into a decimal comma without this replacement.
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

const PLAIN = /^[\n -_a-~]*$/

/** Matches soft hyphens, Arabic elongation, zero-width and direction marks, and variation selectors. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640]|[\ufe00-\ufe0f]/g

export function toAsciiDigits(plain: string): string {
  if (!FROM_FIRST_DIGITS.test(plain)) return plain
  return plain.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    // Unicode lists the ten digits of a script in a row, so the digits before this digit lead to zero. Only
    // mathematical digits adjoin other digits, and NFKC has replaced them.
    let zero = digit.codePointAt(0) ?? 0
    const code = zero
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })
}

const FROM_FIRST_DIGITS = /[\u0660-\uffff]/

/** Converts to lower case without changing positions; `ё` becomes `е`. */
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

/** Returns true if both characters belong to one word. Digits belong to the words of every script. */
export function isSameWord(one: number, other: number): boolean {
  const [a, b] = [scriptOf(one), scriptOf(other)]
  return a !== NONE && b !== NONE && (a === b || a === DIGIT || b === DIGIT)
}

/** Returns true if both characters belong to one word of letters. Unlike in isSameWord, digits end a word. */
export function isSameLetters(one: number, other: number): boolean {
  const script = scriptOf(one)
  return script > DIGIT && script === scriptOf(other)
}

/** Returns true if the text has no visible letter or digit. Filler characters and combining marks are not visible. */
export function isBlank(plain: string): boolean {
  return !/[A-Za-z0-9]/.test(plain) && !/[\p{L}\p{N}]/u.test(plain.replace(/[\u115f\u1160\u3164\uffa0]/g, ''))
}

/**
 * The script number of characters that are no letters, and of scripts without spaces or with joined endings, in which
 * words are found as substrings.
 */
const NONE = 0
const DIGIT = 1

function scriptOf(unit: number): number {
  return SCRIPT_TABLE[unit] ?? NONE
}

/** The first and last letters of each range. Ranges with the same number belong to one script. */
const SCRIPTS: readonly [first: number, last: number, script: number][] = [
  [0x30, 0x39, DIGIT],
  [0x41, 0x5a, 2],
  [0x5f, 0x5f, 2],
  [0x61, 0x7a, 2],
  [0xc0, 0x24f, 2],
  [0x1e00, 0x1eff, 2],
  [0x370, 0x3ff, 3],
  [0x400, 0x52f, 4],
  [0x531, 0x58f, 5],
  [0x5d0, 0x5ea, 6],
  [0x10a0, 0x10ff, 7],
]

const SCRIPT_TABLE = new Uint8Array(0x1f00)
for (const [first, last, script] of SCRIPTS) SCRIPT_TABLE.fill(script, first, last + 1)
