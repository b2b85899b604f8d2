import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { giveUpBuying, sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { giveUpReserving, sweepReserving } from '#server/core/numbers/purchase/activation-orphans.ts'
import { giveUpRenting } from '#server/core/numbers/purchase/rental-orphans.ts'
import { RESERVED_LIMIT_MS } from '#server/core/numbers/purchase/settle-orphans.ts'
import { measureUnsettled } from '#server/core/numbers/sourcing/measure-unsettled.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { addRenting, later, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { dieAt } from './die-at.ts'
import { gate, noAnswer } from './silence.ts'

const BUY = 'POST /api/v1/activations'
const RENT = 'POST /api/v1/rentals'
const EXTEND = 'POST /api/v1/rentals/{id}/extend'
const JOBS = 'graphile_worker._private_jobs'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

test('R-C: a silent supplier holds the money of a purchase for 28 s; what it sells later is given back to it', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '13.00' })
  const silent = gate<void>()
  supplier.onBuy = async (order) => {
    await silent.wait()
    return supplier.sell(order)
  }
  const buying = refused(t, BUY, TELEGRAM, { token: buyer.token })
  await silent.asked
  t.clock.advance(RESERVED_LIMIT_MS - 1)
  expect(await giveUpReserving(t.ctx)).toBe(0)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '13.00' })
  t.clock.advance(1)
  expect(await giveUpReserving(t.ctx)).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '13.00', held: '0.00' })
  expect(await count(t.ctx, JOBS)).toBe(1)
  silent.answer()
  expect((await buying).body.code).toBe('NO_NUMBERS')
  expect(await count(t.ctx, `activations WHERE state = 'failed' AND phone IS NULL`)).toBe(1)
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['unsold'])
  await expectBooksRight(t.ctx)
})

test('R-C: the same with a rental', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '130.00' })
  const silent = gate<void>()
  supplier.rent.onRent = async (order) => {
    await silent.wait()
    return supplier.rent.give(order)
  }
  const renting = refused(t, RENT, { service_id: 'full', country_id: 2, period: 24 }, { token: buyer.token })
  await silent.asked
  t.clock.advance(RESERVED_LIMIT_MS - 1)
  expect(await giveUpRenting(t.ctx)).toBe(0)
  t.clock.advance(1)
  expect(await giveUpRenting(t.ctx)).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '130.00', held: '0.00' })
  silent.answer()
  expect((await renting).body.code).toBe('NO_NUMBERS')
  await t.runJobs()
  expect(supplier.rent.ended).toHaveLength(1)
  expect(await count(t.ctx, `rentals WHERE state <> 'failed'`)).toBe(0)
  await expectBooksRight(t.ctx)
})

test('R-C: a pre-order is not buying for longer: it waits again, and a late number is not its buyer’s', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const wish = { ...TELEGRAM, max_price: '20.00', hours: 1 }
  const { data } = await call(t, 'POST /api/v1/preorders', wish, { token: buyer.token })
  const silent = gate<void>()
  supplier.onBuy = async (order) => {
    await silent.wait()
    return supplier.sell(order)
  }
  const sweeping = sweepPreorders(t.ctx)
  await silent.asked
  const stateOf = async () => (await call(t, 'GET /api/v1/preorders', {}, { token: buyer.token })).data[0]?.state
  expect(await stateOf()).toBe('buying')
  await giveUpReserving(t.ctx)
  await giveUpBuying(t.ctx)
  expect(await stateOf()).toBe('buying')
  t.clock.advance(RESERVED_LIMIT_MS)
  expect(await giveUpReserving(t.ctx)).toBe(1)
  await giveUpBuying(t.ctx)
  expect(await stateOf()).toBe('waiting')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '20.00' })
  silent.answer()
  expect(await sweeping).toBe(0)
  await t.runJobs()
  expect(supplier.ended).toHaveLength(1)
  supplier.onBuy = async (order) => supplier.sell(order)
  await later(t, buyer, 10 * SECOND)
  expect(await sweepPreorders(t.ctx)).toBe(1)
  expect(await count(t.ctx, `preorders WHERE id = $1 AND state = 'bought'`, [data.id])).toBe(1)
  await expectBooksRight(t.ctx)
})

