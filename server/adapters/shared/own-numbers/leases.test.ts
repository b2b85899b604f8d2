import { expect, test } from 'vitest'
import { createSmppSupplier, type SmppSupplier } from '#server/adapters/smpp/smpp-supplier.ts'
import type { BoughtNumber, Ending, PurchaseOrder, RefusedPurchase } from '#server/core/suppliers/supplier.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { createSmppHouse, type SmppHouse } from '#test/fakes/smpp/smpp-house.ts'
import { addNumbers, disableNumbers } from './numbers.ts'

const signal = new AbortController().signal

function supplierOf({ ctx, supplierId, receive }: SmppHouse): SmppSupplier {
  const services = [
    { code: 'tg', cost: '0.50', costByCountry: { '6': '0.75' } },
    { code: 'wa', cost: '0.40' },
  ]
  const settings = {
    mode: 'server',
    currency: 'usd',
    services,
    listen: { port: 0 },
    peers: [{ systemId: 'bank', password: 'secret' }],
  }
  return createSmppSupplier(ctx, { id: supplierId, code: 'own-range', kind: 'smpp', settings }, receive)
}

function order(reference: string, changes: Partial<PurchaseOrder> = {}): PurchaseOrder {
  return {
    reference,
    buyerId: 1,
    serviceCode: 'tg',
    countryId: 0,
    operator: null,
    maxCostMicros: 1_000_000n,
    currency: 'usd',
    expiresAt: new Date('2026-03-01T12:20:00Z'),
    ...changes,
  }
}

const HELD_SECONDS = 20 * 60

const phoneOf = (result: BoughtNumber | RefusedPurchase) => (result.outcome === 'bought' ? result.phone : result.reason)

async function fill(house: SmppHouse, count: number, { countryId = 0, operator = 'mts', from = 79_000_000_001 } = {}) {
  const numbers = Array.from({ length: count }, (_, index) => ({ phone: String(from + index), countryId, operator }))
  await addNumbers(house.ctx.db, house.supplierId, numbers)
}

function ender(supplier: SmppSupplier, serviceCode = 'tg') {
  return (reference: string, ending: Ending) =>
    supplier.end({ reference, supplierReference: reference, phone: '', serviceCode }, ending, signal)
}

test('twenty buyers at once, one number left: one of them has it', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1)
  const supplier = supplierOf(house)
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => supplier.buy(order(`r${n}`), signal)))
  expect(results.filter((result) => result.outcome === 'bought')).toHaveLength(1)
  expect(results.filter((result) => phoneOf(result) === 'no-numbers')).toHaveLength(19)
})

test('twenty buyers at once, twenty numbers: each has one of their own', async () => {
  await using house = await createSmppHouse()
  await fill(house, 20)
  const supplier = supplierOf(house)
  const results = await Promise.all(Array.from({ length: 20 }, (_, n) => supplier.buy(order(`r${n}`), signal)))
  expect(new Set(results.map(phoneOf)).size).toBe(20)
  expect(results.every((result) => result.outcome === 'bought')).toBe(true)
})

test('one number serves two services at once, also when both are bought in the same moment', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1)
  const supplier = supplierOf(house)
  for (let round = 0; round < 5; round += 1) {
    const bought = await Promise.all([
      supplier.buy(order(`tg${round}`, { buyerId: round }), signal),
      supplier.buy(order(`wa${round}`, { buyerId: round, serviceCode: 'wa' }), signal),
    ])
    if (round === 4) {
      expect(bought.map(phoneOf)).toEqual(['no-numbers', 'no-numbers'])
      return
    }
    expect(bought.map(phoneOf)).toEqual(['79000000001', '79000000001'])
    await ender(supplier)(`tg${round}`, 'cancelled')
    await ender(supplier)(`wa${round}`, 'cancelled')
    house.advance(HELD_SECONDS)
  }
})

test('a number that is being taken for another service is waited for, not missed', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1)
  const supplier = supplierOf(house)
  const { db } = house.ctx
  let settled = false
  const buying = await transaction(db, async (tx) => {
    await tx.query({ text: 'SELECT FROM smpp_numbers FOR UPDATE' })
    const result = supplier.buy(order('r1'), signal).finally(() => {
      settled = true
    })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    while (!settled && (await db.query({ text: waiting })).rowCount === 0);
    return { result, settledBefore: settled }
  })
  expect(buying.settledBefore).toBe(false)
  expect(phoneOf(await buying.result)).toBe('79000000001')
})

