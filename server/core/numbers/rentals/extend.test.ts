import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { settleRentalOrphans, sweepRenting } from '#server/core/numbers/purchase/rental-orphans.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { rentingOf } from '#server/core/numbers/sourcing/under-way.ts'
import { count, eventsOf, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, later, rentOne, rentTransfersOf } from '#test/builders/rental-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { sweepRentals } from './sweep.ts'

const EXTEND = 'POST /api/v1/rentals/{id}/extend'
const EXTENSIONS = 'GET /api/v1/rentals/{id}/extensions'

test('an extension is held, granted and captured at once, together with what was still held of the rental', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  await addRenting(
    t,
    'cheaper',
    fakeRentOffers.map((offer) => ({ ...offer, costMicros: offer.costMicros / 2n, stock: 0 })),
  )
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id } = await rentOne(t, buyer)
  // The offer is sold out, but the buyer already has the number, so the rental can be extended.
  supplier.rent.offers = supplier.rent.offers.map((offer) => ({ ...offer, stock: 0 }))
  rentCatalogOf(t.ctx).setOffers(supplier.id, supplier.rent.offers)
  const offered = await call(t, EXTENSIONS, { id }, { token: buyer.token })
  expect(offered.data).toEqual({
    currency: 'rub',
    periods: [
      { period: 4, price: '52.00', until: '2026-03-02T16:00:00.000Z' },
      { period: 24, price: '130.00', until: '2026-03-03T12:00:00.000Z' },
      { period: 1440, price: '1300.00', until: '2026-05-01T12:00:00.000Z' },
    ],
  })
  using live = await listen(t, buyer)
  const { data } = await call(t, EXTEND, { id, period: 24, price: '130.00' }, { token: buyer.token })
  expect(data).toMatchObject({
    state: 'active',
    hours: 48,
    price: '260.00',
    money: 'captured',
    cancel_until: null,
    expired_date: '2026-03-03T12:00:00.000Z',
  })
  expect(await live.next('RentalChanged')).toEqual({ record: data, names: expect.anything(), balance: '240.00' })
  expect(supplier.rent.extensions).toMatchObject([
    {
      reference: `r${id}-1`,
      supplierReference: 'fake-rent-1',
      hours: 24,
      maxCostMicros: 100_000_000n,
      currency: 'rub',
      expiresAt: new Date('2026-03-03T12:00:00.000Z'),
    },
  ])
  expect(await rentTransfersOf(t.ctx, id)).toEqual([
    'rental hold',
    'extension hold',
    'rental capture',
    'extension capture',
  ])
  const cancel = await refused(t, 'POST /api/v1/rentals/{id}/cancel', { id }, { token: buyer.token })
  expect(cancel.body.code).toBe('RENT_CANCEL_DENIED')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '240.00', held: '0.00' })
  expect(await eventsOf(t.ctx, id)).toEqual(['rental.active', 'rental.extended'])
  const { rows } = await t.ctx.db.query({
    text: 'SELECT cost_micros, extension_id FROM rentals WHERE id = $1',
    values: [id],
  })
  expect(rows).toEqual([{ cost_micros: 200_000_000n, extension_id: null }])
  await expectBooksRight(t.ctx)
})

test('what cannot be extended is refused with its reason, and nothing stays held', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '2000.00' })
  const { id } = await rentOne(t, buyer)
  const codeOf = async (change: object) =>
    (await refused(t, EXTEND, { id, period: 24, ...change }, { token: buyer.token })).body.code
  expect(await codeOf({ period: 72 })).toBe('EXTEND_UNAVAILABLE')
  expect(await codeOf({ price: '129.99' })).toBe('PRICE_CHANGED')
  expect(await codeOf({ id: id + 1 })).toBe('NOT_FOUND')
  supplier.rent.onExtend = async () => ({ outcome: 'refused' })
  expect(await codeOf({})).toBe('EXTEND_UNAVAILABLE')
  expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'extension hold', 'extension release'])
  buyingOf(t.ctx).stopped = true
  expect(await codeOf({})).toBe('BUYING_STOPPED')
  buyingOf(t.ctx).stopped = false
  await t.ctx.db.query({ text: 'UPDATE accounts SET day_spend_limit_micros = 259000000' })
  expect(await codeOf({})).toBe('SPEND_LIMIT_REACHED')
  await t.ctx.db.query({ text: 'UPDATE accounts SET day_spend_limit_micros = NULL' })
  supplier.rent.onExtend = async ({ maxCostMicros }) => ({ outcome: 'extended', costMicros: maxCostMicros })
  expect((await call(t, EXTEND, { id, period: 1440 }, { token: buyer.token })).data.hours).toBe(1464)
  await t.ctx.db.query({
    text: `UPDATE rentals SET expires_at = $1`,
    values: [new Date(t.clock.now().getTime() + 180 * DAY)],
  })
  expect(await codeOf({ period: 4 })).toBe('EXTEND_UNAVAILABLE')
  expect((await call(t, EXTENSIONS, { id }, { token: buyer.token })).data.periods).toEqual([])
  await later(t, buyer, 4 * HOUR)
  expect((await call(t, EXTEND, { id, period: 4 }, { token: buyer.token })).data.hours).toBe(1468)
  expect(await codeOf({ period: 1440 })).toBe('EXTEND_UNAVAILABLE')
  const poor = await t.makeUser({ balance: '130.00' })
  const theirs = await rentOne(t, poor)
  const told = await refused(t, EXTEND, { id: theirs.id, period: 4 }, { token: poor.token })
  expect(told.body).toMatchObject({ code: 'NO_BALANCE', data: { price: '52.00', missing: '52.00' } })
  await pushSms(t, supplier, { phone: theirs.phone })
  await call(t, 'POST /api/v1/rentals/{id}/finish', { id: theirs.id }, { token: poor.token })
  expect((await refused(t, EXTEND, { id: theirs.id, period: 4 }, { token: poor.token })).body.code).toBe(
    'ACTIVATION_ENDED',
  )
  expect((await call(t, EXTENSIONS, { id: theirs.id }, { token: poor.token })).data.periods).toEqual([])
  await expectBooksRight(t.ctx)
})

