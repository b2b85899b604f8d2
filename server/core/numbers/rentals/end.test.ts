import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { reportNumberUnusable } from '#server/core/numbers/refunds/report-unusable.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { count, eventsOf, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { holdRental, meetAtRow } from '#test/builders/held-row.ts'
import { addRenting, later, readRental, rentOne, rentTransfersOf } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { captureDue } from './queries/end.ts'
import { sweepRentals } from './sweep.ts'

const CANCEL = 'POST /api/v1/rentals/{id}/cancel'
const FINISH = 'POST /api/v1/rentals/{id}/finish'

test('a rental is cancelled with the money back, once, the supplier told; a minute too late it is not', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const [first, second] = [await rentOne(t, buyer), await rentOne(t, buyer)]
  await later(t, buyer, 20 * MINUTE - 1)
  using live = await listen(t, buyer)
  const { data } = await call(t, CANCEL, { id: first.id }, { token: buyer.token })
  expect(data).toMatchObject({ state: 'cancelled', final: true, money: 'released', cancel_until: null })
  expect(await live.next('RentalChanged')).toEqual({ record: data, names: expect.anything(), balance: '370.00' })
  expect((await call(t, CANCEL, { id: first.id }, { token: buyer.token })).data).toEqual(data)
  t.clock.advance(1)
  expect((await refused(t, CANCEL, { id: second.id }, { token: buyer.token })).body.code).toBe('RENT_CANCEL_DENIED')
  expect(await sweepRentals(t.ctx)).toEqual({ expired: 0, captured: 1, warned: 0 })
  expect((await refused(t, CANCEL, { id: second.id }, { token: buyer.token })).body.code).toBe('RENT_CANCEL_DENIED')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '370.00', held: '0.00' })
  await t.runJobs()
  const number = { reference: `r${first.id}-1`, supplierReference: 'fake-rent-1', phone: first.phone }
  expect(supplier.rent.ended).toEqual([{ ...number, serviceCode: 'full' }])
  expect(supplier.ended).toEqual([])
  expect((await refused(t, FINISH, { id: first.id }, { token: buyer.token })).body.code).toBe('ACTIVATION_ENDED')
  await expectBooksRight(t.ctx)
})

test('finishing is refused while cancelling gives the money back, and ends the number after that', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const [quiet, used] = [await rentOne(t, buyer), await rentOne(t, buyer)]
  expect((await refused(t, FINISH, { id: quiet.id }, { token: buyer.token, locale: 'en' })).body).toMatchObject({
    code: 'NO_CODE_YET',
    message: 'No message has arrived yet. Cancel the rental and we’ll refund you.',
  })
  await pushSms(t, supplier, { phone: used.phone })
  const { data } = await call(t, FINISH, { id: used.id }, { token: buyer.token })
  expect(data).toMatchObject({ state: 'finished', money: 'captured', final: true, code: '48213' })
  expect((await call(t, FINISH, { id: used.id }, { token: buyer.token })).data).toEqual(data)
  expect((await refused(t, CANCEL, { id: used.id }, { token: buyer.token })).body.code).toBe('ACTIVATION_ENDED')
  await later(t, buyer, 20 * MINUTE)
  expect((await call(t, FINISH, { id: quiet.id }, { token: buyer.token })).data).toMatchObject({
    state: 'finished',
    money: 'captured',
  })
  expect(await rentTransfersOf(t.ctx, quiet.id)).toEqual(['rental hold', 'rental capture'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '240.00', held: '0.00' })
  expect(await eventsOf(t.ctx, used.id)).toEqual(['rental.active', 'rental.received', 'rental.finished'])
  await t.runJobs()
  expect(supplier.rent.ended).toHaveLength(2)
  await pushSms(t, supplier, { phone: used.phone, messageId: 'late' })
  expect(await count(t.ctx, `messages WHERE given = 'late'`)).toBe(1)
  await expectBooksRight(t.ctx)
})

test('someone else’s rental is not found', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const [owner, stranger] = [await t.makeUser({ balance: '500.00' }), await t.makeUser({ balance: '500.00' })]
  const { id } = await rentOne(t, owner)
  const { token } = stranger
  for (const key of [CANCEL, FINISH, 'GET /api/v1/rentals/{id}', 'GET /api/v1/rentals/{id}/extensions'] as const) {
    expect([key, (await refused(t, key, { id }, { token })).status]).toEqual([key, 404])
  }
  const extend = await refused(t, 'POST /api/v1/rentals/{id}/extend', { id, period: 24 }, { token })
  expect(extend.status).toBe(404)
  expect((await t.fetch(`/api/v1/rentals/${id}`)).status).toBe(401)
  expect(await readRental(t, owner, id)).toMatchObject({ state: 'active', money: 'held' })
  expect(await moneyOf(t, stranger)).toEqual({ balance: '500.00', held: '0.00' })
})

