import { expect, test } from 'vitest'
import { transaction } from '#server/house/db/transaction.ts'
import {
  activationOrder,
  activationStock,
  fillRange,
  hearMessage,
  held,
  openRange,
  outcomeOf,
  rentOrder,
  signal,
} from '#test/builders/suppliers/smpp-renting.ts'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'

// Checklist 3.7: a rented number belongs to its buyer alone, whatever the service.
test('a rented number is sold to nobody else, for nothing, until it is given back', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 1)
  const { supplier, rent } = openRange(house)
  const expected = { outcome: 'bought', supplierReference: 'r1-1', phone: '79000000001', operator: 'mts' }
  expect(await rent.rent(rentOrder('r1-1'), signal)).toEqual({ ...expected, costMicros: 3_000_000n })
  const refusals = async (turn: number) => [
    outcomeOf(await supplier.buy(activationOrder(`tg-${turn}`), signal)),
    outcomeOf(await supplier.buy(activationOrder(`wa-${turn}`, 'wa'), signal)),
    outcomeOf(await rent.rent(rentOrder(`r2-${turn}`), signal)),
    outcomeOf(await rent.rent(rentOrder(`r3-${turn}`, { serviceCode: 'tg' }), signal)),
  ]
  const none = ['no-numbers', 'no-numbers', 'no-numbers', 'no-numbers']
  expect(await refusals(1)).toEqual(none)
  expect(await activationStock({ supplier, rent }, 'wa')).toEqual([])
  await supplier.end(held('r1-1'), 'cancelled', signal)
  expect(await refusals(2)).toEqual(none)
  await rent.endRental(held('r1-1'), signal)
  await rent.endRental(held('r1-1'), signal)
  expect(outcomeOf(await supplier.buy(activationOrder('tg-3'), signal))).toBe('79000000001')
  expect(outcomeOf(await rent.rent(rentOrder('r4-1'), signal))).toBe('no-numbers')
  expect(outcomeOf(await rent.rent(rentOrder('r5-1', { serviceCode: 'tg' }), signal))).toBe('no-numbers')
  await supplier.end(held('tg-3'), 'cancelled', signal)
  expect(outcomeOf(await rent.rent(rentOrder('r6-1', { serviceCode: 'tg' }), signal))).toBe('79000000001')
  expect(outcomeOf(await supplier.buy(activationOrder('wa-4', 'wa'), signal))).toBe('no-numbers')
})

test('at once, twenty renters and twenty buyers, one number: one of them has it', async () => {
  await using house = await createSmppHouse()
  const { supplier, rent } = openRange(house)
  for (let round = 0; round < 4; round += 1) {
    const operator = `round-${round}`
    await fillRange(house, 1, { operator, from: 79_000_000_001 + round })
    if (round % 2 === 1) {
      // After this cancelled order, the query finds the number among the returned ones instead of the never offered
      // ones.
      await supplier.buy({ ...activationOrder(`${round}-before`), operator }, signal)
      await supplier.end(held(`${round}-before`), 'cancelled', signal)
    }
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => [
        supplier.buy({ ...activationOrder(`${round}-${n}`, n % 2 === 0 ? 'tg' : 'wa'), operator }, signal),
        rent.rent(rentOrder(`r${round}-${n}`, { operator, serviceCode: n % 3 === 0 ? 'tg' : 'full' }), signal),
      ]).flat(),
    )
    const won = results.flatMap((result, place) =>
      result.outcome !== 'bought' ? [] : place % 2 === 1 ? ['rented'] : place % 4 === 0 ? ['tg'] : ['wa'],
    )
    // Either one rental wins alone, or only activations win, at most one for each service.
    const alone = won.includes('rented') ? ['rented'] : [...new Set(won)]
    expect({ round, won }).toEqual({ round, won: alone })
    expect(won).not.toEqual([])
    expect(results.every((result) => result.outcome === 'bought' || result.reason === 'no-numbers')).toBe(true)
  }
})

test('twenty renters at once, twenty numbers: each has one of their own, also when a number is given back', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 20)
  const { rent } = openRange(house)
  const all = (turn: number) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => rent.rent(rentOrder(`r${n}-${turn}`), signal)))
  expect(new Set((await all(1)).map(outcomeOf)).size).toBe(20)
  const [, ...others] = await Promise.all([
    ...Array.from({ length: 10 }, (_, n) => rent.endRental(held(`r${n}-1`), signal)),
    ...Array.from({ length: 10 }, (_, n) => rent.rent(rentOrder(`again-${n}`), signal)),
  ])
  const more = await all(2)
  const phones = [...others, ...more].filter((result) => typeof result === 'object').map(outcomeOf)
  expect(phones.filter((phone) => phone !== 'no-numbers')).toHaveLength(10)
  expect(new Set(phones).size).toBe(11)
})

