import { expect, test } from 'vitest'
import { pduOf } from '#test/fakes/smpp/smpp-peer.ts'
import { decodePdu, type PduFields, STATUS } from './pdu.ts'
import { readMessage } from './read-message.ts'

function read(fields: PduFields, command = 'deliver_sm') {
  const base = { source_addr: 'Telegram', destination_addr: '79000000001', data_coding: 0 }
  return readMessage(decodePdu(pduOf(command, { ...base, ...fields })))
}

function part(fields: PduFields, command?: string) {
  const result = read(fields, command)
  if (result.outcome !== 'message') throw new Error(`a message was expected, not ${result.outcome}`)
  return result.part
}

const hex = (text: string) => Buffer.from(text, 'hex')

test('a plain message: addresses and raw octets', () => {
  expect(part({ short_message: hex('d83d'), data_coding: 8 })).toEqual({
    phone: '79000000001',
    sender: 'Telegram',
    dataCoding: 8,
    body: hex('d83d'),
    partOf: null,
  })
})

test('user data headers, 8-bit and 16-bit, also after other elements', () => {
  const body = hex('616263')
  const table: [string, object][] = [
    ['0500037a0302', { kind: 'udh8', reference: 0x7a, total: 3, sequence: 2 }],
    ['060804abcd0a0a', { kind: 'udh16', reference: 0xabcd, total: 10, sequence: 10 }],
    ['082501010003010201', { kind: 'udh8', reference: 1, total: 2, sequence: 1 }],
  ]
  for (const [header, partOf] of table) {
    const short_message = Buffer.concat([hex(header), body])
    expect(part({ short_message, esm_class: 0x40 })).toMatchObject({ body, partOf })
    // The user data header is recognised with a reply path too, and in the optional field for long bodies.
    expect(part({ short_message, esm_class: 0xc0 })).toMatchObject({ body, partOf })
    expect(part({ message_payload: short_message, esm_class: 0x40 })).toMatchObject({ body, partOf })
  }
})

test('SAR segments, message_payload and data_sm', () => {
  const sar = { sar_msg_ref_num: 513, sar_total_segments: 3, sar_segment_seqnum: 1 }
  const payload = Buffer.alloc(700, 0x61)
  expect(part({ message_payload: payload, ...sar }, 'data_sm')).toMatchObject({
    body: payload,
    partOf: { kind: 'sar', reference: 513, total: 3, sequence: 1 },
  })
})

test('numberings and headers that cannot be are not believed, and the text is kept', () => {
  for (const header of ['0500037a0300', '0500037a0304', '0500037a0001', '0500037a0101', '0400037a03'])
    expect(part({ short_message: Buffer.concat([hex(header), hex('61')]), esm_class: 0x40 }).partOf).toBeNull()
  expect(part({ short_message: hex('ff6162'), esm_class: 0x40 })).toMatchObject({ body: hex('ff6162'), partOf: null })
})

test('delivery reports are no messages', () => {
  for (const esm_class of [0x04, 0x08, 0x20, 0x44])
    expect(read({ esm_class, short_message: 'id:1 stat:DELIVRD' })).toEqual({ outcome: 'receipt' })
  expect(read({ esm_class: 0x03, short_message: 'x' }).outcome).toBe('message')
})

test('numbers are brought to digits with the country code', () => {
  for (const destination_addr of ['+79000000001', '0079000000001', '7 900 000-00-01'])
    expect(part({ destination_addr }).phone).toBe('79000000001')
  for (const destination_addr of ['', 'nobody', '1'.repeat(21)])
    expect(read({ destination_addr })).toEqual({ outcome: 'refused', status: STATUS.invalidDestination })
})

test('a malformed validity period or TLV of no concern does not spoil a message', () => {
  expect(part({ validity_period: '1R', callback_num: [Buffer.alloc(0)], short_message: hex('61') }).body).toEqual(
    hex('61'),
  )
})