test.each(['cancel', 'message'] as const)(
  'when a cancel and a message meet, the %s that is first counts',
  async (first) => {
    await using t = await startTestApp()
    const supplier = await addRenting(t)
    const buyer = await t.makeUser({ balance: '130.00' })
    const { id, phone } = await rentOne(t, buyer)
    const cancel = () => call(t, CANCEL, { id }, { token: buyer.token })
    const message = () => pushSms(t, supplier, { phone })
    const held = { connectionString: t.database.connectionString, id, hold: holdRental }
    const results = await meetAtRow<unknown, unknown>(held, first === 'cancel' ? [cancel, message] : [message, cancel])
    const [cancelled, received] = first === 'cancel' ? results : results.toReversed()
    expect(received?.status).toBe('fulfilled')
    const record = await readRental(t, buyer, id)
    if (first === 'cancel') {
      expect(cancelled?.status).toBe('fulfilled')
      expect(record).toMatchObject({ state: 'cancelled', money: 'released', messages_count: 0 })
      expect(await count(t.ctx, `messages WHERE given = 'late'`)).toBe(1)
      expect(await count(t.ctx, 'burnt_numbers')).toBe(0)
    } else {
      expect(cancelled?.status).toBe('rejected')
      expect(record).toMatchObject({ state: 'active', money: 'captured', messages_count: 1 })
    }
    const balance = first === 'cancel' ? '130.00' : '0.00'
    expect(await moneyOf(t, buyer)).toEqual({ balance, held: '0.00' })
    await expectBooksRight(t.ctx)
  },
)

test('a cancel that comes a moment before the twentieth minute and waits for the capture is refused', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '130.00' })
  const { id } = await rentOne(t, buyer)
  await later(t, buyer, 20 * MINUTE - 1)
  const captured = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const capturing = transaction(t.ctx.db, async (tx) => {
    const now = new Date(t.clock.now().getTime() + 1)
    expect(await captureDue(tx, { now, limit: 10, play: false })).toHaveLength(1)
    captured.resolve()
    await commit.promise
  })
  await captured.promise
  // The second connection holds no lock; it only observes which statements wait.
  await using watch = await holdRental(t.database.connectionString, 0)
  const cancelling = refused(t, CANCEL, { id }, { token: buyer.token })
  await watch.waiters(1)
  commit.resolve()
  await capturing
  expect((await cancelling).body.code).toBe('RENT_CANCEL_DENIED')
  expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'rental capture'])
  await expectBooksRight(t.ctx)
})

test('a cancel under way is left alone by the capture', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '130.00' })
  const { id } = await rentOne(t, buyer)
  await later(t, buyer, 20 * MINUTE - 1)
  await using row = await holdRental(t.database.connectionString, id)
  const cancelling = call(t, CANCEL, { id }, { token: buyer.token })
  await row.waiters(1)
  t.clock.advance(1)
  expect((await sweepRentals(t.ctx)).captured).toBe(0)
  await row.release()
  expect((await cancelling).data.state).toBe('cancelled')
  expect((await sweepRentals(t.ctx)).captured).toBe(0)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '130.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a supplier that takes a number back before it is paid for gives the money back; after that staff are told', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const other = await addRenting(t, 'other', [])
  const buyer = await t.makeUser({ balance: '500.00' })
  const [held, paid] = [await rentOne(t, buyer), await rentOne(t, buyer)]
  await pushSms(t, supplier, { phone: paid.phone })
  await reportNumberUnusable(t.ctx, { supplierId: other.id, reference: `r${held.id}-1` })
  await reportNumberUnusable(t.ctx, { supplierId: supplier.id, reference: `r${held.id}-2` })
  await reportNumberUnusable(t.ctx, { supplierId: supplier.id, reference: 'r1' })
  expect(await readRental(t, buyer, held.id)).toMatchObject({ state: 'active' })
  using live = await listen(t, buyer)
  await reportNumberUnusable(t.ctx, { supplierId: supplier.id, reference: `r${held.id}-1` })
  await reportNumberUnusable(t.ctx, { supplierId: supplier.id, reference: `r${paid.id}-1` })
  expect(await live.next('RentalChanged')).toMatchObject({
    record: { id: held.id, state: 'revoked', money: 'released' },
    balance: '370.00',
  })
  expect(await readRental(t, buyer, paid.id)).toMatchObject({ state: 'active', money: 'captured' })
  expect(t.log.lines.some(({ sentence }) => sentence === 'a rented number that is paid for does not work')).toBe(true)
  await t.runJobs()
  expect(supplier.rent.ended.map(({ reference }) => reference)).toEqual([`r${held.id}-1`])
  await expectBooksRight(t.ctx)
})

test('when its time is over a rental is expired and paid for, however long the service was away', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const [quiet, used] = [await rentOne(t, buyer, { period: 4 }), await rentOne(t, buyer, { period: 4 })]
  await pushSms(t, supplier, { phone: used.phone })
  await later(t, buyer, 4 * HOUR - 1)
  expect((await sweepRentals(t.ctx)).expired).toBe(0)
  t.clock.advance(1)
  using live = await listen(t, buyer)
  expect((await sweepRentals(t.ctx)).expired).toBe(2)
  expect(await live.next('RentalChanged')).toMatchObject({ record: { state: 'expired', final: true }, balance: null })
  for (const { id } of [quiet, used]) {
    expect(await readRental(t, buyer, id)).toMatchObject({ state: 'expired', money: 'captured', expiring: false })
    expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'rental capture'])
  }
  expect(await sweepRentals(t.ctx)).toEqual({ expired: 0, captured: 0, warned: 0 })
  await t.runJobs()
  expect(supplier.rent.ended).toHaveLength(2)
  await expectBooksRight(t.ctx)
})

test('a rental that expires while the service is away is captured and ended in one step', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  const { id } = await rentOne(t, buyer, { period: 4 })
  await later(t, buyer, 5 * HOUR)
  expect(await sweepRentals(t.ctx)).toEqual({ expired: 1, captured: 0, warned: 0 })
  expect(await rentTransfersOf(t.ctx, id)).toEqual(['rental hold', 'rental capture'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '448.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})
