import { expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { failReservation } from '#server/core/numbers/activations/queries/purchase.ts'
import { limitsOf } from '#server/core/numbers/limits/limits.ts'
import { settleOrphans } from '#server/core/numbers/purchase/activation-orphans.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { NO_NODE } from '#server/house/nodes/node.ts'
import { count, eventsOf, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { holdPreorder, meetAtRow } from '#test/builders/held-row.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { buyWaiting } from './buy-waiting.ts'
import { endWaiting, reserveForPreorder } from './queries/change.ts'
import { findPreorder } from './queries/read.ts'
import type { PreorderRow } from './queries/row.ts'
import { sweepPreorders } from './sweep.ts'

const MAKE = 'POST /api/v1/preorders'
const CANCEL = 'POST /api/v1/preorders/{id}/cancel'
const WISH = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 1 }

async function openShop(t: TestApp) {
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const token = await t.makeApiKey(buyer)
  const { data } = await call(t, MAKE, WISH, { token })
  return { supplier, buyer: { ...buyer, token }, token, id: data.id }
}

async function rowOf(t: TestApp, buyer: TestUser, id: number): Promise<PreorderRow> {
  const row = await findPreorder(t.ctx.db, { id, userId: buyer.id })
  if (row === null) throw new Error('there is no such pre-order')
  return row
}

/** Does the first half of a purchase for the pre-order, like a process that is killed in the middle. */
async function leaveBuying(t: TestApp, row: PreorderRow, supplierId: number): Promise<bigint> {
  const now = t.clock.now()
  const made = await reserveForPreorder(t.ctx.db, {
    userId: row.user_id,
    serviceCode: 'tg',
    countryId: 2,
    operatorWanted: null,
    priceMicros: 13_000_000n,
    currency: row.currency,
    supplierId,
    costLimitMicros: 10_000_000n,
    costCurrency: 'rub',
    excludedPrefixes: [],
    channel: 'site',
    idempotencyKey: null,
    inputHash: null,
    limits: limitsOf(t.ctx, row.currency),
    nodeId: NO_NODE,
    now,
    expiresAt: new Date(now.getTime() + 20 * MINUTE),
    preorderId: row.id,
  })
  if (made === null) throw new Error('nothing was reserved')
  return made.id
}

test('a cancel that is first at the row wins over a purchase: nobody is asked for a number', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token, id } = await openShop(t)
  const [cancelled, swept] = await meetAtRow({ ...t.database, id, hold: holdPreorder }, [
    () => call(t, CANCEL, { id }, { token }),
    () => sweepPreorders(t.ctx),
  ])
  expect(cancelled).toMatchObject({ status: 'fulfilled', value: { data: { state: 'cancelled' } } })
  expect(swept).toMatchObject({ status: 'fulfilled', value: 0 })
  expect(supplier.orders).toEqual([])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '20.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a purchase that is first at the row wins over a cancel, which is told to wait', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token, id } = await openShop(t)
  const told = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    await told.promise
    return supplier.sell(order)
  }
  const [swept, cancelled] = await meetAtRow({ ...t.database, id, hold: holdPreorder }, [
    () => sweepPreorders(t.ctx),
    () => refused(t, CANCEL, { id }, { token }).finally(() => told.resolve()),
  ])
  expect(swept).toMatchObject({ status: 'fulfilled', value: 1 })
  expect(cancelled).toMatchObject({ status: 'fulfilled', value: { status: 409, body: { code: 'IN_PROGRESS' } } })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '7.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})

test.each(['deadline', 'purchase'] as const)(
  'when the deadline and a purchase meet and the %s is first, one of them counts',
  async (first) => {
    await using t = await startTestApp()
    const { supplier, buyer, id } = await openShop(t)
    const row = await rowOf(t, buyer, id)
    const end = () => endWaiting(t.ctx.db, { id: row.id, state: 'expired', now: row.deadline_at })
    const buy = () => buyWaiting(t.ctx, row)
    await meetAtRow<unknown, unknown>(
      { ...t.database, id, hold: holdPreorder },
      first === 'deadline' ? [end, buy] : [buy, end],
    )
    expect((await rowOf(t, buyer, id)).state).toBe(first === 'deadline' ? 'expired' : 'bought')
    expect(supplier.orders).toHaveLength(first === 'deadline' ? 0 : 1)
    await expectBooksRight(t.ctx)
  },
)

