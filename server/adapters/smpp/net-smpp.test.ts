import { expect, test } from 'vitest'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { startNetSmppSmsc } from '#test/fakes/smpp/smpp-smsc.ts'
import { requirePerlModule } from '#test/harness/programs.ts'
import { createSmppSupplier } from './smpp-supplier.ts'

const perl = requirePerlModule('Net::SMPP')

function createClient({ ctx, supplierId, receive }: SmppHouse, port: number, changes: Record<string, unknown> = {}) {
  const settings = {
    mode: 'client',
    currency: 'rub',
    services: [],
    hosts: [{ host: '127.0.0.1', port }],
    systemId: 'ringpost',
    password: 'secret',
    systemType: 'otp',
    reconnectSeconds: 0.05,
    ...changes,
  }
  return createSmppSupplier(ctx, { id: supplierId, code: 'carrier', kind: 'smpp', settings }, receive)
}

/** Splits a UCS-2 text into three parts with an 8-bit reference, cut in the middle of an emoji. */
function threeParts(text: string, reference: string): string[] {
  const octets = Buffer.from(text, 'utf16le').swap16()
  return [octets.subarray(0, 10), octets.subarray(10, 20), octets.subarray(20)].map(
    (body, index) => `050003${reference}030${index + 1}${body.toString('hex')}`,
  )
}

const message = { from: 'Bank', to: '79000000001', esm_class: 0x40, data_coding: 8 }

test.skipIf(perl === undefined)('a carrier of Net::SMPP: bind, three parts, three acknowledgements', async () => {
  await using house = await createSmppHouse()
  await using smsc = await startNetSmppSmsc(perl ?? '')
  const supplier = createClient(house, smsc.port)
  await supplier.start()
  const [bind] = await smsc.seen('bind_receiver')
  expect(bind).toMatchObject({ system_id: 'ringpost', password: 'secret', system_type: 'otp', interface_version: 0x34 })
  // Code units 0 to 4 are "Код:" and half of the emoji, so its surrogate pair is cut.
  const text = 'Код:😀 123-456 никому'
  const [first = '', second = '', third = ''] = threeParts(text, '2a')
  for (const [seq, hex] of [
    [901, third],
    [902, first],
    [903, second],
  ] as const)
    smsc.deliver({ ...message, seq, hex })
  const answers = await smsc.seen('deliver_sm_resp', 3)
  expect(answers.map(({ seq, status }) => [seq, status]).sort()).toEqual([
    [901, 0],
    [902, 0],
    [903, 0],
  ])
  expect(house.received.map((sms) => sms.text)).toEqual([text])
  smsc.ask()
  expect(await smsc.seen('enquire_link_resp')).toHaveLength(1)
  await supplier.stop()
  expect(await smsc.seen('unbind')).toHaveLength(1)
})

test.skipIf(perl === undefined)('the answer is sent after the intake, and says "later" when it fails', async () => {
  await using house = await createSmppHouse()
  await using smsc = await startNetSmppSmsc(perl ?? '')
  const supplier = createClient(house, smsc.port, { bindAs: 'transceiver' })
  await supplier.start()
  await smsc.seen('bind_transceiver')
  house.failIntake(1)
  smsc.deliver({ ...message, seq: 901, esm_class: 0, hex: '0031' })
  expect(await smsc.seen('deliver_sm_resp')).toMatchObject([{ seq: 901, status: 0x64 }])
  const release = house.holdIntake()
  smsc.deliver({ ...message, seq: 901, esm_class: 0, hex: '0031' })
  await house.called(2)
  // A later request is answered while the message still waits, so an early acknowledgement would have arrived by now.
  smsc.ask()
  await smsc.seen('enquire_link_resp')
  expect(await smsc.seen('deliver_sm_resp')).toHaveLength(1)
  release()
  expect(await smsc.seen('deliver_sm_resp', 2)).toMatchObject([{}, { seq: 901, status: 0 }])
  expect(house.received.map((sms) => sms.text)).toEqual(['1'])
  await supplier.stop()
})

test.skipIf(perl === undefined)(
  'the link comes back after a loss, and parts of before and after make one text',
  async () => {
    await using house = await createSmppHouse()
    await using smsc = await startNetSmppSmsc(perl ?? '')
    const supplier = createClient(house, smsc.port)
    await supplier.start()
    const [first = '', second = '', third = ''] = threeParts('до и после разрыва', '07')
    await smsc.seen('bind_receiver')
    smsc.deliver({ ...message, seq: 901, hex: first })
    await smsc.seen('deliver_sm_resp')
    smsc.drop()
    await smsc.seen('bind_receiver', 2)
    smsc.deliver({ ...message, seq: 1, hex: second })
    smsc.deliver({ ...message, seq: 2, hex: third })
    await smsc.seen('deliver_sm_resp', 3)
    expect(house.received.map((sms) => sms.text)).toEqual(['до и после разрыва'])
    await supplier.stop()
  },
)

test.skipIf(perl === undefined)('a carrier that no longer answers is left and found again', async () => {
  await using house = await createSmppHouse()
  await using smsc = await startNetSmppSmsc(perl ?? '')
  const supplier = createClient(house, smsc.port, { enquireLinkSeconds: 0.05, responseSeconds: 2 })
  await supplier.start()
  await smsc.seen('enquire_link', 3)
  expect(await smsc.seen('bind_receiver')).toHaveLength(1)
  smsc.answerEnquireLink(false)
  const [lost] = await house.logged('the SMSC link was lost')
  expect(lost?.fields).toMatchObject({ supplier: 'carrier', reason: 'no answer to enquire_link' })
  smsc.answerEnquireLink(true)
  await smsc.seen('bind_receiver', 2)
  await supplier.stop()
})
