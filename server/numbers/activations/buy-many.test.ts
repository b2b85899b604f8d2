import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const BULK = 'POST /api/v1/activations/bulk'
const TELEGRAM = { service_id: 'tg', country_id: 2 }
const OWN = 'activations WHERE user_id = $1'

test('each item is settled for itself: numbers for what can be bought, and a reason for each that cannot', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '40.00' })
  const items = [
    TELEGRAM,
    { ...TELEGRAM, service_id: 'nothing' },
    { ...TELEGRAM, max_price: '12.99' },
    { ...TELEGRAM, max_price: 'cheap' },
    TELEGRAM,
    TELEGRAM,
    TELEGRAM,
  ]
  const { data } = await call(t, BULK, { items }, { ...buyer, locale: 'en' })
  expect(data.bought).toBe(3)
  const codes = data.items.map((item) => (item.status ? item.data.state : item.code))
  expect(codes.slice(0, 4)).toEqual(['waiting', 'BAD_SERVICE', 'MAX_PRICE_TOO_LOW', 'INVALID_INPUT'])
  // They are bought some at a time, so which of them found no money is not said.
  expect(codes.slice(4).sort()).toEqual(['NO_BALANCE', 'waiting', 'waiting'])
  expect(data.items[3]).toMatchObject({ errors: { max_price: [expect.any(String)] } })
  const ids = data.items.flatMap((item) => (item.status ? [item.data.id] : []))
  expect(new Set(ids).size).toBe(3)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '1.00', held: '39.00' })
  await expectBooksRight(t.ctx)
})

test('a repeat with the same key buys nothing twice, and other items under it are refused one by one', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const options = { ...buyer, idempotencyKey: 'order-0001' }
  const items = [TELEGRAM, TELEGRAM]
  const first = await call(t, BULK, { items }, options)
  expect(await call(t, BULK, { items }, options)).toEqual(first)
  const changed = await call(t, BULK, { items: [TELEGRAM, { ...TELEGRAM, max_price: '90' }] }, options)
  expect(changed.data).toMatchObject({ bought: 1, items: [first.data.items[0], { code: 'IDEMPOTENCY_CONFLICT' }] })
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(2)
  // The same key of one purchase is another order.
  await call(t, 'POST /api/v1/activations', TELEGRAM, options)
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(3)
})

test('one bulk purchase of a person at a time; what is not begun within a minute is left for the repeat', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  const options = { ...buyer, idempotencyKey: 'order-0002' }
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let orders = 0
  supplier.onBuy = async (order) => {
    orders += 1
    if (orders === 5) asked.resolve()
    await gate.promise
    return supplier.sell(order)
  }
  const items = Array.from({ length: 8 }, () => TELEGRAM)
  const slow = call(t, BULK, { items }, options)
  await asked.promise
  expect(await refused(t, BULK, { items }, buyer)).toMatchObject({ status: 429, retryAfter: '2' })
  t.clock.advance(MINUTE + 1)
  gate.resolve()
  const { data } = await slow
  expect(data.bought).toBe(5)
  expect(data.items.slice(5)).toMatchObject(Array.from({ length: 3 }, () => ({ code: 'TOO_MANY_REQUESTS' })))
  expect((await call(t, BULK, { items }, options)).data.bought).toBe(8)
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(8)
  await expectBooksRight(t.ctx)
})

test('bad lists are refused whole', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  const tooMany = Array.from({ length: 51 }, () => TELEGRAM)
  for (const items of [undefined, [], 'tg', {}, [null], [{ ...TELEGRAM, nope: 1 }], [{ service_id: 'tg' }], tooMany]) {
    expect(await refused(t, BULK, { items }, buyer)).toMatchObject({ status: 422, body: { code: 'INVALID_INPUT' } })
  }
  expect(await count(t.ctx, OWN, [buyer.id])).toBe(0)
})