test('two sweeps at once buy each number once', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [])
  const buyers = await Promise.all([t.makeUser(), t.makeUser()])
  for (let place = 0; place < 12; place += 1) {
    await call(t, MAKE, { ...WISH, max_price: '15' }, { token: buyers[place % 2]?.token ?? '' })
  }
  const waiting = await count(t.ctx, `preorders WHERE state = 'waiting'`)
  expect(waiting).toBe(12)
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  // The returned counts are not summed, because a sweep may settle what another sweep has just bought.
  await Promise.all([sweepPreorders(t.ctx), sweepPreorders(t.ctx), sweepPreorders(t.ctx)])
  expect(supplier.orders).toHaveLength(waiting)
  expect(await count(t.ctx, `preorders WHERE state = 'bought'`)).toBe(waiting)
  expect(await count(t.ctx, `activations WHERE state = 'waiting'`)).toBe(waiting)
  await expectBooksRight(t.ctx)
})

test('when nobody has one after all, it is held for again and tried ever more rarely, and nobody overtakes', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, id } = await openShop(t)
  const other = await t.makeUser({ balance: '20.00' })
  const otherToken = await t.makeApiKey(other)
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  using live = await listen(t, buyer)
  await sweepPreorders(t.ctx)
  expect(await live.next('PreorderChanged')).toMatchObject({ record: { state: 'buying' }, balance: '7.00' })
  expect(await live.next('PreorderChanged')).toMatchObject({ record: { state: 'waiting' }, balance: '0.00' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '20.00' })
  const late = (await call(t, MAKE, WISH, { token: otherToken })).data
  const waits = [10, 20, 40, 80, 160, 300, 300]
  for (const [place, seconds] of waits.entries()) {
    t.clock.advance(seconds * SECOND - 1)
    await sweepPreorders(t.ctx)
    expect(supplier.orders).toHaveLength(2 * place + 1)
    t.clock.advance(1)
    if (place < waits.length - 1) await sweepPreorders(t.ctx)
  }
  supplier.onBuy = async (order) => supplier.sell(order)
  expect(await sweepPreorders(t.ctx)).toBe(2)
  const bought = [await rowOf(t, buyer, id), await rowOf(t, other, late.id)]
  expect(bought.map(({ state, tries }) => [state, tries])).toEqual([
    ['bought', 7],
    ['bought', 6],
  ])
  expect(Number(bought[0]?.activation_id)).toBeLessThan(Number(bought[1]?.activation_id))
  await expectBooksRight(t.ctx)
})

test('a sweep looks at nothing when nothing has changed', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token } = await openShop(t)
  catalogOf(t.ctx).setOffers(supplier.id, [])
  await sweepPreorders(t.ctx)
  const { query } = t.ctx.db
  const texts: string[] = []
  t.ctx.db.query = (asked) => {
    texts.push(asked.text)
    return query.call(t.ctx.db, asked) as never
  }
  await sweepPreorders(t.ctx)
  expect(texts).toEqual([])
  t.ctx.db.query = query
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  expect(await sweepPreorders(t.ctx)).toBe(1)
  await adjustBalance(t.ctx.db, {
    userId: buyer.id,
    amountMicros: 20_000_000n,
    idempotencyKey: 'more',
    at: t.clock.now(),
  })
  await call(t, MAKE, WISH, { token })
  expect(await sweepPreorders(t.ctx)).toBe(1)
})

