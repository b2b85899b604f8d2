import { expect, test } from 'vitest'
import { addNumbers } from '#server/adapters/shared/own-numbers/numbers.ts'
import { bindToServer } from '#test/fakes/smpp/bound-peer.ts'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { STATUS } from './wire/pdu.ts'

const [INTERNATIONAL, NATIONAL] = [1, 2]

async function openRange(house: SmppHouse, phones: readonly string[], supplierId = house.supplierId) {
  await house.ctx.db.query({
    text: `INSERT INTO countries (id, name_en, name_ru, iso2, dial, position, visible, retry, rent, multi)
      VALUES (16, 'UK', 'UK', 'gb', '44', 16, true, true, true, true), (27, 'CI', 'CI', 'ci', '225', 27, true, true, true, true),
        (43, 'DE', 'DE', 'de', '49', 43, true, true, true, true)
      ON CONFLICT (id) DO UPDATE SET dial = excluded.dial`,
  })
  const numbers = phones.map((phone) => ({ phone, countryId: 16, operator: 'any' }))
  await addNumbers(house.ctx.db, supplierId, numbers)
}

const RANGE = ['447700100000', '79000000001', '2250700000000', '447911000000', '497911000000', '7911000001']

const CASES: [string, number, string, string][] = [
  ['a trunk zero', 0, '07700100000', '447700100000'],
  ['a trunk zero, called national', NATIONAL, '07700100000', '447700100000'],
  ['no trunk zero, called national', NATIONAL, '7700100000', '447700100000'],
  ['called national, and written in full', NATIONAL, '447700100000', '447700100000'],
  ['called national, with a plus', NATIONAL, '+447700100000', '447700100000'],
  ['a number whose zero stays', NATIONAL, '0700000000', '2250700000000'],
  ['no trunk zero, and not called national', INTERNATIONAL, '7700100000', '7700100000'],
  ['two that fit', NATIONAL, '07911000000', '07911000000'],
  ['one in full, though another fits', NATIONAL, '7911000001', '7911000001'],
  ['none that fits', NATIONAL, '07000000000', '07000000000'],
  ['international by its zeros', 0, '0079000000001', '79000000001'],
]

// B10: a message to `07700100000` with TON 2 was acknowledged, but its buyer never saw it.
test.each(CASES)('B10: %s', async (_, dest_addr_ton, destination_addr, phone) => {
  await using house = await createSmppHouse()
  await openRange(house, RANGE)
  await using bound = await bindToServer(house)
  const fields = { source_addr: 'Bank', dest_addr_ton, destination_addr, short_message: 'Code 1' }
  expect((await bound.peer.request('deliver_sm', fields)).status).toBe(STATUS.ok)
  expect(house.received).toMatchObject([{ phone }])
})

test('B10: a number of another supplier is nobody’s here, and parts find their number too', async () => {
  await using house = await createSmppHouse()
  const { rows } = await house.ctx.db.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('other', 'smpp', '2026-01-01') RETURNING id`,
  })
  await openRange(house, ['447700100000'], rows[0]?.id)
  await openRange(house, ['497700200000'])
  await using bound = await bindToServer(house)
  const send = (destination_addr: string, fields: object) =>
    bound.peer.request('deliver_sm', { source_addr: 'Bank', destination_addr, ...fields })
  await send('07700100000', { short_message: 'Code 1' })
  for (const sequence of [1, 2]) {
    const short_message = Buffer.from([5, 0, 3, 9, 2, sequence, 0x40 + sequence])
    await send(sequence === 1 ? '07700200000' : '+497700200000', { esm_class: 0x40, short_message })
  }
  expect(house.received.map(({ phone, text }) => [phone, text])).toEqual([
    ['07700100000', 'Code 1'],
    ['497700200000', 'AB'],
  ])
})
