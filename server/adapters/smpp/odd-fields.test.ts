import fc from 'fast-check'
import smpp from 'smpp'
import { expect, test } from 'vitest'
import { acceptClient, bindToServer } from '#test/fakes/smpp/bound-peer.ts'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { COMMAND_ID, pduOf, type SmppPeer } from '#test/fakes/smpp/smpp-peer.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { decodePdu, STATUS } from './wire/pdu.ts'

const MODES = [
  ['server', (house: SmppHouse) => bindToServer(house)],
  ['client', acceptClient],
] as const

const sms = { source_addr: 'Bank', destination_addr: '79000000001' }
const TAGS = [...new Map(Object.entries(smpp.tlvs).map(([name, { id }]) => [id, name]))]
const LENGTHS = [0, 1, 2, 3, 4, 5, 65_535]
const MOST_SENT = 5
/** A receipt's fields filled with this octet are valid if they have the right size. */
const FILLED_WITH = 0x31

/** The header of this optional field claims `length` octets, but fewer may follow. */
function tlv(tag: number, length: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(tag)
  head.writeUInt16BE(length, 2)
  return Buffer.concat([head, Buffer.alloc(Math.min(length, MOST_SENT), FILLED_WITH)])
}

function withTail(octets: Buffer, tail: Buffer): Buffer {
  const whole = Buffer.concat([octets, tail])
  whole.writeUInt32BE(whole.length)
  return whole
}

function answerTo(peer: SmppPeer, octets: Buffer) {
  const sequence = octets.readUInt32BE(12)
  peer.sendRaw(octets)
  return peer.next(COMMAND_ID.deliverSmResp).then((answer) => {
    expect(answer.sequence).toBe(sequence)
    return answer.status
  })
}

let lastSequence = 1_000
function deliverSm(text: string): Buffer {
  lastSequence += 1
  return pduOf('deliver_sm', { ...sms, short_message: Buffer.from(text), sequence_number: lastSequence })
}

// B3: one optional field of an odd size ended the link, and again at each bind.
test.each(MODES)('B3, %s: whatever is in an optional field, its PDU and the next are answered', async (_, bind) => {
  await using house = await createSmppHouse()
  await using bound = await bind(house)
  const { peer } = bound
  const wanted: string[] = []
  for (const [tag, name] of TAGS) {
    for (const length of LENGTHS) {
      const odd = `${name.replaceAll('_', ' ')} of ${length}`
      const good = `behind ${odd}`
      expect([odd, await answerTo(peer, withTail(deliverSm(odd), tlv(tag, length)))]).toEqual([odd, STATUS.ok])
      expect([good, await answerTo(peer, deliverSm(good))]).toEqual([good, STATUS.ok])
      wanted.push(odd, good)
    }
  }
  expect(TAGS.length).toBeGreaterThan(50)
  const isReceipt = (text: string) => /^receipted message id of [1-5]$/.test(text)
  expect(house.received.map(({ text }) => text)).toEqual(wanted.filter((text) => !isReceipt(text)))
})

test.each(MODES)('B3, %s: a PDU that ends anywhere is refused alone, under its own number', async (_, bind) => {
  await using house = await createSmppHouse()
  await using bound = await bind(house)
  const { peer } = bound
  const whole = deliverSm('cut')
  // If the text is cut, the octets that arrived are accepted.
  const mandatory = whole.length - 'cut'.length
  for (let length = 16; length < whole.length; length += 1) {
    const cut = Buffer.from(whole.subarray(0, length))
    cut.writeUInt32BE(length)
    cut.writeUInt32BE(length, 12)
    expect([length, await answerTo(peer, cut)]).toEqual([
      length,
      length < mandatory ? STATUS.invalidCommandLength : STATUS.ok,
    ])
  }
  expect(await answerTo(peer, whole)).toBe(STATUS.ok)
})

test('B3: no octets behind a header make the reading of a PDU fail', () => {
  const commands = Object.values(smpp.commands).map(({ id }) => id)
  const frame = fc.record({ id: fc.constantFrom(...commands), body: fc.uint8Array({ maxLength: 200 }) })
  fc.assert(
    fc.property(frame, ({ id, body }) => {
      const head = Buffer.alloc(16)
      head.writeUInt32BE(16 + body.length)
      head.writeUInt32BE(id, 4)
      head.writeUInt32BE(77, 12)
      expect(decodePdu(Buffer.concat([head, body])).sequence).toBe(77)
    }),
    { numRuns: randomRuns({ suite: 500, soak: 100_000 }) },
  )
})
