import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bindToServer } from '#test/fakes/smpp/bound-peer.ts'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { STATUS } from './wire/pdu.ts'
import { senderText } from './wire/sender-text.ts'

const ALPHANUMERIC = 5
const sms = { destination_addr: '79000000001', short_message: 'Code 1' }
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()

const NAMES: [string, Buffer][] = [
  ['Köln-Bank', Buffer.from('Köln-Bank', 'latin1')],
  ['Köln-Bank_', Buffer.from('4b7c6c6e2d42616e6b11', 'hex')],
  ['Сбер', Buffer.from('Сбер')],
  ['Сбер', utf16('Сбер')],
  ['Τράπεζα', utf16('Τράπεζα')],
  ['بنك', utf16('بنك')],
  ['My_Bank', Buffer.from('4d791142616e6b', 'hex')],
  ['GOOGLE_NOW', Buffer.from('GOOGLE_NOW')],
  ['A@b [c]$', Buffer.from('A@b [c]$')],
  ['Pay€', Buffer.from('5061791b65', 'hex')],
  ['Café', Buffer.from('Café', 'latin1')],
  ['Café', Buffer.from('43616605', 'hex')],
  ['Åland', Buffer.from('0e6c616e64', 'hex')],
  ['支付宝', Buffer.from('支付宝')],
  ['O’Neill', Buffer.from('4f924e65696c6c', 'hex')],
  ['+79161234567', Buffer.from('+79161234567')],
  ['900', Buffer.from('900')],
]

// B5: the library dropped the eighth bit, and characters outside printable ASCII were removed.
test('B5: senders arrive as they were written', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  for (const [, source_addr] of NAMES) {
    const fields = { ...sms, source_addr_ton: ALPHANUMERIC, source_addr }
    expect((await bound.peer.request('deliver_sm', fields)).status).toBe(STATUS.ok)
  }
  expect(house.received.map(({ sender }) => sender)).toEqual(NAMES.map(([name]) => name))
})

/** The GSM 03.38 letters at the places of ASCII control characters. Line breaks are removed from senders. */
const GSM_CONTROLS = [...'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ']
const WINDOWS_1252 =
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ' +
  String.fromCharCode(...Array.from({ length: 96 }, (_, at) => 0xa0 + at))

function letterOf(octet: number): string {
  if (octet === 0x7f) return 'à'
  if (octet >= 0x80) return WINDOWS_1252[octet - 0x80] ?? ''
  return octet >= 0x20 ? String.fromCharCode(octet) : (GSM_CONTROLS[octet] ?? '')
}

test('B5: each octet in the middle of a name is one letter', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  const octets = Array.from({ length: 255 }, (_, at) => at + 1)
  for (const octet of octets) {
    const source_addr = Buffer.from([0x41, 0x62, octet, 0x7a, 0x7a])
    const fields = { ...sms, source_addr_ton: ALPHANUMERIC, source_addr, short_message: `Code ${octet}` }
    expect((await bound.peer.request('deliver_sm', fields)).status).toBe(STATUS.ok)
  }
  const wanted = octets.map((octet) => {
    // The octet 0x1b only changes the next letter's meaning, but no letter of this test has a second meaning.
    const letter = octet === 0x1b ? '' : letterOf(octet).replaceAll(/\p{C}/gu, '')
    return `Ab${letter}zz`
  })
  expect(house.received.map(({ sender }) => sender)).toEqual(wanted)
})

test('B5: a name of any octets has no control characters; one of ASCII or UTF-8 stays as it is', () => {
  const runs = { numRuns: randomRuns({ suite: 500, soak: 100_000 }) }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 21 }), (octets) => {
      expect(senderText(Buffer.from(octets))).not.toMatch(/\p{C}/u)
    }),
    runs,
  )
  const name = fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N}_.&' -]{0,9}[\p{L}\p{N}]$/u)
  fc.assert(
    fc.property(name, (text) => {
      expect(senderText(Buffer.from(text))).toBe(text)
    }),
    runs,
  )
})
