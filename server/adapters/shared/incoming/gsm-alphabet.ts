/** The default alphabet of GSM 03.38. The octet 0x1B switches to the extension table for one character. */
const GSM7 =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

const GSM7_EXTENSION: Readonly<Record<number, string>> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
}

const ESCAPE = 0x1b

/** Decodes one character from each octet. Octets above 0x7F are not GSM and are read as Latin-1. */
export function decodeGsm7(octets: Buffer): string {
  let text = ''
  for (let at = 0; at < octets.length; at += 1) {
    const octet = octets.readUInt8(at)
    if (octet !== ESCAPE) {
      text += GSM7[octet] ?? String.fromCharCode(octet)
      continue
    }
    at += 1
    if (at === octets.length) break
    const escaped = octets.readUInt8(at)
    // GSM 03.38 shows an unknown extension as the character of the main table.
    text += escaped === ESCAPE ? ' ' : (GSM7_EXTENSION[escaped] ?? GSM7[escaped] ?? String.fromCharCode(escaped))
  }
  return text
}

const EXTENDED = new Set(Object.values(GSM7_EXTENSION))

export function countSeptets(text: string): number | null {
  let septets = 0
  for (const letter of text) {
    if (EXTENDED.has(letter)) septets += 2
    else if (letter !== '\u001b' && GSM7.includes(letter)) septets += 1
    else return null
  }
  return septets
}
