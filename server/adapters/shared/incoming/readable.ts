const LINE_BREAKS_AND_TABS = /[\t\n\r]/g
const CONTROLS = /\p{C}/u
const A_WORD = /\p{L}{2}/u

/**
 * The text of octets that are announced as data: careless gateways send codes so. Null: it is data. Text is UTF-8 or Latin-1
 * without control characters, and has a word; in Latin-1 most of its letters are ASCII, which is rare in data.
 */
export function readOctets(octets: Buffer): string | null {
  const utf8 = readUtf8(octets)
  if (utf8 !== null) return isText(utf8) ? utf8 : null
  const latin1 = octets.toString('latin1')
  const letters = latin1.match(/[a-z]/gi)?.length ?? 0
  return isText(latin1) && letters > octets.filter((octet) => octet >= 0x80).length ? latin1 : null
}

/** Null: it is no UTF-8. */
export function readUtf8(octets: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return null
  }
}

/** Words, without control characters. */
export function isText(text: string): boolean {
  return A_WORD.test(text) && !CONTROLS.test(text.replaceAll(LINE_BREAKS_AND_TABS, ''))
}