test('the same reference is the same number, also when asked ten times at once', async () => {
  await using house = await createSmppHouse()
  await fill(house, 20)
  const supplier = supplierOf(house)
  const results = await Promise.all(Array.from({ length: 10 }, () => supplier.buy(order('r1'), signal)))
  expect(new Set(results.map(phoneOf)).size).toBe(1)
  expect(await supplier.buy(order('r1', { maxCostMicros: 1n }), signal)).toEqual(results[0])
  expect(await supplier.find('r1', signal)).toEqual(results[0])
  expect(await supplier.listOffers(signal)).toContainEqual(
    expect.objectContaining({ serviceCode: 'tg', operator: 'mts', stock: 19 }),
  )
})

test('a reference that had bought nothing when asked for never will', async () => {
  await using house = await createSmppHouse()
  await fill(house, 2)
  const supplier = supplierOf(house)
  expect(await supplier.find('r1', signal)).toEqual({ outcome: 'none' })
  expect(await supplier.buy(order('r1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  expect(await supplier.find('r1', signal)).toEqual({ outcome: 'none' })
  const [bought, found] = await Promise.all([supplier.buy(order('r2'), signal), supplier.find('r2', signal)])
  expect(found.outcome === 'bought').toBe(bought.outcome === 'bought')
})

test('a number given back without a code is offered three times more, after the numbers never offered', async () => {
  await using house = await createSmppHouse()
  await fill(house, 2)
  const supplier = supplierOf(house)
  const sold: string[] = []
  for (let turn = 0; turn < 9; turn += 1) {
    const result = await supplier.buy(order(`r${turn}`, { buyerId: turn }), signal)
    sold.push(phoneOf(result))
    await ender(supplier)(`r${turn}`, turn % 2 === 0 ? 'cancelled' : 'expired')
    house.advance(HELD_SECONDS)
  }
  const [a, b] = sold
  expect([a, b].sort()).toEqual(['79000000001', '79000000002'])
  expect(sold).toEqual([a, b, a, b, a, b, a, b, 'no-numbers'])
})

test.each(['finished', 'used'] as const)(
  'after "%s" the number is never sold again for that service',
  async (ending) => {
    await using house = await createSmppHouse()
    await fill(house, 1)
    const supplier = supplierOf(house)
    await supplier.buy(order('r1'), signal)
    await ender(supplier)('r1', ending)
    await ender(supplier)('r1', 'cancelled')
    expect(phoneOf(await supplier.buy(order('r2'), signal))).toBe('no-numbers')
    expect(phoneOf(await supplier.buy(order('r3', { serviceCode: 'wa' }), signal))).toBe('79000000001')
    expect(await supplier.buy(order('r1'), signal)).toMatchObject({ outcome: 'refused', reason: 'rejected' })
  },
)

test('ending a lease twice does not give back the number of the next buyer', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1)
  const supplier = supplierOf(house)
  await supplier.buy(order('r1'), signal)
  await ender(supplier)('r1', 'cancelled')
  house.advance(HELD_SECONDS)
  expect(phoneOf(await supplier.buy(order('r2', { buyerId: 2 }), signal))).toBe('79000000001')
  await ender(supplier)('r1', 'cancelled')
  await ender(supplier)('never-bought', 'cancelled')
  expect(phoneOf(await supplier.buy(order('r3', { buyerId: 2 }), signal))).toBe('no-numbers')
})

test('another code can be asked for as long as the number is leased', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1)
  const supplier = supplierOf(house)
  await supplier.buy(order('r1'), signal)
  const held = { reference: 'r1', supplierReference: 'r1', phone: '79000000001', serviceCode: 'tg' }
  expect(await supplier.askAgain(held, signal)).toBe(true)
  await supplier.end(held, 'finished', signal)
  expect(await supplier.askAgain(held, signal)).toBe(false)
})

test('operator, country, price and currency of the order are kept to', async () => {
  await using house = await createSmppHouse()
  await fill(house, 1, { operator: 'mts' })
  await fill(house, 1, { operator: 'beeline', from: 79_100_000_001 })
  await fill(house, 1, { countryId: 6, operator: 'telkomsel', from: 62_100_000_001 })
  const supplier = supplierOf(house)
  expect(await supplier.buy(order('r1', { operator: 'beeline' }), signal)).toEqual({
    outcome: 'bought',
    supplierReference: 'r1',
    phone: '79100000001',
    operator: 'beeline',
    costMicros: 500_000n,
  })
  expect(phoneOf(await supplier.buy(order('r2', { operator: 'beeline' }), signal))).toBe('no-numbers')
  expect(phoneOf(await supplier.buy(order('r3', { countryId: 6, maxCostMicros: 749_999n }), signal))).toBe('rejected')
  expect(phoneOf(await supplier.buy(order('r4', { currency: 'rub' }), signal))).toBe('rejected')
  expect(phoneOf(await supplier.buy(order('r5', { serviceCode: 'vk' }), signal))).toBe('no-numbers')
  expect(await supplier.buy(order('r6', { countryId: 6, maxCostMicros: 750_000n }), signal)).toMatchObject({
    phone: '62100000001',
    costMicros: 750_000n,
  })
})