test.each([
  ['activation-fail', 'before'],
  ['activation-fail', 'after'],
  ['preorder-hold-again', 'before'],
  ['preorder-hold-again', 'after'],
] as const)('R-C: a process that dies at %s, %s it, leaves nothing in between', async (statement, when) => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  supplier.onBuy = noAnswer
  supplier.onFind = noAnswer
  const buyer = await t.makeUser({ balance: '20.00' })
  await call(t, 'POST /api/v1/preorders', { ...TELEGRAM, max_price: '20.00', hours: 1 }, { token: buyer.token })
  {
    using _ = dieAt(t, 'activation-fail', 'before')
    await sweepPreorders(t.ctx)
  }
  t.clock.advance(RESERVED_LIMIT_MS)
  {
    using _ = dieAt(t, statement, when)
    await giveUpReserving(t.ctx)
    await giveUpBuying(t.ctx).catch(() => undefined)
  }
  await giveUpReserving(t.ctx)
  await giveUpBuying(t.ctx)
  expect(await count(t.ctx, `preorders WHERE state = 'waiting'`)).toBe(1)
  expect(await count(t.ctx, `${JOBS} WHERE attempts = 0`)).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '20.00' })
  await expectBooksRight(t.ctx)
})

test.each([
  ['rental-fail', 'before'],
  ['rental-fail', 'after'],
  ['rental-release-extension', 'before'],
  ['rental-release-extension', 'after'],
] as const)('R-C: a process that dies at %s, %s it, leaves no rental in between', async (statement, when) => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '390.00' })
  const { id } = await rentOne(t, buyer)
  Object.assign(supplier.rent, { onRent: noAnswer, onExtend: noAnswer, onFind: noAnswer })
  await refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  {
    using _ = dieAt(t, 'rental-fail', 'before')
    await refused(t, RENT, { service_id: 'full', country_id: 2, period: 24 }, { token: buyer.token })
  }
  await later(t, buyer, 10 * MINUTE)
  {
    using _ = dieAt(t, statement, when)
    await giveUpRenting(t.ctx)
  }
  await giveUpRenting(t.ctx)
  expect(await count(t.ctx, `rentals WHERE state = 'reserving' OR extension_id IS NOT NULL`)).toBe(0)
  expect(await count(t.ctx, JOBS)).toBe(2)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '260.00', held: '130.00' })
  await expectBooksRight(t.ctx)
})

test('R-C: after an outage of the database the next sweep settles what was under way, and the key says so', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '13.00' })
  const press = { token: buyer.token, idempotencyKey: 'one-press-of-the-button' }
  {
    using _settle = dieAt(t, 'activation-settle', 'before')
    using _fail = dieAt(t, 'activation-fail', 'before')
    expect((await refused(t, BUY, TELEGRAM, press)).status).toBe(500)
  }
  expect((await refused(t, BUY, TELEGRAM, press)).body.code).toBe('IN_PROGRESS')
  t.clock.advance(1)
  expect(await sweepReserving(t.ctx)).toBe(1)
  const { data } = await call(t, BUY, TELEGRAM, press)
  expect(data).toMatchObject({ state: 'waiting', phone: [...supplier.sold.values()][0]?.phone })
  expect(supplier.orders).toHaveLength(1)
  await expectBooksRight(t.ctx)
})

test('R-C: gauges tell how much is unsettled, and how old the oldest is', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id } = await rentOne(t, buyer)
  const [buying, renting] = [gate<never>(), gate<never>()]
  supplier.onBuy = buying.wait
  supplier.rent.onRent = renting.wait
  supplier.rent.onExtend = noAnswer
  const linesOf = async () => {
    await measureUnsettled(t.ctx)
    return (await t.ctx.metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('ringpost_unsettled'))
  }
  expect(await linesOf()).toContain('ringpost_unsettled_oldest_seconds{kind="extension"} 0')
  await refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  t.clock.advance(7 * SECOND)
  const presses = [
    refused(t, BUY, TELEGRAM, { token: buyer.token }),
    refused(t, RENT, { service_id: 'full', country_id: 2, period: 4 }, { token: buyer.token }),
  ]
  await Promise.all([buying.asked, renting.asked])
  t.clock.advance(5 * SECOND)
  expect((await linesOf()).sort()).toEqual([
    'ringpost_unsettled_oldest_seconds{kind="activation"} 5',
    'ringpost_unsettled_oldest_seconds{kind="extension"} 12',
    'ringpost_unsettled_oldest_seconds{kind="preorder"} 0',
    'ringpost_unsettled_oldest_seconds{kind="rental"} 5',
    'ringpost_unsettled{kind="activation"} 1',
    'ringpost_unsettled{kind="extension"} 1',
    'ringpost_unsettled{kind="preorder"} 0',
    'ringpost_unsettled{kind="rental"} 1',
  ])
  t.clock.advance(HOUR)
  await giveUpReserving(t.ctx)
  await giveUpRenting(t.ctx)
  expect((await linesOf()).filter((line) => !line.endsWith(' 0'))).toEqual([])
  const refusal = { outcome: 'refused', reason: 'no-numbers' } as never
  buying.answer(refusal)
  renting.answer(refusal)
  await Promise.all(presses)
})
