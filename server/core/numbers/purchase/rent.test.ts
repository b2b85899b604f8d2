import { expect, test } from 'vitest'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import { buyOne, count, eventsOf, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne, rentTransfersOf } from '#test/builders/rental-rows.ts'
import { fakeRentOffer } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'

const RENT = 'POST /api/v1/rentals'
const FULL = { service_id: 'full', country_id: 2, period: 24 }

test('renting holds the price and gives the number; the first message captures, the next ones cost nothing', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '500.00' })
  using live = await listen(t, buyer)
  const rental = await rentOne(t, buyer, { price: '130.00' })
  expect(rental).toMatchObject({
    state: 'active',
    final: false,
    service: { id: 'full' },
    country: { id: 2, iso2: 'KZ' },
    operator: 'altel',
    price: '130.00',
    currency: 'rub',
    hours: 24,
    money: 'held',
    code: null,
    messages: [],
    messages_count: 0,
    created_at: '2026-03-01T12:00:00.000Z',
    expired_date: '2026-03-02T12:00:00.000Z',
    cancel_until: '2026-03-01T12:20:00.000Z',
    expiring: false,
  })
  const told = await live.next('RentalChanged')
  expect(told).toMatchObject({ record: { id: rental.id, phone: rental.phone }, balance: '370.00' })
  expect(supplier.rent.orders).toEqual([
    {
      reference: `r${rental.id}-1`,
      buyerId: buyer.id,
      serviceCode: 'full',
      countryId: 2,
      operator: 'altel',
      hours: 24,
      maxCostMicros: 100_000_000n,
      currency: 'rub',
      expiresAt: new Date('2026-03-02T12:00:00.000Z'),
    },
  ])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '370.00', held: '130.00' })
  await pushSms(t, supplier, { phone: rental.phone, text: 'Telegram code: 48213' })
  const first = await live.next('NewCode')
  expect(first).toMatchObject({
    kind: 'rental',
    record: { id: rental.id, money: 'captured', code: '48213', cancel_until: null, messages_count: 1 },
    message: { code: '48213', text: 'Telegram code: 48213' },
  })
  await pushSms(t, supplier, { phone: rental.phone, text: 'WhatsApp code 111-222', sender: 'WhatsApp' })
  expect((await live.next('NewCode')).record).toMatchObject({ code: '111222', messages: [{ code: '111222' }, {}] })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '370.00', held: '0.00' })
  expect(await rentTransfersOf(t.ctx, rental.id)).toEqual(['rental hold', 'rental capture'])
  const kinds = ['rental.active', 'rental.received', 'rental.received']
  expect(await eventsOf(t.ctx, rental.id)).toEqual(kinds)
  const read = await call(t, 'GET /api/v1/rentals/{id}', { id: rental.id }, { token: buyer.token, locale: 'en' })
  expect(read.data).toMatchObject({
    service: { name: 'Full rent' },
    country: { name: 'Kazakhstan' },
    messages_count: 2,
  })
  const user = await call(t, 'GET /api/user', {}, { token: buyer.token })
  expect(user.activations).toEqual({ count: 0, rent_count: 1 })
  await expectBooksRight(t.ctx)
})

test('what cannot be rented is refused with its reason, and nothing is held', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '129.99' })
  const { token } = buyer
  const codeOf = async (change: object) => (await refused(t, RENT, { ...FULL, ...change }, { token })).body.code
  expect(await codeOf({ service_id: 'nothing' })).toBe('BAD_SERVICE')
  expect(await codeOf({ country_id: 99_999 })).toBe('BAD_COUNTRY')
  expect(await codeOf({ operator_id: 'nobody' })).toBe('BAD_OPERATOR')
  expect(await codeOf({ country_id: 0 })).toBe('NO_NUMBERS')
  expect(await codeOf({ period: 72 })).toBe('NO_NUMBERS')
  expect(await codeOf({ period: 5 })).toBe('INVALID_INPUT')
  expect(await codeOf({ price: 'cheap' })).toBe('INVALID_INPUT')
  expect(await codeOf({ price: '129.99' })).toBe('PRICE_CHANGED')
  const poor = await refused(t, RENT, FULL, { token })
  expect(poor.body).toMatchObject({ code: 'NO_BALANCE', data: { price: '130.00', missing: '0.01' } })
  buyingOf(t.ctx).stopped = true
  expect(await codeOf({ period: 4 })).toBe('BUYING_STOPPED')
  buyingOf(t.ctx).stopped = false
  await t.ctx.db.query({ text: 'UPDATE users SET blocked_at = now() WHERE id = $1', values: [buyer.id] })
  const blocked = await refused(t, RENT, { ...FULL, period: 4 }, { token })
  expect(['BLOCKED', 'UNAUTHENTICATED']).toContain(blocked.body.code)
  expect(supplier.rent.orders).toEqual([])
  expect(await count(t.ctx, 'rentals')).toBe(0)
  expect(await count(t.ctx, 'charges')).toBe(0)
  await expectBooksRight(t.ctx)
})

