import { expect, test } from 'vitest'
import { alphabetOf, decodeText } from './alphabet.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

test('data_coding chooses the alphabet', () => {
  const table: [number, string][] = [
    [0x00, 'latin1'], // 0x00 means the default alphabet of the link.
    [0x01, 'ascii'],
    [0x02, 'binary'],
    [0x03, 'latin1'],
    [0x04, 'binary'],
    [0x06, 'iso-8859-5'],
    [0x08, 'ucs2'],
    [0x10, 'gsm7'], // 0x10 marks a flash message.
    [0x14, 'binary'],
    [0x18, 'ucs2'], // 0x18 marks a flash message in UCS-2.
    [0xc8, 'gsm7'], // 0xc8 marks a notice of a waiting message.
    [0xe0, 'ucs2'],
    [0xf0, 'gsm7'], // 0xf0 marks a message of class 0.
    [0xf5, 'binary'],
    [0x0b, 'latin1'], // 0x0b is reserved and read as the default.
  ]
  for (const [coding, alphabet] of table) expect([coding, alphabetOf(coding, 'latin1')]).toEqual([coding, alphabet])
})

test('GSM 03.38 is read whole, as its table says', () => {
  const octets = Buffer.from(Array.from({ length: 128 }, (_, octet) => octet).filter((octet) => octet !== 0x1b))
  expect(decodeText(octets, 'gsm7')).toBe(
    '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
      '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
  )
})

test('the extension table follows the escape', () => {
  expect(decodeText(hex('1b0a1b141b281b291b2f1b3c1b3d1b3e1b401b65'), 'gsm7')).toBe('\f^{}\\[~]|€')
  // An unknown escape gives the main table's character, a double escape a space, a trailing escape nothing.
  expect(decodeText(hex('1b41411b1b421b'), 'gsm7')).toBe('AA B')
})

test('octets above 0x7F are no GSM and are kept as Latin-1', () => {
  expect(decodeText(hex('e9'), 'gsm7')).toBe('é')
})

test('UTF-16 with surrogates, a byte order mark, an odd end, half a pair and NUL', () => {
  expect(decodeText(hex('041a043e04340020d83dde00'), 'ucs2')).toBe('Код 😀')
  expect(decodeText(hex('feff0041'), 'ucs2')).toBe('A')
  expect(decodeText(hex('004100'), 'ucs2')).toBe('A')
  expect(decodeText(hex('0041d83d'), 'ucs2')).toBe('A\ufffd')
  expect(decodeText(hex('00410000'), 'ucs2')).toBe('A')
})

test('other alphabets', () => {
  expect(decodeText(hex('baded4'), 'iso-8859-5')).toBe('Код')
  expect(decodeText(hex('c3a9'), 'utf8')).toBe('é')
  expect(decodeText(hex('e9'), 'latin1')).toBe('é')
  expect(decodeText(hex('436f6465'), 'binary')).toBe('Code')
  expect(decodeText(hex('0001ff'), 'binary')).toBe('0001ff')
})