test('one key extends once, in a row or at once; two presses at once without one do not extend twice', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const { id } = await rentOne(t, buyer)
  const options = { token: buyer.token, idempotencyKey: 'extend-it-once' }
  const answers = await Promise.allSettled(
    Array.from({ length: 6 }, () => call(t, EXTEND, { id, period: 24 }, options)),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  expect((await call(t, EXTEND, { id, period: 24 }, options)).data).toMatchObject({ hours: 48, price: '260.00' })
  expect(supplier.rent.extensions).toHaveLength(1)
  const other = await refused(t, EXTEND, { id, period: 4 }, options)
  expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT')

  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  supplier.rent.onExtend = async ({ maxCostMicros }) => {
    asked.resolve()
    await gate.promise
    return { outcome: 'extended', costMicros: maxCostMicros }
  }
  const first = call(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  await asked.promise
  expect((await refused(t, EXTEND, { id, period: 24 }, { token: buyer.token })).body.code).toBe('IN_PROGRESS')
  gate.resolve()
  expect((await first).data.hours).toBe(72)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '610.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test.each(['granted', 'refused'] as const)(
  'an extension without an answer keeps the rental alive and the money held until it is known: %s',
  async (outcome) => {
    await using t = await startTestApp()
    const supplier = await addRenting(t)
    const buyer = await t.makeUser({ balance: '500.00' })
    const { id, phone } = await rentOne(t, buyer, { period: 4 })
    await pushSms(t, supplier, { phone })
    supplier.rent.onExtend = async () => {
      throw new Error('504 Gateway Timeout')
    }
    const options = () => ({ token: buyer.token, idempotencyKey: 'extend-it-once' })
    expect((await refused(t, EXTEND, { id, period: 4 }, options())).body.code).toBe('IN_PROGRESS')
    expect(await moneyOf(t, buyer)).toEqual({ balance: '396.00', held: '52.00' })
    for (const verb of ['cancel', 'finish'] as const) {
      const told = await refused(t, `POST /api/v1/rentals/{id}/${verb}`, { id }, { token: buyer.token })
      expect(told.body.code).toBe('IN_PROGRESS')
    }
    // The rental's time runs out while the extension's outcome is unknown. The rental does not end before the outcome
    // is known, and a message still counts.
    await later(t, buyer, 4 * HOUR)
    expect((await sweepRentals(t.ctx)).expired).toBe(0)
    await pushSms(t, supplier, { phone, messageId: 'meanwhile' })
    expect(await settleRentalOrphans(t.ctx)).toBe(0)
    expect((await refused(t, EXTEND, { id, period: 4 }, options())).body.code).toBe('IN_PROGRESS')
    const answer = {
      granted: { outcome: 'extended', costMicros: 40_000_000n },
      refused: { outcome: 'refused' },
    } as const
    supplier.rent.onExtend = async () => answer[outcome]
    using live = await listen(t, buyer)
    expect(await settleRentalOrphans(t.ctx)).toBe(1)
    expect(new Set(supplier.rent.extensions.map(({ extensionReference }) => extensionReference)).size).toBe(1)
    const told = await live.next('RentalChanged')
    if (outcome === 'granted') {
      expect(told).toMatchObject({ record: { hours: 8, price: '104.00', messages_count: 2 }, balance: '396.00' })
      expect((await sweepRentals(t.ctx)).expired).toBe(0)
      expect((await call(t, EXTEND, { id, period: 4 }, options())).data).toMatchObject({ hours: 8 })
      await later(t, buyer, 4 * HOUR)
    } else {
      expect(told).toMatchObject({ record: { hours: 4, price: '52.00' }, balance: '448.00' })
      expect((await refused(t, EXTEND, { id, period: 4 }, options())).body.code).toBe('EXTEND_UNAVAILABLE')
    }
    expect((await sweepRentals(t.ctx)).expired).toBe(1)
    expect(await count(t.ctx, 'rentals WHERE extension_id IS NOT NULL')).toBe(0)
    await expectBooksRight(t.ctx)
  },
)

test('an extension under way is left alone by the sweep, and asked for again when nobody works on it', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id } = await rentOne(t, buyer)
  const { onExtend } = supplier.rent
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  supplier.rent.onExtend = async (...given) => {
    asked.resolve()
    await gate.promise
    return onExtend(...given)
  }
  const extending = call(t, EXTEND, { id, period: 24 }, { token: buyer.token })
  await asked.promise
  t.clock.advance(MINUTE)
  expect(await sweepRenting(t.ctx)).toBe(0)
  // The sweep acts like another process once `rentingOf` lacks the rental, and queries the supplier about the extension.
  // The extension must be settled only once.
  rentingOf(t.ctx).delete(BigInt(id))
  supplier.rent.onExtend = onExtend
  expect(await sweepRenting(t.ctx)).toBe(1)
  gate.resolve()
  expect((await extending).data).toMatchObject({ hours: 48, price: '260.00' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '240.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})
