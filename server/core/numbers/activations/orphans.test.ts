import { expect, test, vi } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { claimOrphans, settleOrphans, sweepReserving } from '#server/core/numbers/purchase/activation-orphans.ts'
import { reservingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { SUPPLIER_TIMEOUT_MS } from '#server/core/suppliers/supplier.ts'
import {
  availableOf,
  buyOne,
  count,
  expectBooksRight,
  leaveOrphan,
  pushSms,
  stateOf,
  transfersOf,
} from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { buyActivation } from '../purchase/buy.ts'

test.each([
  ['an orphan', 0],
  ['M-2: an orphan of a process whose clock was ahead', -10 * MINUTE],
])('%s whose supplier sold nothing is released, and the supplier is asked, not bought from', async (_what, laterMs) => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const id = await leaveOrphan(t, buyer, supplier.id)
  t.clock.advance(laterMs)
  await claimOrphans(t.ctx)
  expect([...reservingOf(t.ctx)].map(Number)).toEqual([id])
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  expect(supplier.finds).toEqual([`${id}-1`])
  expect(supplier.orders).toEqual([])
  expect(await availableOf(t)).toEqual([100_000_000n])
  await expectBooksRight(t.ctx)
})

test('an orphan whose supplier sold a number becomes the buyer’s', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const id = await leaveOrphan(t, buyer, supplier.id)
  using live = await listen(t, buyer)
  const order = {
    buyerId: buyer.id,
    serviceCode: 'tg',
    countryId: 2,
    operator: 'altel',
    currency: 'rub' as const,
    expiresAt: t.clock.now(),
  }
  const sold = supplier.sell({ ...order, reference: `${id}-1`, maxCostMicros: 10_000_000n })
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect(await live.next('ActivationChanged')).toMatchObject({ record: { id, state: 'waiting', phone: sold.phone } })
  await pushSms(t, supplier, { phone: sold.phone })
  expect(await transfersOf(t.ctx, id)).toEqual(['hold', 'capture'])
  await expectBooksRight(t.ctx)
})

test('while a supplier gives no answer an orphan stays open, until the buyer’s time is over; then a job goes on asking', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const id = await leaveOrphan(t, buyer, supplier.id)
  supplier.onFind = async () => {
    throw new Error('503 Service Unavailable')
  }
  expect(await settleOrphans(t.ctx)).toBe(0)
  expect(await stateOf(t, id)).toBe('reserving')
  t.clock.advance(20 * MINUTE)
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  expect(await availableOf(t)).toEqual([100_000_000n])
  expect(await count(t.ctx, 'graphile_worker._private_jobs')).toBe(1)
  await expectBooksRight(t.ctx)
})

test('an orphan whose number another buyer has is released, and what was sold is given back', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const owned = await buyOne(t, buyer)
  const id = await leaveOrphan(t, buyer, supplier.id)
  const twice = {
    outcome: 'bought' as const,
    phone: owned.phone,
    operator: 'altel',
    costMicros: 1n,
    supplierReference: 'x',
  }
  supplier.onFind = async () => twice
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  await t.runJobs()
  expect(supplier.ended.map(({ number }) => number.supplierReference)).toEqual(['x'])
  await expectBooksRight(t.ctx)
})

test('R-C: while the service runs, a purchase under way is left alone; any other is settled by the next sweep', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const id = await leaveOrphan(t, buyer, supplier.id)
  t.clock.advance(1)
  reservingOf(t.ctx).add(BigInt(id))
  expect(await sweepReserving(t.ctx)).toBe(0)
  reservingOf(t.ctx).delete(BigInt(id))
  expect(await sweepReserving(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
})

test('R-C: a row whose statement has not answered yet is under way, and so is everything younger', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const answer = Promise.withResolvers<void>()
  const made = Promise.withResolvers<number>()
  const statement = async () => {
    const id = await leaveOrphan(t, buyer, supplier.id)
    made.resolve(id)
    await answer.promise
    return { id: BigInt(id) }
  }
  const making = reservingOf(t.ctx).make(t.clock.now(), statement)
  const id = await made.promise
  t.clock.advance(5)
  expect(await sweepReserving(t.ctx)).toBe(0)
  answer.resolve()
  await making
  expect(await sweepReserving(t.ctx)).toBe(0)
  reservingOf(t.ctx).delete(BigInt(id))
  expect(await sweepReserving(t.ctx)).toBe(1)
  expect(supplier.finds).toEqual([`${id}-1`])
})