test.each([
  ['before its supplier sold one', 'waits again', { sold: false, waitMs: 0 }],
  ['after its supplier sold one', 'is bought', { sold: true, waitMs: 0 }],
  ['before its supplier sold one, and the deadline is over', 'is expired', { sold: false, waitMs: HOUR }],
])('killed %s, it %s', async (_when, becomes, { sold, waitMs }) => {
  await using t = await startTestApp()
  const { supplier, buyer, id } = await openShop(t)
  const activationId = await leaveBuying(t, await rowOf(t, buyer, id), supplier.id)
  if (sold) {
    const order = { buyerId: buyer.id, serviceCode: 'tg', countryId: 2, operator: 'altel', currency: 'rub' as const }
    supplier.sell({ ...order, reference: `${activationId}-1`, maxCostMicros: 10_000_000n, expiresAt: t.clock.now() })
  }
  t.clock.advance(waitMs)
  supplier.onFind = async () => {
    throw new Error('503 Service Unavailable')
  }
  if (waitMs === 0) {
    expect(await settleOrphans(t.ctx)).toBe(0)
    await sweepPreorders(t.ctx)
    expect((await rowOf(t, buyer, id)).state).toBe('buying')
  }
  supplier.onFind = async (reference) => supplier.sold.get(reference) ?? { outcome: 'none' }
  expect(await settleOrphans(t.ctx)).toBe(1)
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  t.clock.advance(5 * SECOND)
  await sweepPreorders(t.ctx)
  const row = await rowOf(t, buyer, id)
  if (becomes === 'is bought') {
    expect(row).toMatchObject({ state: 'bought', activation_id: activationId })
    expect(await moneyOf(t, buyer)).toEqual({ balance: '7.00', held: '13.00' })
  } else if (becomes === 'is expired') {
    expect(row).toMatchObject({ state: 'expired', activation_id: null })
    expect(await moneyOf(t, buyer)).toEqual({ balance: '20.00', held: '0.00' })
  } else {
    expect(row).toMatchObject({ state: 'waiting', activation_id: null })
    expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '20.00' })
  }
  await expectBooksRight(t.ctx)
})

test('when the money that came back was spent elsewhere in between, it has failed, and nothing is held for it', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token, id } = await openShop(t)
  const activationId = await leaveBuying(t, await rowOf(t, buyer, id), supplier.id)
  await failReservation(t.ctx.db, { id: activationId, nodeId: NO_NODE, now: t.clock.now(), abandon: false })
  const spent = { userId: buyer.id, amountMicros: -1n, idempotencyKey: 'spent', at: t.clock.now() }
  await adjustBalance(t.ctx.db, spent)
  await sweepPreorders(t.ctx)
  expect((await rowOf(t, buyer, id)).state).toBe('failed')
  expect((await refused(t, CANCEL, { id }, { token })).body.code).toBe('PREORDER_ENDED')
  expect(await eventsOf(t.ctx, id)).toEqual(['preorder.waiting', 'preorder.buying', 'preorder.failed'])
  t.clock.advance(MINUTE)
  expect(await sweepPreorders(t.ctx)).toBe(0)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '19.999999', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a database that is away in the middle leaves nothing undone for good', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, id } = await openShop(t)
  const { query } = t.ctx.db
  t.ctx.db.query = (asked) => {
    if (asked.name === 'activation-settle') throw new Error('the database is away')
    return query.call(t.ctx.db, asked) as never
  }
  // The supplier sold a number, but the sale could not be stored. The attempt has an unknown outcome, and the number is
  // given back.
  expect(await sweepPreorders(t.ctx)).toBe(0)
  t.ctx.db.query = query
  expect((await rowOf(t, buyer, id)).state).toBe('waiting')
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['unsold'])
  t.clock.advance(10 * SECOND)
  expect(await sweepPreorders(t.ctx)).toBe(1)
  await expectBooksRight(t.ctx)
})

test('whoever cannot have the numbers that there are keeps nobody else waiting', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyers: number[] = []
  for (let place = 0; place < 4; place += 1) {
    const { id, token } = await t.makeUser({ balance: '100.00' })
    buyers.push(id)
    const wish = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 24 }
    await call(t, 'POST /api/v1/preorders', wish, { token })
  }
  const [first, second, ...others] = buyers
  supplier.onBuy = async (order) =>
    order.buyerId === first || order.buyerId === second
      ? { outcome: 'refused', reason: 'no-numbers' }
      : supplier.sell(order)
  for (let turn = 0; turn < 3; turn += 1) {
    await sweepPreorders(t.ctx)
    t.clock.advance(5 * MINUTE)
  }
  const sold = supplier.orders.filter(({ reference }) => supplier.sold.has(reference)).map(({ buyerId }) => buyerId)
  expect(sold).toEqual(others)
  await expectBooksRight(t.ctx)
})
