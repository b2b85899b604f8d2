import { expect, test } from 'vitest'
import { bindToServer } from '#test/fakes/smpp/bound-peer.ts'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { STATUS } from './wire/pdu.ts'

const sms = { source_addr: '79160000001', destination_addr: '79000000001' }
const WHOLE =
  'id:998877 sub:001 dlvrd:001 submit date:2601010101 done date:2601010102 stat:DELIVRD err:000 text:code 998877'
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()
const reference = Buffer.from('998877\0')

const RECEIPTS: [string, Record<string, unknown>][] = [
  ['by esm_class', { esm_class: 0x04, short_message: 'code 998877' }],
  ['by esm_class, intermediate', { esm_class: 0x20, short_message: 'code 998877' }],
  ['by the id of a message', { receipted_message_id: reference, short_message: 'code 998877' }],
  ['by a state', { message_state: 2, short_message: 'code 998877' }],
  ['by both, without words', { receipted_message_id: reference, message_state: 2, short_message: '' }],
  ['by its words', { short_message: WHOLE }],
  ['by its words, in UCS-2', { short_message: utf16(WHOLE), data_coding: 8 }],
  ['by its words, in message_payload', { short_message: '', message_payload: WHOLE }],
  [
    'without the counts',
    { short_message: 'id:1a-2b submit date:2601010101 done date:2601010102 stat:UNDELIV err:027' },
  ],
  ['in capitals, in another order', { short_message: 'ID:77 DONE DATE:260101 STAT:EXPIRED ERR:1' }],
]

// B8: receipts without the bits of `esm_class` were shown in a rental, with their id as the code.
test.each(RECEIPTS)('B8: a receipt %s is acknowledged and dropped', async (_, fields) => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  for (const command of ['deliver_sm', 'submit_sm']) {
    expect((await bound.peer.request(command, { ...sms, ...fields })).status).toBe(STATUS.ok)
  }
  expect(house.calls).toEqual([])
})

test('B8: a receipt in two parts is dropped as well, and once', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  const cut = [WHOLE.slice(0, 60), WHOLE.slice(60)]
  for (const [at, words] of cut.entries()) {
    const short_message = Buffer.concat([Buffer.from([5, 0, 3, 9, 2, at + 1]), Buffer.from(words)])
    expect((await bound.peer.request('deliver_sm', { ...sms, esm_class: 0x40, short_message })).status).toBe(STATUS.ok)
  }
  expect(house.calls).toEqual([])
  const { rows } = await house.ctx.db.query({ text: 'SELECT FROM smpp_long_messages WHERE delivered_at IS NULL' })
  expect(rows).toEqual([])
})

test('B8: a text that only resembles one is a message', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  const texts = ['id:998877', 'Your id: 998877 stat: ok', 'id:1 stat:good sub:2', `Fwd: ${WHOLE}`, 'stat:DELIVRD err:0']
  for (const text of texts) await bound.peer.request('deliver_sm', { ...sms, short_message: text })
  await bound.peer.request('deliver_sm', { ...sms, message_state: 0, short_message: 'no state' })
  expect(house.received.map(({ text }) => text)).toEqual([...texts, 'no state'])
})
