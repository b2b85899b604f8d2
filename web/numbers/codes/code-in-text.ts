/** A code may be written with separators, as 833-854 or 833 854. */
const BETWEEN = '[-\\s\\u2010-\\u2013]?'

export function findCodeIn(text: string, code: string): { start: number; end: number } | null {
  const characters = [...code].map((each) =>
    each.replace(/[^\p{L}\p{N}]/u, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`),
  )
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${characters.join(BETWEEN)}(?![\\p{L}\\p{N}])`, 'u').exec(text)
  const start = found?.index ?? text.indexOf(code)
  return start < 0 ? null : { start, end: start + (found?.[0].length ?? code.length) }
}
