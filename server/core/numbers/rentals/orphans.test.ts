import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import {
  claimRentalOrphans,
  giveUpRenting,
  settleRentalOrphans,
  sweepRenting,
} from '#server/core/numbers/purchase/rental-orphans.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, later, readRental, rentOne, rentTransfersOf } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { reserveRental } from './queries/reserve.ts'
import { CANCEL_MS } from './times.ts'

async function leaveOrphan(t: TestApp, user: TestUser, supplierId: number): Promise<number> {
  const now = t.clock.now()
  const expiresAt = new Date(now.getTime() + 24 * HOUR)
  const row = await reserveRental(t.ctx.db, {
    userId: user.id,
    serviceCode: 'full',
    countryId: 2,
    operatorWanted: null,
    hours: 24,
    priceMicros: 130_000_000n,
    currency: 'rub',
    supplierId,
    costLimitMicros: 100_000_000n,
    costCurrency: 'rub',
    channel: 'site',
    idempotencyKey: 'v1:the-press-before',
    inputHash: null,
    limits: { openNumbers: null, daySpendMicros: null },
    nodeId: NO_NODE,
    now,
    cancelUntil: new Date(now.getTime() + CANCEL_MS),
    expiresAt,
    warnAt: expiresAt,
  })
  if (row === null) throw new Error('nothing was reserved')
  return Number(row.id)
}

test('after a crash between hold and settle the supplier is asked: rented becomes the buyer’s, not rented is released', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const [lucky, unlucky] = [await t.makeUser({ balance: '130.00' }), await t.makeUser({ balance: '130.00' })]
  const rented = await leaveOrphan(t, lucky, supplier.id)
  const none = await leaveOrphan(t, unlucky, supplier.id)
  const number = supplier.rent.give({ reference: `r${rented}-1`, operator: 'altel', maxCostMicros: 100_000_000n })
  using live = await listen(t, lucky)
  await claimRentalOrphans(t.ctx)
  expect([...rentingOf(t.ctx)].map(Number)).toEqual([rented, none])
  // A message that comes before the crashed purchase is settled waits until it is known who got the number.
  const early = pushSms(t, supplier, { phone: number.phone })
  expect(await settleRentalOrphans(t.ctx)).toBe(2)
  await early
  expect(rentingOf(t.ctx).size).toBe(0)
  expect(await live.next('NewCode')).toMatchObject({ record: { id: rented, state: 'active', money: 'captured' } })
  expect(await readRental(t, unlucky, none)).toMatchObject({
    state: 'failed',
    money: 'released',
    phone: null,
    final: true,
  })
  expect(supplier.rent.orders).toEqual([])
  expect(supplier.rent.finds.sort()).toEqual([`r${rented}-1`, `r${none}-1`])
  expect(await rentTransfersOf(t.ctx, none)).toEqual(['rental hold', 'rental release'])
  const list = await call(t, 'GET /api/user/active-rent-numbers', { ended: '1' }, { token: unlucky.token })
  expect(list.numbers.data).toEqual([])
  await expectBooksRight(t.ctx)
})

test.each([
  ['are settled at start', settleRentalOrphans],
  ['are given up while the service runs', giveUpRenting],
])('M-2: a rental and an extension of a process whose clock was ahead %s', async (_how, settle) => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id: extended } = await rentOne(t, buyer)
  supplier.rent.onExtend = () => Promise.reject(new Error('cut off'))
  await refused(t, 'POST /api/v1/rentals/{id}/extend', { id: extended, period: 24 }, { token: buyer.token })
  rentingOf(t.ctx).clear()
  const id = await leaveOrphan(t, buyer, supplier.id)
  t.clock.advance(-10 * MINUTE)
  await claimRentalOrphans(t.ctx)
  expect([...rentingOf(t.ctx)].map(Number)).toEqual([id])
  rentingOf(t.ctx).clear()
  supplier.rent.onExtend = async () => ({ outcome: 'refused' })
  expect(await settle(t.ctx)).toBe(2)
  expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'rental release'])
  expect(await rentTransfersOf(t.ctx, extended)).toEqual(['rental hold', 'extension hold', 'extension release'])
  await expectBooksRight(t.ctx)
})

test('while its supplier gives no answer a rental stays open for as long as it could be cancelled; then a job goes on asking', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '130.00' })
  const id = await leaveOrphan(t, buyer, supplier.id)
  supplier.rent.onFind = async () => {
    throw new Error('503 Service Unavailable')
  }
  expect(await settleRentalOrphans(t.ctx)).toBe(0)
  for (const verb of ['cancel', 'finish'] as const) {
    const told = await refused(t, `POST /api/v1/rentals/{id}/${verb}`, { id }, { token: buyer.token })
    expect(told.body.code).toBe('IN_PROGRESS')
  }
  await later(t, buyer, 20 * MINUTE)
  expect(await sweepRenting(t.ctx)).toBe(1)
  expect(await readRental(t, buyer, id)).toMatchObject({ state: 'failed', money: 'released' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '130.00', held: '0.00' })
  expect(await count(t.ctx, 'graphile_worker._private_jobs')).toBe(1)
  const found = supplier.rent.give({ reference: `r${id}-1`, operator: 'altel', maxCostMicros: 1n })
  supplier.rent.onFind = async () => found
  await t.runJobs()
  expect(supplier.rent.ended).toMatchObject([{ reference: `r${id}-1`, phone: found.phone }])
  await expectBooksRight(t.ctx)
})

test('an orphan whose number another buyer has is released, and only what was rented for it is given back', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const [owner, buyer] = [await t.makeUser({ balance: '130.00' }), await t.makeUser({ balance: '130.00' })]
  const owned = await rentOne(t, owner)
  const id = await leaveOrphan(t, buyer, supplier.id)
  const same = {
    outcome: 'bought' as const,
    phone: owned.phone,
    operator: 'altel',
    costMicros: 1n,
    supplierReference: 'x',
  }
  supplier.rent.onFind = async () => same
  t.clock.advance(1)
  expect(await sweepRenting(t.ctx)).toBe(1)
  expect(await readRental(t, buyer, id)).toMatchObject({ state: 'failed' })
  await t.runJobs()
  expect(supplier.rent.ended.map(({ supplierReference }) => supplierReference)).toEqual(['x'])
  // The supplier repeats the order reference of the present holder, who must keep the number.
  const third = await t.makeUser({ balance: '130.00' })
  await leaveOrphan(t, third, supplier.id)
  supplier.rent.onFind = async () => ({ ...same, supplierReference: 'fake-rent-1' })
  expect(await settleRentalOrphans(t.ctx)).toBe(1)
  await t.runJobs()
  expect(supplier.rent.ended).toHaveLength(1)
  await pushSms(t, supplier, { phone: owned.phone })
  expect(await readRental(t, owner, owned.id)).toMatchObject({ state: 'active', messages_count: 1 })
  await expectBooksRight(t.ctx)
})

test('a message that is faster than the answer to the rental finds its buyer', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const pushed: Promise<void>[] = []
  supplier.rent.onRent = async (order) => {
    const number = supplier.rent.give(order)
    pushed.push(pushSms(t, supplier, { phone: number.phone }))
    return number
  }
  const { id } = await rentOne(t, buyer)
  await Promise.all(pushed)
  expect(await readRental(t, buyer, id)).toMatchObject({ money: 'captured', messages_count: 1 })
  await expectBooksRight(t.ctx)
})
