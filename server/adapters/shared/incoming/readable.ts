const LINE_BREAKS_AND_TABS = /[\t\n\r]/g
const CONTROLS = /\p{C}/u
const A_WORD = /\p{L}{2}/u

/**
 * Returns the text in octets declared as binary, because careless gateways send codes so. Returns null for real binary
 * data. Text is UTF-8 or Latin-1, has no control characters, and contains a word. Latin-1 must be mostly ASCII letters,
 * which is rare in binary data.
 */
export function readOctets(octets: Buffer): string | null {
  const utf8 = readUtf8(octets)
  if (utf8 !== null) return isText(utf8) ? utf8 : null
  const latin1 = octets.toString('latin1')
  const letters = latin1.match(/[a-z]/gi)?.length ?? 0
  return isText(latin1) && letters > octets.filter((octet) => octet >= 0x80).length ? latin1 : null
}

export function readUtf8(octets: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return null
  }
}

export function isText(text: string): boolean {
  return A_WORD.test(text) && !CONTROLS.test(text.replaceAll(LINE_BREAKS_AND_TABS, ''))
}
