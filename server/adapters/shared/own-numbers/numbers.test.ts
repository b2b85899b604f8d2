import { expect, test } from 'vitest'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { addNumbers, disableNumbers } from './numbers.ts'

const number = (phone: string, operator = 'mts', countryId = 0) => ({ phone, countryId, operator })

test('numbers are added once; moved, disabled and enabled again', async () => {
  await using house = await createSmppHouse()
  const { db } = house.ctx
  const both = [number('79000000001'), number('79000000002')]
  expect(await addNumbers(db, house.supplierId, [...both, number('79000000001')])).toEqual({
    written: 2,
    unchanged: 0,
    taken: [],
  })
  expect(await addNumbers(db, house.supplierId, both)).toMatchObject({ written: 0, unchanged: 2 })
  expect(await disableNumbers(db, house.supplierId, ['79000000001', '79999999999'])).toBe(1)
  expect(await disableNumbers(db, house.supplierId, ['79000000001'])).toBe(0)
  expect(await addNumbers(db, house.supplierId, [...both.slice(0, 1), number('79000000002', 'beeline')])).toMatchObject(
    {
      written: 2,
      unchanged: 0,
    },
  )
  const { rows } = await db.query({ text: 'SELECT phone, operator, enabled FROM smpp_numbers ORDER BY phone' })
  expect(rows).toEqual([
    { phone: '79000000001', operator: 'mts', enabled: true },
    { phone: '79000000002', operator: 'beeline', enabled: true },
  ])
})

test('a number that moves to another operator keeps its past', async () => {
  await using house = await createSmppHouse()
  const { db } = house.ctx
  await addNumbers(db, house.supplierId, [number('79000000001')])
  await db.query({
    text: `INSERT INTO smpp_number_uses VALUES ('79000000001', 'tg', $1, 0, 'mts', 'spent', 1, now())`,
    values: [house.supplierId],
  })
  await addNumbers(db, house.supplierId, [number('79000000001', 'beeline', 6)])
  const { rows } = await db.query({ text: 'SELECT country_id, operator, state FROM smpp_number_uses' })
  expect(rows).toEqual([{ country_id: 6, operator: 'beeline', state: 'spent' }])
})

test('a number of another supplier stays where it is', async () => {
  await using house = await createSmppHouse()
  const { db } = house.ctx
  const { rows } = await db.query<{ id: number }>({
    text: `INSERT INTO suppliers (code, kind, created_at) VALUES ('other', 'smpp', now()) RETURNING id`,
  })
  await addNumbers(db, rows[0]?.id ?? 0, [number('79000000001')])
  expect(await addNumbers(db, house.supplierId, [number('79000000001', 'beeline'), number('79000000002')])).toEqual({
    written: 1,
    unchanged: 0,
    taken: ['79000000001'],
  })
})

test('bad numbers are named, and then none is written', async () => {
  await using house = await createSmppHouse()
  const { db } = house.ctx
  const bad = [number('79000000001'), number('+79000000002'), number('123'), number('79000000003', 'MTS Россия')]
  await expect(addNumbers(db, house.supplierId, bad)).rejects.toThrow(/"\+79000000002".*"123".*"MTS Россия"/)
  const twice = [number('79000000001'), number('79000000001', 'beeline')]
  await expect(addNumbers(db, house.supplierId, twice)).rejects.toThrow(/79000000001 is named twice/)
  await expect(addNumbers(db, house.supplierId, [number('79000000001', 'mts', 9_999)])).rejects.toThrow(/country/)
  const { rows } = await db.query({ text: 'SELECT phone FROM smpp_numbers' })
  expect(rows).toEqual([])
})