test('the stock counts what can be sold now, by service, country and operator', async () => {
  await using house = await createSmppHouse()
  await fill(house, 5)
  await fill(house, 2, { countryId: 6, operator: 'telkomsel', from: 62_100_000_001 })
  const supplier = supplierOf(house)
  const phones: string[] = []
  for (const [reference, ending] of [
    ['r1', null],
    ['r2', 'cancelled'],
    ['r3', 'used'],
  ] as const) {
    phones.push(phoneOf(await supplier.buy(order(reference), signal)))
    if (ending !== null) await ender(supplier)(reference, ending)
  }
  const [leased = '', returned = ''] = phones
  const [disabled = '', left = ''] = [1, 2, 3, 4, 5]
    .map((n) => `7900000000${n}`)
    .filter((phone) => !phones.includes(phone))
  await disableNumbers(house.ctx.db, house.supplierId, [leased, disabled])
  const expectStock = async (telegram: number) => {
    const stock = (await supplier.listOffers(signal)).map((offer) => [
      offer.serviceCode,
      offer.countryId,
      offer.operator,
      offer.stock,
      offer.costMicros,
      offer.currency,
    ])
    expect(stock.sort()).toEqual([
      ['tg', 0, 'mts', telegram, 500_000n, 'usd'],
      ['tg', 6, 'telkomsel', 2, 750_000n, 'usd'],
      ['wa', 0, 'mts', 3, 400_000n, 'usd'],
      ['wa', 6, 'telkomsel', 2, 400_000n, 'usd'],
    ])
  }
  await expectStock(1)
  house.advance(20 * 60)
  await expectStock(2)
  const rest = [
    await supplier.buy(order('r4', { buyerId: 2 }), signal),
    await supplier.buy(order('r5', { buyerId: 2 }), signal),
  ].map(phoneOf)
  expect(rest).toEqual([left, returned])
  expect(phoneOf(await supplier.buy(order('r6'), signal))).toBe('no-numbers')
})

test('in a long range nothing is missed: sold out, then numbers are added and enabled again', async () => {
  await using house = await createSmppHouse()
  await fill(house, 3_000)
  const supplier = supplierOf(house)
  // All numbers but the last are sold, so the search for one that was never offered must skip thousands.
  await house.ctx.db.query({
    text: `INSERT INTO smpp_number_uses SELECT phone, 'tg', supplier_id, country_id, operator, 'spent', 1, now()
      FROM smpp_numbers WHERE phone <> '79000003000'`,
  })
  expect(phoneOf(await supplier.buy(order('r1'), signal))).toBe('79000003000')
  await disableNumbers(house.ctx.db, house.supplierId, ['79000000007'])
  expect(phoneOf(await supplier.buy(order('r2'), signal))).toBe('no-numbers')
  await house.ctx.db.query({ text: `DELETE FROM smpp_number_uses WHERE phone = '79000000007'` })
  await fill(house, 7)
  await fill(house, 1, { from: 79_200_000_001 })
  const bought = [await supplier.buy(order('r3'), signal), await supplier.buy(order('r4'), signal)].map(phoneOf)
  expect(bought.sort()).toEqual(['79000000007', '79200000001'])
})

test('numbers far apart in a long range: one not chosen now is not forgotten', async () => {
  await using house = await createSmppHouse()
  await fill(house, 3_000)
  const supplier = supplierOf(house)
  await house.ctx.db.query({
    text: `INSERT INTO smpp_number_uses SELECT phone, 'tg', supplier_id, country_id, operator, 'spent', 1, now()
      FROM smpp_numbers WHERE phone NOT IN ('79000000001', '79000001500', '79000003000')`,
  })
  const bought: string[] = []
  for (const reference of ['r1', 'r2', 'r3', 'r4']) bought.push(phoneOf(await supplier.buy(order(reference), signal)))
  expect(bought.sort()).toEqual(['79000000001', '79000001500', '79000003000', 'no-numbers'])
})