test('an activation that is being sold is waited for, and then seen', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 1)
  const { rent } = openRange(house)
  const { db } = house.ctx
  let settled = false
  const { renting } = await transaction(db, async (tx) => {
    // The transaction runs the statements of a sale, up to the commit.
    await tx.query({ text: 'SELECT FROM smpp_numbers FOR SHARE' })
    await tx.query({
      text: `INSERT INTO smpp_number_uses SELECT phone, 'wa', supplier_id, country_id, operator, 'leased', 1, now()
        FROM smpp_numbers`,
    })
    const renting = rent.rent(rentOrder('r1-1'), signal).finally(() => {
      settled = true
    })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while (!settled && (await db.query({ text: waiting })).rowCount === 0);
    return { renting }
  })
  expect(outcomeOf(await renting)).toBe('no-numbers')
})

test('the same reference rents the same number; one that was asked for and had none never will', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 20)
  const { rent } = openRange(house)
  const results = await Promise.all(Array.from({ length: 10 }, () => rent.rent(rentOrder('r1-1'), signal)))
  expect(new Set(results.map(outcomeOf)).size).toBe(1)
  expect(await rent.findRental('r1-1', signal)).toEqual(results[0])
  expect(await rent.findRental('r2-1', signal)).toEqual({ outcome: 'none' })
  expect(await rent.rent(rentOrder('r2-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  const [rented, found] = await Promise.all([rent.rent(rentOrder('r3-1'), signal), rent.findRental('r3-1', signal)])
  expect(found.outcome === 'bought').toBe(rented.outcome === 'bought')
  await rent.endRental(held('r1-1'), signal)
  expect(await rent.rent(rentOrder('r1-1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
})

test('after a message a number is spent for its service, and a whole number for all; without one it comes back', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 1)
  const { supplier, rent } = openRange(house)
  for (const turn of [1, 2, 3, 4]) {
    const order = rentOrder(`r${turn}-1`, { buyerId: turn })
    expect(outcomeOf(await rent.rent(order, signal))).toBe('79000000001')
    await rent.endRental(held(`r${turn}-1`), signal)
    house.advance(20 * 60)
  }
  expect(outcomeOf(await rent.rent(rentOrder('r5-1'), signal))).toBe('no-numbers')
  await hearMessage(house, '79000000001')
  house.advance(60)
  await rent.rent(rentOrder('r6-1', { serviceCode: 'tg' }), signal)
  await rent.endRental(held('r6-1'), signal)
  expect(outcomeOf(await rent.rent(rentOrder('r7-1', { serviceCode: 'tg' }), signal))).toBe('79000000001')
  await house.ctx.db.query({ text: 'UPDATE messages SET received_at = $1', values: [house.ctx.clock.now()] })
  await rent.endRental(held('r7-1'), signal)
  expect(outcomeOf(await rent.rent(rentOrder('r8-1', { serviceCode: 'tg' }), signal))).toBe('no-numbers')
  expect(outcomeOf(await supplier.buy(activationOrder('tg-1'), signal))).toBe('no-numbers')
  expect(outcomeOf(await supplier.buy(activationOrder('wa-1', 'wa'), signal))).toBe('79000000001')
  await fillRange(house, 1, { from: 79_100_000_001 })
  await supplier.buy(activationOrder('tg-2'), signal)
  await supplier.end(held('tg-2'), 'finished', signal)
  expect(outcomeOf(await rent.rent(rentOrder('r9-1'), signal))).toBe('no-numbers')
  await fillRange(house, 1, { from: 79_200_000_001 })
  expect(outcomeOf(await rent.rent(rentOrder('r10-1'), signal))).toBe('79200000001')
  await hearMessage(house, '79200000001')
  await rent.endRental(held('r10-1'), signal)
  expect(outcomeOf(await rent.rent(rentOrder('r11-1'), signal))).toBe('no-numbers')
  expect(outcomeOf(await supplier.buy(activationOrder('tg-3'), signal))).toBe('no-numbers')
  await fillRange(house, 1, { from: 79_200_000_001 })
  expect(outcomeOf(await rent.rent(rentOrder('r12-1'), signal))).toBe('no-numbers')
})

test('a number given back is found again, however far the search for new ones has come', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 3_000)
  const { supplier, rent } = openRange(house)
  expect(outcomeOf(await rent.rent(rentOrder('r1-1'), signal))).toBe('79000000001')
  await house.ctx.db.query({
    text: `INSERT INTO smpp_number_uses SELECT phone, 'tg', supplier_id, country_id, operator, 'spent', 1, now()
      FROM smpp_numbers WHERE phone NOT IN ('79000000001', '79000003000')`,
  })
  expect(outcomeOf(await supplier.buy(activationOrder('tg-1'), signal))).toBe('79000003000')
  await rent.endRental(held('r1-1'), signal)
  expect(outcomeOf(await supplier.buy(activationOrder('tg-2'), signal))).toBe('79000000001')
})