test('what was left open before the start is not waited for: the first sweep asks again', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const id = await leaveOrphan(t, buyer, supplier.id)
  const { onFind } = supplier
  supplier.onFind = async () => {
    throw new Error('503 Service Unavailable')
  }
  expect(await settleOrphans(t.ctx)).toBe(0)
  supplier.onFind = onFind
  t.clock.advance(1)
  expect(await sweepReserving(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  expect(reservingOf(t.ctx).size).toBe(0)
})

test.each([
  ['costs more than was allowed', { costMicros: 10_000_001n }],
  ['begins as the buyer does not want', { phone: '77779990001' }],
  ['is no phone number', { phone: '0x77' }],
])('an orphan whose number %s is released, and the number given back', async (_what, sold) => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const id = await leaveOrphan(t, buyer, supplier.id, ['7777'])
  const number = { outcome: 'bought' as const, phone: '77051110001', operator: 'altel', supplierReference: 'x' }
  supplier.onFind = async () => ({ ...number, costMicros: 10_000_000n, ...sold })
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  expect(await availableOf(t)).toEqual([100_000_000n])
  await t.runJobs()
  expect(supplier.ended.map(({ number: { reference }, ending }) => [reference, ending])).toEqual([
    [`${id}-1`, 'unsold'],
  ])
  await expectBooksRight(t.ctx)
})

test('what the buyer does not want is kept with the purchase, and what the last attempt may cost', async () => {
  await using t = await startTestApp()
  const first = await t.addFake('first', [{ ...fakeOffer, costMicros: 9_000_000n }])
  const second = await t.addFake('second')
  first.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  second.onBuy = async (order) => {
    const number = second.sell(order)
    asked.resolve()
    await answered.promise
    return number
  }
  const buyer = await t.makeUser({ balance: '100.00' })
  const purchase = { userId: buyer.id, currency: 'rub', serviceCode: 'tg', countryId: 2, operator: null } as const
  const buying = buyActivation(t.ctx, { ...purchase, excludedPrefixes: ['770', '7705'], channel: 'handler_api' })
  const refused = expect(buying).rejects.toMatchObject({ code: 'NO_NUMBERS' })
  await asked.promise
  const { rows } = await t.ctx.db.query({
    text: 'SELECT supplier_id, cost_limit_micros, excluded_prefixes FROM activations',
  })
  expect(rows).toEqual([{ supplier_id: second.id, cost_limit_micros: 10_000_000n, excluded_prefixes: ['770', '7705'] }])
  expect(await settleOrphans(t.ctx)).toBe(1)
  answered.resolve()
  await refused
  await t.runJobs()
  expect(second.ended).toHaveLength(1)
  expect(await availableOf(t)).toEqual([100_000_000n])
  await expectBooksRight(t.ctx)
})

test('all orphans are settled at start, however many, and their numbers are waited for until then', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '10000.00' })
  for (let made = 0; made < 120; made += 1) {
    await leaveOrphan(t, buyer, supplier.id)
    // Many rows share a creation time, so that a group of equal times may span two batches.
    if (made % 7 === 0) t.clock.advance(1)
  }
  await claimOrphans(t.ctx)
  expect(reservingOf(t.ctx).size).toBe(120)
  expect(await settleOrphans(t.ctx)).toBe(120)
  expect(reservingOf(t.ctx).size).toBe(0)
  expect(new Set(supplier.finds).size).toBe(120)
  expect(await availableOf(t)).toEqual([10_000_000_000n])
  await expectBooksRight(t.ctx)
})

test('many orphans of a supplier that hangs are asked for together: a start waits for one time-out, not for each', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  for (let made = 0; made < 12; made += 1) await leaveOrphan(t, buyer, supplier.id)
  const all = Promise.withResolvers<void>()
  supplier.onFind = () => {
    if (supplier.finds.length === 12) all.resolve()
    return new Promise(() => undefined)
  }
  const sweeping = settleOrphans(t.ctx)
  await all.promise
  await vi.advanceTimersByTimeAsync(SUPPLIER_TIMEOUT_MS)
  expect(await sweeping).toBe(0)
})

test('a supplier that hangs costs a start one time-out, however many its orphans, and no other supplier’s wait for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using _ = { [Symbol.dispose]: () => vi.useRealTimers() }
  await using t = await startTestApp()
  const [hangs, answers] = [await t.addFake('hangs'), await t.addFake('answers')]
  const buyer = await t.makeUser({ balance: '10000.00' })
  for (let made = 0; made < 60; made += 1) await leaveOrphan(t, buyer, hangs.id)
  for (let made = 0; made < 60; made += 1) {
    t.clock.advance(1)
    await leaveOrphan(t, buyer, answers.id)
  }
  const firstBatch = Promise.withResolvers<void>()
  hangs.onFind = () => {
    if (hangs.finds.length === 50) firstBatch.resolve()
    return new Promise(() => undefined)
  }
  const settling = settleOrphans(t.ctx)
  await firstBatch.promise
  await vi.advanceTimersByTimeAsync(SUPPLIER_TIMEOUT_MS)
  expect(await settling).toBe(60)
  expect(hangs.finds).toHaveLength(50)
  expect(reservingOf(t.ctx).size).toBe(0)
})
