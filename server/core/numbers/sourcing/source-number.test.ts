import { expect, test, vi } from 'vitest'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import { buyOne, count, eventsOf, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }
const cheap = { ...fakeOffer, costMicros: 9_000_000n }

async function retryJobs(t: TestApp): Promise<void> {
  await t.ctx.db.query({ text: 'UPDATE graphile_worker._private_jobs SET run_at = now()' })
  await t.runJobs()
}

async function jobsLeft(t: TestApp): Promise<number> {
  return count(t.ctx, 'graphile_worker._private_jobs')
}

test('a supplier that refuses is passed over without a job; the buyer pays the price he was shown', async () => {
  await using t = await startTestApp()
  const first = await t.addFake('first', [cheap])
  const second = await t.addFake('second', [{ ...fakeOffer, costMicros: 11_000_000n }])
  first.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  const buyer = await t.makeUser({ balance: '100.00' })
  const { data } = await call(t, BUY, { ...TELEGRAM, price: '11.70' }, { token: buyer.token })
  expect(data).toMatchObject({ price: '11.70', state: 'waiting' })
  expect(first.orders.map((order) => order.reference)).toEqual([`${data.id}-1`])
  expect(second.orders.map((order) => order.reference)).toEqual([`${data.id}-2`])
  expect(await jobsLeft(t)).toBe(0)
  await expectBooksRight(t.ctx)
})

test('a supplier that is not at work is passed over, and the purchase is the next one’s from the first attempt on', async () => {
  await using t = await startTestApp()
  const first = await t.addFake('first', [cheap])
  const second = await t.addFake('second')
  await suppliersOf(t.ctx).remove(first.id)
  const buyer = await t.makeUser({ balance: '100.00' })
  const bought = await buyOne(t, buyer)
  expect(bought.price).toBe('11.70')
  const { rows } = await t.ctx.db.query({ text: 'SELECT supplier_id, cost_limit_micros FROM activations' })
  expect(rows).toEqual([{ supplier_id: second.id, cost_limit_micros: 10_000_000n }])
  await pushSms(t, second, { phone: bought.phone })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '88.30', held: '0.00' })
  expect(await jobsLeft(t)).toBe(0)
  await expectBooksRight(t.ctx)
})

test('what a sale cost is stored with its currency and the rate of that moment', async () => {
  await using t = await startTestApp()
  const refusing = await t.addFake('first', [cheap])
  refusing.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  await t.addFake('second', [{ ...fakeOffer, costMicros: 100_000n, currency: 'usd' }])
  const buyer = await t.makeUser({ balance: '100.00' })
  await call(t, BUY, { ...TELEGRAM, price: '11.70' }, { token: buyer.token })
  const stored = async () =>
    (await t.ctx.db.query({ text: 'SELECT cost_micros, cost_currency, cost_rate_micros FROM activations' })).rows
  const cost = { cost_micros: 100_000n, cost_currency: 'usd', cost_rate_micros: 90_000_000n }
  expect(await stored()).toEqual([cost])
  await t.ctx.db.query({ text: `UPDATE exchange_rates SET rub_micros = 95000000` })
  expect(await stored()).toEqual([cost])
})

