import { expect, test } from 'vitest'
import { BrokenStream, FrameReader } from './frame-reader.ts'
import { encodePdu } from './pdu.ts'

test('PDUs are found however the octets are cut', () => {
  const wanted = [1, 2, 3].map((sequence) => encodePdu('deliver_sm', { sequence }, { short_message: 'text' }))
  const stream = Buffer.concat(wanted)
  for (const size of [1, 3, 17, stream.length]) {
    const reader = new FrameReader(512)
    const found: Buffer[] = []
    for (let at = 0; at < stream.length; at += size) found.push(...reader.push(stream.subarray(at, at + size)))
    expect(found).toEqual(wanted)
  }
})

test('an impossible length is refused before its body comes', () => {
  for (const length of [0, 4, 15, 513, 0x48545450]) {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(length)
    expect(() => [...new FrameReader(512).push(head)]).toThrow(BrokenStream)
  }
})