test('the limit of open numbers counts rentals, exactly, however many are rented at once', async () => {
  await using t = await startTestApp({ config: { maxOpenNumbers: 3 } })
  await addRenting(t)
  const buyer = await t.makeUser({ balance: '5000.00' })
  await buyOne(t, buyer)
  const answers = await Promise.allSettled(Array.from({ length: 6 }, () => rentOne(t, buyer)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  const told = await refused(t, RENT, FULL, { token: buyer.token })
  expect(told.body).toMatchObject({ code: 'TOO_MANY_OPEN_NUMBERS' })
  await expectBooksRight(t.ctx)
})

test('one key rents one number, in a row or at once; other input with it is refused', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '5000.00' })
  const options = { token: buyer.token, idempotencyKey: 'one-press-of-mine' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      call(t, RENT, FULL, options).then(
        ({ data }) => data.id,
        () => null,
      ),
    ),
  )
  const again = await call(t, RENT, FULL, options)
  expect(new Set(answers.filter((id) => id !== null))).toEqual(new Set([again.data.id]))
  expect(supplier.rent.orders).toHaveLength(1)
  const other = await refused(t, RENT, { ...FULL, period: 4 }, options)
  expect(other.body.code).toBe('IDEMPOTENCY_CONFLICT')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '4870.00', held: '130.00' })
  await expectBooksRight(t.ctx)
})

test('a supplier that refuses or is silent is passed over, never at a loss; what it rented out unseen is given back', async () => {
  await using t = await startTestApp()
  const first = await addRenting(t, 'first', [{ ...fakeRentOffer, costMicros: 90_000_000n }])
  const second = await addRenting(t, 'second', [{ ...fakeRentOffer, costMicros: 110_000_000n }])
  const dear = await addRenting(t, 'dear', [{ ...fakeRentOffer, costMicros: 117_010_000n }])
  const buyer = await t.makeUser({ balance: '500.00' })
  first.rent.onRent = async (order) => {
    first.rent.give(order)
    throw new Error('socket hang up')
  }
  const rental = await rentOne(t, buyer)
  expect(rental).toMatchObject({ price: '117.00', phone: second.rent.rented.get(`r${rental.id}-2`)?.phone })
  await t.runJobs()
  expect(first.rent.ended.map(({ reference }) => reference)).toEqual([`r${rental.id}-1`])
  expect(second.rent.ended).toEqual([])
  for (const supplier of [first, second]) {
    supplier.rent.onRent = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  }
  expect((await refused(t, RENT, FULL, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  expect(dear.rent.orders).toEqual([])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '383.00', held: '117.00' })
  expect(await rentTransfersOf(t.ctx, rental.id + 1)).toEqual(['rental hold', 'rental release'])
  await expectBooksRight(t.ctx)
})

test('a number is rented or activated by one person at a time, and what was used is not rented again', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  await suppliersOf(t.ctx).add(supplier)
  const buyer = await t.makeUser({ balance: '5000.00' })
  const { token } = buyer
  const activation = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer)
  const rentAs = async (phone: string, service_id: string) => {
    supplier.rent.onRent = async (order) => ({ ...supplier.rent.give(order), phone })
    const { response, body } = await t
      .fetch('/api/v1/rentals', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...FULL, service_id }),
      })
      .then(async (response) => ({ response, body: (await response.json()) as { code?: string } }))
    return response.status === 201 ? 'rented' : body.code
  }
  const buyAs = async (phone: string) => {
    supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone })
    const answer = await t.fetch('/api/v1/activations', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service_id: 'tg', country_id: 2 }),
    })
    return answer.status === 201 ? 'bought' : ((await answer.json()) as { code: string }).code
  }
  expect(await rentAs(rental.phone, 'full')).toBe('NO_NUMBERS')
  expect(await rentAs(activation.phone, 'tg')).toBe('NO_NUMBERS')
  expect(await buyAs(rental.phone)).toBe('NO_NUMBERS')

  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id: rental.id }, { token })
  expect(await rentAs(rental.phone, 'full')).toBe('rented')
  await pushSms(t, supplier, { phone: rental.phone })
  await call(t, 'POST /api/v1/rentals/{id}/finish', { id: rental.id + 3 }, { token })
  expect(await rentAs(rental.phone, 'full')).toBe('NO_NUMBERS')
  expect(await rentAs(rental.phone, 'tg')).toBe('NO_NUMBERS')
  expect(await buyAs(rental.phone)).toBe('NO_NUMBERS')

  const phone = '77070099999'
  expect(await rentAs(phone, 'tg')).toBe('rented')
  await pushSms(t, supplier, { phone })
  const { rows } = await t.ctx.db.query<{ id: bigint }>({ text: `SELECT id FROM rentals WHERE state = 'active'` })
  await call(t, 'POST /api/v1/rentals/{id}/finish', { id: Number(rows[0]?.id) }, { token })
  expect(await rentAs(phone, 'full')).toBe('NO_NUMBERS')
  expect(await rentAs(phone, 'tg')).toBe('NO_NUMBERS')
  expect(await buyAs(phone)).toBe('NO_NUMBERS')
  await t.runJobs()
  await expectBooksRight(t.ctx)
})

test('a number that costs more than allowed, or is none, is not taken: it is given back and the money released', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [fakeOffer], [fakeRentOffer])
  const buyer = await t.makeUser({ balance: '200.00' })
  for (const broken of [{ costMicros: 100_000_001n }, { phone: 'soon' }]) {
    supplier.rent.onRent = async (order) => {
      const number = { ...supplier.rent.give(order), ...broken }
      supplier.rent.rented.set(order.reference, number)
      return number
    }
    expect((await refused(t, RENT, FULL, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  }
  await t.runJobs()
  expect(supplier.rent.ended).toHaveLength(2)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '200.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})
