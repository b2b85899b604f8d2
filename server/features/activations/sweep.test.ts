import { expect, test, vi } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { buyOne, count, eventsOf, expectBooksRight, pushSms, transfersOf } from '#test/activation-rows.ts'
import { call } from '#test/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness.ts'
import { listen } from '#test/live-listener.ts'
import { SUPPLIER_TIMEOUT_MS } from './ask-suppliers.ts'
import { reserve } from './queries/purchase.ts'
import { sweepExpired, sweepReserving } from './sweep.ts'

/** What a process leaves behind that dies between hold and settle. */
async function leaveOrphan(t: TestApp, user: TestUser, supplierId: number): Promise<number> {
  const now = t.clock.now()
  const row = await reserve(t.ctx.db, {
    userId: user.id,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    priceMicros: 13_000_000n,
    currency: 'rub',
    supplierId,
    channel: 'site',
    idempotencyKey: null,
    inputHash: null,
    now,
    expiresAt: new Date(now.getTime() + 20 * MINUTE),
  })
  if (row === null) throw new Error('nothing was reserved')
  return Number(row.id)
}

const stateOf = async (t: TestApp, id: number) => {
  const { rows } = await t.ctx.db.query<{ state: string }>({
    text: 'SELECT state FROM activations WHERE id = $1',
    values: [id],
  })
  return rows[0]?.state
}

const availableOf = async (t: TestApp) => {
  const { rows } = await t.ctx.db.query<{ micros: bigint }>({ text: 'SELECT available_micros AS micros FROM accounts' })
  return rows.map((row) => row.micros)
}

test('when the time is over, numbers without a code are refunded and those with one are finished', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const [empty, coded, again] = [await buyOne(t, buyer), await buyOne(t, buyer), await buyOne(t, buyer)]
  await pushSms(t, supplier, { phone: coded.phone })
  await pushSms(t, supplier, { phone: again.phone })
  await call(t, 'POST /api/v1/activations/{id}/again', { id: again.id }, { token: buyer.token })
  using live = await listen(t, buyer)
  t.clock.advance(20 * MINUTE - 1)
  expect(await sweepExpired(t.ctx)).toBe(0)
  t.clock.advance(1)
  expect(await sweepExpired(t.ctx)).toBe(3)
  expect(await Promise.all([empty, coded, again].map(({ id }) => stateOf(t, id)))).toEqual([
    'expired',
    'finished',
    'finished',
  ])
  const told = [
    await live.next('ActivationChanged'),
    await live.next('ActivationChanged'),
    await live.next('ActivationChanged'),
  ]
  expect(told.find(({ record }) => record.id === empty.id)).toMatchObject({
    record: { state: 'expired', money: 'released', final: true },
    balance: '74.00',
  })
  expect(told.find(({ record }) => record.id === coded.id)).toMatchObject({
    record: { state: 'finished' },
    balance: null,
  })
  expect(await transfersOf(t.ctx, empty.id)).toEqual(['hold', 'release'])
  expect(await eventsOf(t.ctx, empty.id)).toEqual(['activation.waiting', 'activation.expired'])
  expect(await sweepExpired(t.ctx)).toBe(0)
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending).sort()).toEqual(['expired', 'finished', 'finished'])
  await expectBooksRight(t.ctx)
})

test('an orphan whose supplier sold nothing is released, and the supplier is asked, not bought from', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const id = await leaveOrphan(t, buyer, supplier.id)
  expect(await sweepReserving(t.ctx, { everything: true })).toBe(1)
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
    serviceCode: 'tg',
    countryId: 2,
    operator: 'altel',
    currency: 'rub' as const,
    expiresAt: t.clock.now(),
  }
  const sold = supplier.sell({ ...order, reference: `${id}-1`, maxCostMicros: 10_000_000n })
  expect(await sweepReserving(t.ctx, { everything: true })).toBe(1)
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
  expect(await sweepReserving(t.ctx, { everything: true })).toBe(0)
  expect(await stateOf(t, id)).toBe('reserving')
  t.clock.advance(20 * MINUTE)
  expect(await sweepReserving(t.ctx, { everything: true })).toBe(1)
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
  expect(await sweepReserving(t.ctx, { everything: true })).toBe(1)
  expect(await stateOf(t, id)).toBe('failed')
  await t.runJobs()
  expect(supplier.ended.map(({ number }) => number.supplierReference)).toEqual(['x'])
  await expectBooksRight(t.ctx)
})

test('a purchase that is under way is left alone, and one that just began', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const id = await leaveOrphan(t, buyer, supplier.id)
  t.clock.advance(60 * SECOND - 1)
  expect(await sweepReserving(t.ctx, { everything: false })).toBe(0)
  t.clock.advance(1)
  t.ctx.reserving.add(BigInt(id))
  expect(await sweepReserving(t.ctx, { everything: false })).toBe(0)
  t.ctx.reserving.delete(BigInt(id))
  expect(await sweepReserving(t.ctx, { everything: false })).toBe(1)
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
  const sweeping = sweepReserving(t.ctx, { everything: true })
  await all.promise
  await vi.advanceTimersByTimeAsync(SUPPLIER_TIMEOUT_MS)
  expect(await sweeping).toBe(0)
})
