import { expect, test } from 'vitest'
import type { RentalExtension } from '#server/core/suppliers/supplier.ts'
import {
  activationOrder,
  activationStock,
  fillRange,
  held,
  openRange,
  outcomeOf,
  type Renting,
  rentOrder,
  signal,
} from '#test/builders/suppliers/smpp-renting.ts'
import { createSmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { addNumbers, disableNumbers } from './numbers.ts'

async function offersOf({ rent }: Renting) {
  const offers = await rent.listRentOffers(signal)
  return offers
    .map((offer) => [offer.serviceCode, offer.countryId, offer.operator, offer.hours, offer.stock, offer.costMicros])
    .sort()
}

test('offers: each length with its cost, and the numbers that nobody has and nothing has spent', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 6)
  await fillRange(house, 1, { countryId: 6, operator: 'telkomsel', from: 62_100_000_001 })
  const shop = openRange(house)
  const { supplier, rent } = shop
  const indonesia = (stock: number) => [
    ['full', 6, 'telkomsel', 168, stock, 15_000_000n],
    ['full', 6, 'telkomsel', 24, stock, 4_000_000n],
    ['full', 6, 'telkomsel', 720, stock, 40_000_000n],
    ['tg', 6, 'telkomsel', 24, stock, 2_000_000n],
  ]
  const russia = (full: number, tg: number) =>
    [
      ['full', 0, 'mts', 168, full, 15_000_000n],
      ['full', 0, 'mts', 24, full, 3_000_000n],
    ].concat(indonesia(1).slice(0, 3), [['tg', 0, 'mts', 24, tg, 2_000_000n]], indonesia(1).slice(3))
  expect(await offersOf(shop)).toEqual(russia(6, 6))
  for (const [reference, service] of [
    ['a', 'wa'],
    ['b', 'wa'],
    ['c', 'tg'],
  ] as const) {
    await supplier.buy(activationOrder(reference, service), signal)
  }
  const { rows } = await house.ctx.db.query<{ phones: number }>({
    text: 'SELECT count(DISTINCT phone)::integer AS phones FROM smpp_number_uses',
  })
  await supplier.end(held('b'), 'finished', signal)
  await supplier.end(held('c'), 'used', signal)
  const distinct = rows[0]?.phones ?? 0
  const before = await offersOf(shop)
  const rented = outcomeOf(await rent.rent(rentOrder('r1-1', { operator: 'mts' }), signal))
  expect(await activationStock(shop, 'wa')).toEqual([3, 1])
  const stockOf = (offers: unknown[][], service: string) =>
    offers.find(([code, country]) => code === service && country === 0)?.[4]
  // The three sales may have used one number or three. Numbers without a sale are in stock as whole numbers.
  expect(stockOf(before, 'full')).toBe(6 - distinct)
  expect(stockOf(await offersOf(shop), 'full')).toBe(6 - distinct - 1)
  expect(rented).toMatch(/^7900000000\d$/)
  expect(
    outcomeOf(await rent.rent(rentOrder('r2-1', { countryId: 6, operator: 'telkomsel', hours: 720 }), signal)),
  ).toBe('62100000001')
  expect((await offersOf(shop)).filter(([, country]) => country === 6)).toEqual(indonesia(0))
  const refusals = [
    rentOrder('r3-1', { hours: 4 }),
    rentOrder('r4-1', { serviceCode: 'wa' }),
    rentOrder('r5-1', { operator: 'beeline' }),
    rentOrder('r6-1', { maxCostMicros: 2_999_999n }),
    rentOrder('r7-1', { currency: 'rub' }),
  ]
  expect(await Promise.all(refusals.map(async (order) => outcomeOf(await rent.rent(order, signal))))).toEqual([
    'no-numbers',
    'no-numbers',
    'no-numbers',
    'rejected',
    'rejected',
  ])
  expect(await offersOf(openRange(house, { rent: [] }))).toEqual([])
})

// Checklist 3.7: an extension is charged once, however often it is requested.
test('an extension moves the end once; refused it stays refused', async () => {
  await using house = await createSmppHouse()
  await fillRange(house, 2)
  const { rent } = openRange(house)
  const rented = outcomeOf(await rent.rent(rentOrder('r1-1'), signal))
  const extension = (key: string, changes: Partial<RentalExtension> = {}): RentalExtension => ({
    reference: 'r1-1',
    supplierReference: 'r1-1',
    extensionReference: key,
    hours: 168,
    maxCostMicros: 15_000_000n,
    currency: 'usd',
    expiresAt: new Date('2026-03-09T12:00:00Z'),
    ...changes,
  })
  const granted = { outcome: 'extended', costMicros: 15_000_000n }
  const answers = await Promise.all(Array.from({ length: 10 }, () => rent.extendRental(extension('x1'), signal)))
  expect(answers).toEqual(new Array(10).fill(granted))
  const { rows } = await house.ctx.db.query({
    text: `SELECT hours, expires_at FROM smpp_leases WHERE reference = 'r1-1'`,
  })
  expect(rows).toEqual([{ hours: 24 + 168, expires_at: new Date('2026-03-09T12:00:00Z') }])
  const refusals = [
    extension('x2', { hours: 4 }),
    extension('x3', { maxCostMicros: 14_999_999n }),
    extension('x4', { currency: 'rub' }),
    extension('x5', { reference: 'r9-1' }),
  ]
  for (const wrong of refusals) {
    expect(await rent.extendRental(wrong, signal)).toEqual({ outcome: 'refused' })
    // A refused extension stays refused, even if a correct request repeats its reference.
    expect(await rent.extendRental(extension(wrong.extensionReference), signal)).toEqual({ outcome: 'refused' })
  }
  // A query never makes an extension, and a later request with its reference is refused.
  expect(await rent.findExtension(extension('x1'), signal)).toEqual(granted)
  expect(await rent.findExtension(extension('x9'), signal)).toEqual({ outcome: 'none' })
  expect(await rent.extendRental(extension('x9'), signal)).toEqual({ outcome: 'refused' })
  const lease = await house.ctx.db.query({ text: `SELECT hours, expires_at FROM smpp_leases WHERE reference = 'r1-1'` })
  expect(lease.rows).toEqual(rows)
  await disableNumbers(house.ctx.db, house.supplierId, [rented])
  expect(await rent.extendRental(extension('x6'), signal)).toEqual({ outcome: 'refused' })
  await addNumbers(house.ctx.db, house.supplierId, [{ phone: rented, countryId: 0, operator: 'mts' }])
  expect(await rent.extendRental(extension('x7'), signal)).toEqual(granted)
  await rent.endRental(held('r1-1'), signal)
  expect(await rent.extendRental(extension('x8'), signal)).toEqual({ outcome: 'refused' })
  expect(await rent.extendRental(extension('x7'), signal)).toEqual(granted)
})
