import { decodeGsm7 } from '#server/adapters/shared/incoming/gsm-alphabet.ts'
import { readOctets } from '#server/adapters/shared/incoming/readable.ts'

export const ALPHABETS = ['gsm7', 'ascii', 'latin1', 'utf8', 'ucs2'] as const
export type DefaultAlphabet = (typeof ALPHABETS)[number]

export type Alphabet = DefaultAlphabet | 'binary' | 'iso-8859-5' | 'iso-8859-8' | 'shift_jis' | 'euc-kr'

/**
 * Returns the alphabet of a data_coding (SMPP 3.4, section 5.2.19). The coding groups of GSM 03.38 are recognised,
 * because carriers pass them on.
 */
export function alphabetOf(dataCoding: number, defaultAlphabet: DefaultAlphabet): Alphabet {
  const known = SMPP_CODINGS[dataCoding]
  if (known !== undefined) return known
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? 'gsm7' : 'binary'
  if (dataCoding >= 0xe0) return 'ucs2'
  if (dataCoding >= 0xc0) return 'gsm7'
  if (dataCoding >= 0x10 && dataCoding < 0x80) return GENERAL_GROUP[(dataCoding >> 2) & 0x03] ?? 'gsm7'
  return defaultAlphabet
}

const SMPP_CODINGS: Readonly<Record<number, Alphabet>> = {
  1: 'ascii',
  2: 'binary',
  3: 'latin1',
  4: 'binary',
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  8: 'ucs2',
  14: 'euc-kr',
}

/** The alphabets of GSM 03.38's general data coding group, by bits 3 and 2. */
const GENERAL_GROUP: readonly Alphabet[] = ['gsm7', 'binary', 'ucs2', 'gsm7']

/** Decodes a text and never fails. Unreadable octets become U+FFFD. NUL is dropped, because PostgreSQL refuses it. */
export function decodeText(octets: Buffer, alphabet: Alphabet): string {
  return decode(octets, alphabet).replaceAll('\0', '').toWellFormed()
}

function decode(octets: Buffer, alphabet: Alphabet): string {
  switch (alphabet) {
    case 'gsm7':
      return decodeGsm7(octets)
    case 'ascii':
    case 'latin1':
      // Peers that declare IA5 but send accents mean Latin-1, a superset of ASCII.
      return octets.toString('latin1')
    case 'utf8':
      return octets.toString('utf8')
    case 'ucs2':
      return decodeUtf16(octets)
    case 'binary':
      return readOctets(octets) ?? octets.toString('hex')
    case 'iso-8859-5':
    case 'iso-8859-8':
    case 'shift_jis':
    case 'euc-kr':
      return new TextDecoder(alphabet).decode(octets)
    default:
      return alphabet satisfies never
  }
}

/** Decodes big-endian UTF-16. An odd last octet belongs to no character. */
function decodeUtf16(octets: Buffer): string {
  const whole = Buffer.from(octets.subarray(0, octets.length - (octets.length % 2)))
  const text = whole.swap16().toString('utf16le')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
