import { findBoundCode, findLinks } from './links.ts'
import { fold } from './plain-text.ts'

/** Links and app hash are blanked. `bound`: the code of the domain-bound last line. */
export type CodeText = { plain: string; folded: string; bound: string | null }

/** `plain`: from toPlain, with ASCII digits. The result has other positions. */
export function readCodeText(plain: string): CodeText {
  const withoutHash = cutHash(plain.trimEnd())
  const folded = fold(withoutHash)
  const bound = findBoundCode(folded)
  let open = withoutHash
  for (const { linked, start, end } of findLinks(folded)) {
    if (linked) open = open.slice(0, start) + ' '.repeat(end - start) + open.slice(end)
  }
  return { plain: open, folded: fold(open), bound }
}

/** The hash may be glued to the code. A plain number or word of eleven characters is no hash. */
function cutHash(text: string): string {
  const end = text.slice(-HASH_LENGTH)
  const isHash = /^[A-Za-z0-9+/]{11}$/.test(end) && /[a-z]/.test(end) && /[A-Z+/]|\d.{0,9}[a-z]/.test(end)
  const isApart = /[\s\d.]$/.test(text.slice(0, -HASH_LENGTH))
  return isHash && isApart ? `${text.slice(0, -HASH_LENGTH)} ` : text
}

const HASH_LENGTH = 11
