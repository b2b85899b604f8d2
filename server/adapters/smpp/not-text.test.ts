import { expect, test } from 'vitest'
import type { NotText } from '#server/core/suppliers/supplier.ts'
import { bindToServer } from '#test/fakes/smpp/bound-peer.ts'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { STATUS } from './wire/pdu.ts'

const sms = { source_addr: 'Bank', destination_addr: '79000000001' }
const hex = (text: string) => Buffer.from(text, 'hex')

const WORDS = Buffer.from('code 770004')
const OCTETS = hex('010603ae02056a')
const PORTS = {
  none: '',
  push: '0605040b8423f0',
  session: '060504' + '23f00b84',
  ring: '0605041581' + '0000',
  old: '040402f500',
}

type Sent = { protocol_id: number; data_coding: number; ports: keyof typeof PORTS; body: Buffer }

/** The expected result by 3GPP 23.040 (protocol), 23.038 (coding), and 23.040 and WAP-259 (ports). */
function expected({ protocol_id: protocol, data_coding: coding, ports, body }: Sent): NotText | undefined {
  if (protocol === 0x40) return 'silent'
  if ([0x7c, 0x7d, 0x7e, 0x7f].includes(protocol)) return 'sim-data'
  if ([0x16, 0x36, 0x56, 0x76, 0xf6].includes(coding)) return 'sim-data'
  if ([0x12, 0x32, 0xf2].includes(coding) && body === OCTETS) return 'sim-data'
  if (ports === 'push' || ports === 'session') return 'wap-push'
  if (ports !== 'none') return 'port-addressed'
  if ([0xc0, 0xc8, 0xcf].includes(coding)) return 'indication'
  return [0x02, 0x04, 0x14, 0x15, 0xf4, 0xf5, 0xf7].includes(coding) && body === OCTETS ? 'binary' : undefined
}

const PROTOCOLS = [0x00, 0x01, 0x20, 0x3f, 0x40, 0x41, 0x47, 0x5f, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f, 0x80, 0xc0, 0xff]
const CODINGS = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0e, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x18, 0x1a, 0x32,
  0x36, 0x56, 0x76, 0xc0, 0xc8, 0xcf, 0xd0, 0xd8, 0xe0, 0xef, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xf6, 0xf7,
]

// B1: an indication, a silent message, SIM data and a WAP push each ended an activation and captured its price.
test('B1: protocol, coding and ports tell text from what is none', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  const sent: Sent[] = [...PROTOCOLS.entries()].flatMap(([turn, protocol_id]) =>
    CODINGS.flatMap((data_coding) =>
      (['none', 'push', 'session', 'ring', 'old'] as const)
        // Each protocol and coding is tested without ports, and ports with a few protocols.
        .filter((ports) => ports === 'none' || turn % 5 === 0)
        .flatMap((ports) => [WORDS, OCTETS].map((body) => ({ protocol_id, data_coding, ports, body }))),
    ),
  )
  for (const { protocol_id, data_coding, ports, body } of sent) {
    const short_message = Buffer.concat([hex(PORTS[ports]), body])
    const fields = { ...sms, protocol_id, data_coding, esm_class: ports === 'none' ? 0 : 0x40, short_message }
    expect((await bound.peer.request('deliver_sm', fields)).status).toBe(STATUS.ok)
  }
  const line = ({ protocol_id, data_coding, ports, body }: Sent, notText: NotText | undefined) =>
    `${protocol_id} ${data_coding} ${ports} ${body.toString('hex')}: ${notText}`
  expect(house.received).toHaveLength(sent.length)
  expect(sent.map((one, at) => line(one, house.received[at]?.notText))).toEqual(
    sent.map((one) => line(one, expected(one))),
  )
})

const VOICE = 'You have 2 new messages'
const OTHERS: [string, Record<string, unknown>, NotText | undefined, string][] = [
  ['voice mail, and no octet', { data_coding: 0xc8, short_message: '' }, 'indication', ''],
  ['voice mail that the phone keeps, with a text', { data_coding: 0xd8, short_message: VOICE }, undefined, VOICE],
  ['voice mail that the phone keeps, blank', { data_coding: 0xd8, short_message: '  ' }, 'indication', '  '],
  ['the same in UCS-2', { data_coding: 0xe8, short_message: hex('0020') }, 'indication', ' '],
  ['waiting by header', { esm_class: 0x40, short_message: hex('0401020002') }, 'indication', ''],
  ['waiting by header, kept', { esm_class: 0x40, short_message: hex('0401028002' + '41') }, undefined, 'A'],
  ['waiting by header, kept and blank', { esm_class: 0x40, short_message: hex('0401028002') }, 'indication', ''],
  ['enhanced voice mail', { esm_class: 0x40, short_message: hex('03230100' + '41') }, 'indication', 'A'],
  [
    'a download to the card, by its header',
    { data_coding: 0xf6, protocol_id: 0x7f, esm_class: 0x40, short_message: hex('027000003115') },
    'sim-data',
    '003115',
  ],
  ['a card header alone', { esm_class: 0x40, short_message: hex('027000' + '41') }, 'sim-data', 'A'],
  ['ports in an optional field', { dest_port: 2948, short_message: 'A' }, 'wap-push', 'A'],
  ['any port in an optional field', { dest_port: 5505, short_message: 'A' }, 'port-addressed', 'A'],
  ['a language of the text', { esm_class: 0x40, short_message: hex('0325010141') }, undefined, 'A'],
  [
    'text in UTF-8 as data',
    { data_coding: 4, short_message: Buffer.from('Ваш код 48213') },
    undefined,
    'Ваш код 48213',
  ],
  ['text in Latin-1 as data', { data_coding: 4, short_message: hex('436f64e9203438323133') }, undefined, 'Codé 48213'],
  ['digits as data', { data_coding: 4, short_message: '48213' }, 'binary', '3438323133'],
  ['nothing as data', { data_coding: 4, short_message: '' }, undefined, ''],
  ['text that the card keeps, in UCS-2', { data_coding: 0x1a, short_message: hex('041a043e0434') }, undefined, 'Код'],
  ['a blank text', { short_message: ' \n' }, undefined, ' \n'],
]

test.each(OTHERS)('B1: %s', async (_, fields, notText, text) => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  expect((await bound.peer.request('submit_sm', { ...sms, ...fields })).status).toBe(STATUS.ok)
  const [received] = house.received
  expect([received?.notText, received?.text]).toEqual([notText, text])
})

test('B1: the parts of a WAP push are handed over as such, and do not wait for each other', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  const part = (sequence: number) => ({
    ...sms,
    esm_class: 0x40,
    data_coding: 4,
    short_message: hex(`0b000307020${sequence}05040b8423f00106`),
  })
  await bound.peer.request('deliver_sm', part(1))
  expect(house.received).toMatchObject([{ notText: 'wap-push', text: '0106' }])
})

test('B1: octets in two parts are one message, and data', async () => {
  await using house = await createSmppHouse()
  await using bound = await bindToServer(house)
  for (const sequence of [1, 2]) {
    const short_message = hex(`05000307020${sequence}0${sequence}00`)
    await bound.peer.request('deliver_sm', { ...sms, esm_class: 0x40, data_coding: 4, short_message })
  }
  expect(house.received).toMatchObject([{ notText: 'binary', text: '01000200' }])
})