test('fail-over never sells at a loss', async () => {
  await using t = await startTestApp()
  const first = await t.addFake('first', [cheap])
  const second = await t.addFake('second', [{ ...fakeOffer, costMicros: 11_710_000n }])
  first.onBuy = async () => ({ outcome: 'refused', reason: 'no-funds' })
  const buyer = await t.makeUser({ balance: '100.00' })
  expect((await refused(t, BUY, TELEGRAM, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  expect(second.orders).toEqual([])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  expect(await eventsOf(t.ctx, 100_000_001)).toEqual(['activation.failed'])
  await expectBooksRight(t.ctx)
})

test('a supplier that does not answer in time is passed over; what it sold late is found and given back once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using t = await startTestApp()
  const slow = await t.addFake('slow', [cheap])
  const quick = await t.addFake('quick')
  const asked = Promise.withResolvers<AbortSignal>()
  const late = Promise.withResolvers<void>()
  slow.onBuy = async (order, signal) => {
    asked.resolve(signal)
    await late.promise
    return slow.sell(order)
  }
  const buyer = await t.makeUser({ balance: '100.00' })
  const buying = buyOne(t, buyer)
  const signal = await asked.promise
  await vi.advanceTimersByTimeAsync(SUPPLIER_TIMEOUT_MS)
  const bought = await buying
  expect(signal.aborted).toBe(true)
  expect(bought.phone).toBe(quick.sold.get(`${bought.id}-2`)?.phone)
  expect(await jobsLeft(t)).toBe(1)

  // The supplier's late reply arrives: it sold a number that no buyer has.
  late.resolve()
  const failures = ['first', 'second']
  const end = slow.end.bind(slow)
  slow.end = async (...told) => {
    if (failures.pop() !== undefined) throw new Error('502 Bad Gateway')
    return end(...told)
  }
  await t.runJobs()
  await retryJobs(t)
  expect(slow.ended).toEqual([])
  await retryJobs(t)
  expect(slow.ended.map(({ number, ending }) => [number.reference, ending])).toEqual([[`${bought.id}-1`, 'unsold']])
  await retryJobs(t)
  expect(slow.ended).toHaveLength(1)
  expect(await jobsLeft(t)).toBe(0)
  await pushSms(t, quick, { phone: bought.phone })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '88.30', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a supplier that never answered and sold nothing is asked, and left alone', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  supplier.onBuy = async () => {
    throw new Error('socket hang up')
  }
  const buyer = await t.makeUser({ balance: '100.00' })
  expect((await refused(t, BUY, TELEGRAM, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  await t.runJobs()
  expect(supplier.finds).toEqual(['100000001-1'])
  expect(supplier.ended).toEqual([])
  expect(await jobsLeft(t)).toBe(0)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
})

test.each([
  ['no phone number at all', { phone: '<script>alert(1)</script>' }],
  ['a number far too long', { phone: '7'.repeat(40) }],
  ['an empty number', { phone: '' }],
  ['a number for more than it may cost', { costMicros: 10_000_001n }],
])('a supplier that answers garbage (%s) is passed over, and the purchase undone', async (_what, garbage) => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), ...garbage })
  const buyer = await t.makeUser({ balance: '100.00' })
  expect((await refused(t, BUY, TELEGRAM, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['unsold'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a number that is sold twice stays with its first buyer, and the second sale is given back', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const [first, second] = [await t.makeUser({ balance: '100.00' }), await t.makeUser({ balance: '100.00' })]
  const owned = await buyOne(t, first)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: owned.phone })
  expect((await refused(t, BUY, TELEGRAM, { token: second.token })).body.code).toBe('NO_NUMBERS')
  await t.runJobs()
  expect(supplier.ended.map(({ number }) => number.supplierReference)).toEqual(['fake-2'])
  await pushSms(t, supplier, { phone: owned.phone })
  expect(await moneyOf(t, first)).toEqual({ balance: '87.00', held: '0.00' })
  expect(await moneyOf(t, second)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a supplier that sells one order of its own twice does not lose its first buyer the number', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const [first, second] = [await t.makeUser(), await t.makeUser()]
  const owned = await buyOne(t, first)
  const sold = supplier.sold.get(`${owned.id}-1`)
  if (sold === undefined) throw new Error('nothing was sold')
  // The supplier sells the same order again. Giving it back would end the first buyer's order.
  supplier.onBuy = async (order) => {
    supplier.sold.set(order.reference, sold)
    return sold
  }
  expect((await refused(t, BUY, TELEGRAM, { token: second.token })).body.code).toBe('NO_NUMBERS')
  await t.runJobs()
  expect(supplier.ended).toEqual([])
  expect(await jobsLeft(t)).toBe(0)
  await expectBooksRight(t.ctx)
})

test('at most four offers are asked for one purchase', async () => {
  await using t = await startTestApp()
  const suppliers = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f'].map(async (code) => {
      const supplier = await t.addFake(code)
      supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
      return supplier
    }),
  )
  const buyer = await t.makeUser()
  expect((await refused(t, BUY, TELEGRAM, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  expect(suppliers.flatMap((supplier) => supplier.orders)).toHaveLength(4)
})
