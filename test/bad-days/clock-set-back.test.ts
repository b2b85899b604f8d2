import { expect, test } from 'vitest'
import { HOUR } from '#contract/time.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { giveUpReserving, sweepReserving } from '#server/core/numbers/purchase/activation-orphans.ts'
import { giveUpRenting, sweepRenting } from '#server/core/numbers/purchase/rental-orphans.ts'
import { RESERVED_LIMIT_MS } from '#server/core/numbers/purchase/settle-orphans.ts'
import { UnderWay } from '#server/core/numbers/sourcing/under-way.ts'
import { count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { createTestClock } from '#test/harness/test-clock.ts'
import { dieAt } from './die-at.ts'
import { gate, noAnswer } from './silence.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }
const RENT = 'POST /api/v1/rentals'
const WHOLE = { service_id: 'full', country_id: 2, period: 24 }

async function giveUp({ ctx }: TestApp): Promise<number> {
  return (await giveUpReserving(ctx)) + (await giveUpRenting(ctx))
}
async function sweep({ ctx }: TestApp): Promise<number> {
  return (await sweepReserving(ctx)) + (await sweepRenting(ctx))
}

async function leaveAll(t: TestApp) {
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { token } = buyer
  const { id } = await rentOne(t, buyer)
  supplier.rent.onExtend = noAnswer
  await refused(t, 'POST /api/v1/rentals/{id}/extend', { id, period: 24 }, { token })
  {
    using _settle = dieAt(t, 'activation-settle', 'before')
    using _fail = dieAt(t, 'activation-fail', 'before')
    await refused(t, BUY, TELEGRAM, { token })
    using _settleRental = dieAt(t, 'rental-settle', 'before')
    using _failRental = dieAt(t, 'rental-fail', 'before')
    await refused(t, RENT, WHOLE, { token })
  }
  expect(await moneyOf(t, buyer)).toEqual({ balance: '97.00', held: '403.00' })
  return { supplier, buyer }
}

test('M-2: after the clock was set back the next sweep settles what was left behind before', async () => {
  await using t = await startTestApp()
  const { supplier, buyer } = await leaveAll(t)
  supplier.rent.onExtend = async () => ({ outcome: 'refused' })
  t.clock.advance(-HOUR)
  expect(await sweep(t)).toBe(3)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '227.00', held: '273.00' })
  expect(await count(t.ctx, `activations WHERE state = 'waiting'`)).toBe(1)
  expect(await count(t.ctx, `rentals WHERE state = 'active' AND extension_id IS NULL`)).toBe(2)
  await expectBooksRight(t.ctx)
})

test('M-2: what nobody works on when the clock is set back far is given up at once, and asked about by jobs', async () => {
  await using t = await startTestApp()
  const { buyer } = await leaveAll(t)
  expect(await giveUp(t)).toBe(0)
  t.clock.advance(-HOUR)
  expect(await giveUp(t)).toBe(3)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '370.00', held: '130.00' })
  expect(await count(t.ctx, 'graphile_worker._private_jobs')).toBe(3)
  await expectBooksRight(t.ctx)
})

test('M-2: a purchase and a rental under way while the clock is set back go on', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '143.00' })
  const [selling, renting] = [gate<void>(), gate<void>()]
  supplier.onBuy = async (order) => {
    await selling.wait()
    return supplier.sell(order)
  }
  supplier.rent.onRent = async (order) => {
    await renting.wait()
    return supplier.rent.give(order)
  }
  await giveUp(t)
  const presses = [call(t, BUY, TELEGRAM, { token: buyer.token }), call(t, RENT, WHOLE, { token: buyer.token })]
  await Promise.all([selling.asked, renting.asked])
  t.clock.advance(-HOUR)
  expect(await sweep(t)).toBe(0)
  expect(await giveUp(t)).toBe(0)
  t.clock.advance(RESERVED_LIMIT_MS - 1)
  expect(await sweep(t)).toBe(0)
  expect(await giveUp(t)).toBe(0)
  selling.answer()
  renting.answer()
  await Promise.all(presses)
  expect([...supplier.finds, ...supplier.rent.finds]).toEqual([])
  expect(await count(t.ctx, `activations WHERE state = 'waiting'`)).toBe(1)
  expect(await count(t.ctx, `rentals WHERE state = 'active'`)).toBe(1)
  await expectBooksRight(t.ctx)
})

test('M-2: a pre-order that was buying when the clock was set back waits again, with its money', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  Object.assign(supplier, { onBuy: noAnswer, onFind: noAnswer })
  const buyer = await t.makeUser({ balance: '20.00' })
  await call(t, 'POST /api/v1/preorders', { ...TELEGRAM, max_price: '20.00', hours: 1 }, { token: buyer.token })
  {
    using _ = dieAt(t, 'activation-fail', 'before')
    await sweepPreorders(t.ctx)
  }
  expect(await giveUp(t)).toBe(0)
  t.clock.advance(-HOUR)
  expect(await giveUp(t)).toBe(1)
  expect(await count(t.ctx, `preorders WHERE state = 'buying'`)).toBe(1)
  expect(await sweepPreorders(t.ctx)).toBe(0)
  expect(await count(t.ctx, `preorders WHERE state = 'waiting'`)).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '20.00' })
  await expectBooksRight(t.ctx)
})

test('M-2: whatever the clock does, what is being made is under way, and what was made since the look is too', async () => {
  const clock = createTestClock()
  const underWay = new UnderWay()
  const ask = (statement: Promise<bigint>) => async () => ({ id: await statement })
  const [first, second] = [Promise.withResolvers<bigint>(), Promise.withResolvers<bigint>()]
  const old = { id: 1n, created_at: clock.now() }
  const making = underWay.make(old.created_at, ask(first.promise))
  clock.advance(-HOUR)
  const beforeAnswer = underWay.leftBehind(clock)
  expect(beforeAnswer(old)).toBe(false)
  first.resolve(old.id)
  await making
  expect(beforeAnswer(old)).toBe(false)
  underWay.delete(old.id)
  expect(underWay.leftBehind(clock)(old)).toBe(true)

  const look = underWay.leftBehind(clock)
  clock.advance(-HOUR)
  const young = { id: 2n, created_at: clock.now() }
  const makingYoung = underWay.make(young.created_at, ask(second.promise))
  expect(look(young)).toBe(false)
  second.resolve(young.id)
  await makingYoung
  expect(look(young)).toBe(false)
})
