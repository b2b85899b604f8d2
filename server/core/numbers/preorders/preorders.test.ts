import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import { buyOne, count, eventsOf, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { sweepPreorders } from './sweep.ts'

const MAKE = 'POST /api/v1/preorders'
const LIST = 'GET /api/v1/preorders'
const CANCEL = 'POST /api/v1/preorders/{id}/cancel'
const WISH = { service_id: 'tg', country_id: 2, max_price: '20.00', hours: 24 }

test('a number is bought when there is one at the price: the most is held, the price of the moment paid', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [{ ...fakeOffer, costMicros: 20_000_000n }])
  const buyer = await t.makeUser({ balance: '20.00' })
  const { token } = buyer
  using live = await listen(t, buyer)
  using other = await listen(t, buyer)
  const { data } = await call(t, MAKE, WISH, { token, locale: 'en' })
  expect(data).toEqual({
    id: 700_000_001,
    state: 'waiting',
    final: false,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Kazakhstan', iso2: 'KZ', dial: '7' },
    operator: null,
    max_price: '20.00',
    currency: 'rub',
    activation_id: null,
    created_at: '2026-03-01T12:00:00.000Z',
    deadline_at: '2026-03-02T12:00:00.000Z',
  })
  expect(await live.next('PreorderChanged')).toMatchObject({
    record: { id: data.id, state: 'waiting' },
    balance: '0.00',
  })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '20.00' })
  expect(await sweepPreorders(t.ctx)).toBe(0)
  expect(supplier.orders).toEqual([])
  catalogOf(t.ctx).setOffers(supplier.id, [])
  expect(await sweepPreorders(t.ctx)).toBe(0)
  expect((await call(t, LIST, {}, { token })).data).toMatchObject([{ id: data.id, state: 'waiting' }])
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  expect(await sweepPreorders(t.ctx)).toBe(1)
  expect(await live.next('PreorderChanged')).toMatchObject({ record: { state: 'buying', activation_id: null } })
  const { record } = await other.next('ActivationChanged')
  expect(record).toMatchObject({ state: 'waiting', price: '13.00', money: 'held' })
  const bought = { id: data.id, state: 'bought', final: true, activation_id: record.id }
  expect(await live.next('PreorderChanged')).toMatchObject({ record: bought, balance: '7.00' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '7.00', held: '13.00' })
  expect((await call(t, LIST, {}, { token })).data).toEqual([])
  expect((await refused(t, CANCEL, { id: data.id }, { token })).body.code).toBe('PREORDER_ENDED')
  await pushSms(t, supplier, { phone: record.phone ?? '' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '7.00', held: '0.00' })
  expect(await eventsOf(t.ctx, data.id)).toEqual(['preorder.waiting', 'preorder.buying', 'preorder.bought'])
  expect(supplier.orders).toHaveLength(1)
  await expectBooksRight(t.ctx)
})

test('cancelled or over, the money is back at once; a second press and a second sweep change nothing', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser({ balance: '100.00' })
  const token = await t.makeApiKey(buyer)
  const { data } = await call(t, MAKE, WISH, { token })
  const late = (await call(t, MAKE, { ...WISH, hours: 1 }, { token })).data
  expect(await moneyOf(t, buyer)).toEqual({ balance: '60.00', held: '40.00' })
  using live = await listen(t, buyer)
  const cancelled = await call(t, CANCEL, { id: data.id }, { token })
  expect(cancelled.data).toMatchObject({ state: 'cancelled', final: true })
  expect(await live.next('PreorderChanged')).toMatchObject({ record: { state: 'cancelled' }, balance: '80.00' })
  expect(await call(t, CANCEL, { id: data.id }, { token })).toEqual(cancelled)
  await sweepPreorders(t.ctx)
  t.clock.advance(HOUR - 1)
  await sweepPreorders(t.ctx)
  expect((await call(t, LIST, {}, { token })).data).toMatchObject([{ id: late.id, state: 'waiting' }])
  t.clock.advance(1)
  await sweepPreorders(t.ctx)
  await sweepPreorders(t.ctx)
  expect(await live.next('PreorderChanged')).toMatchObject({ record: { id: late.id, state: 'expired' } })
  expect((await refused(t, CANCEL, { id: late.id }, { token })).body.code).toBe('PREORDER_ENDED')
  expect(await moneyOf(t, { ...buyer, token })).toEqual({ balance: '100.00', held: '0.00' })
  expect(await count(t.ctx, `transfers WHERE charge_id IS NOT NULL`)).toBe(4)
  await expectBooksRight(t.ctx)
})

test('what cannot be pre-ordered is refused by name, and nothing is held', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser({ balance: '300.00' })
  const stranger = await t.makeUser({ balance: '0' })
  const { token } = buyer
  const codeOf = async (input: object, by = token) =>
    (await refused(t, MAKE, { ...WISH, ...input }, { token: by })).body.code
  expect(await codeOf({ service_id: 'nosuch' })).toBe('BAD_SERVICE')
  expect(await codeOf({ service_id: 'full' })).toBe('BAD_SERVICE')
  expect(await codeOf({ country_id: 999_999 })).toBe('BAD_COUNTRY')
  expect(await codeOf({ operator_id: 'nosuch' })).toBe('BAD_OPERATOR')
  for (const wrong of [{ hours: 2 }, { max_price: '0' }, { max_price: '-1' }, { max_price: '1.2345678' }]) {
    expect(await codeOf(wrong), JSON.stringify(wrong)).toBe('INVALID_INPUT')
  }
  const hoursOf = async (hours: unknown) =>
    (await refused(t, MAKE, { ...WISH, hours }, { token, locale: 'en' })).body.errors?.hours
  // W-8: the error lists the allowed hours, because programs learn them nowhere else.
  for (const hours of [2, '2', 0, 24.5, 'day', []])
    expect(await hoursOf(hours)).toEqual(['Must be one of: 1, 6, 24, 72, 168'])
  expect(await hoursOf(undefined)).toEqual(['This field is required'])
  expect((await refused(t, MAKE, { ...WISH, max_price: '300.01' }, { token })).body).toMatchObject({
    code: 'NO_BALANCE',
    data: { price: '300.01', missing: '0.01' },
  })
  expect(await codeOf({}, stranger.token)).toBe('NO_BALANCE')
  buyingOf(t.ctx).stopped = true
  expect(await codeOf({})).toBe('BUYING_STOPPED')
  buyingOf(t.ctx).stopped = false
  await t.ctx.db.query({
    text: `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      VALUES ($1, 'tg', 2, 50, 0, $2, $3)`,
    values: [buyer.id, t.clock.now(), new Date(t.clock.now().getTime() + HOUR)],
  })
  expect(await codeOf({})).toBe('PAIR_PAUSED')
  const { data } = await call(t, MAKE, { ...WISH, country_id: 0, operator_id: 'mts', max_price: '1' }, { token })
  expect(data.operator).toBe('mts')
  expect((await refused(t, CANCEL, { id: data.id }, { token: stranger.token })).body.code).toBe('NOT_FOUND')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '299.00', held: '1.00' })
  await expectBooksRight(t.ctx)
})

test('twenty may be open, however many are asked for at once; one key makes one', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  const make = async (key: string, input: object = {}) => {
    const response = await t.fetch('/api/v1/preorders', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...WISH, max_price: '1.00', ...input }),
    })
    const body = (await response.json()) as { code?: string; data?: { id: number } }
    return { status: response.status, told: body.code ?? body.data?.id }
  }
  const same = await Promise.all(Array.from({ length: 6 }, () => make('wish-same')))
  expect(new Set(same.map(({ told }) => told))).toEqual(new Set([700_000_001]))
  expect(await make('wish-same', { hours: 1 })).toEqual({ status: 409, told: 'IDEMPOTENCY_CONFLICT' })
  const replies = await Promise.all(Array.from({ length: 30 }, (_, place) => make(`wish-${place}-of-30`)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(19)
  for (const { told } of replies.filter(({ status }) => status !== 201)) expect(told).toBe('TOO_MANY_PREORDERS')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '80.00', held: '20.00' })
  expect((await call(t, LIST, {}, { token })).data).toHaveLength(20)
  await expectBooksRight(t.ctx)
})

// H-7: a sweep with parallel workers used to count only the purchases of the last worker.
test('a sweep counts what it bought for several pairs at the same time', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [])
  const services = ['tg', 'wa', 'vk']
  for (const service_id of services) {
    const { token } = await t.makeUser()
    await call(t, MAKE, { ...WISH, service_id, max_price: '13.00' }, { token })
  }
  const gate = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    if (supplier.orders.length === services.length) gate.resolve()
    await gate.promise
    return supplier.sell(order)
  }
  catalogOf(t.ctx).setOffers(
    supplier.id,
    services.map((serviceCode) => ({ ...fakeOffer, serviceCode })),
  )
  expect(await sweepPreorders(t.ctx)).toBe(3)
})

test('first come first served, each pays the price of the moment, and who asked for too little waits on', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('fake', [])
  const people = [await t.makeUser(), await t.makeUser({ currency: 'usd' }), await t.makeUser(), await t.makeUser()]
  const prices = ['12.99', '0.20', '13.00', '50.00']
  for (const [place, { token }] of people.entries()) {
    await call(t, MAKE, { ...WISH, max_price: prices[place] ?? '' }, { token })
  }
  let left = 2
  supplier.onBuy = async (order) => {
    left -= 1
    return left >= 0 ? supplier.sell(order) : { outcome: 'refused', reason: 'no-numbers' }
  }
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  expect(await sweepPreorders(t.ctx)).toBe(2)
  const states = async () => {
    const { rows } = await t.ctx.db.query<{ state: string }>({ text: 'SELECT state FROM preorders ORDER BY id' })
    return rows.map((row) => row.state)
  }
  expect(await states()).toEqual(['waiting', 'bought', 'bought', 'waiting'])
  expect(await Promise.all(people.map((person) => moneyOf(t, person)))).toEqual([
    { balance: '87.01', held: '12.99' },
    { balance: '99.8555', held: '0.1445' },
    { balance: '87.00', held: '13.00' },
    { balance: '50.00', held: '50.00' },
  ])
  await expectBooksRight(t.ctx)
})

test('a blocked buyer, a stopped shop, a limit, a pause and a blocked service keep it waiting, and it is bought afterwards', async () => {
  await using t = await startTestApp({ config: { maxOpenNumbers: 1 } })
  const supplier = await t.addFake('fake', [])
  const buyer = await t.makeUser({ balance: '100.00' })
  const { token } = buyer
  await call(t, MAKE, WISH, { token })
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  const waits = async () => {
    expect(await sweepPreorders(t.ctx)).toBe(0)
    expect(await count(t.ctx, `preorders WHERE state = 'waiting'`)).toBe(1)
    expect(await count(t.ctx, `charges WHERE money = 'held'`)).toBe(1)
    t.clock.advance(61_000)
  }
  buyingOf(t.ctx).stopped = true
  await waits()
  buyingOf(t.ctx).stopped = false
  await setBlocked(t.ctx.db, { userId: buyer.id, blockedAt: t.clock.now() })
  await waits()
  await setBlocked(t.ctx.db, { userId: buyer.id, blockedAt: null })
  await t.ctx.db.query({ text: 'UPDATE accounts SET open_numbers_limit = 0' })
  await waits()
  await t.ctx.db.query({ text: 'UPDATE accounts SET open_numbers_limit = NULL' })
  await t.ctx.db.query({
    text: `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      VALUES ($1, 'tg', 2, 50, 0, $2, $3)`,
    values: [buyer.id, t.clock.now(), new Date(t.clock.now().getTime() + 60_000)],
  })
  await waits()
  await t.ctx.db.query({ text: `UPDATE services SET blocked_at = $1 WHERE code = 'tg'`, values: [t.clock.now()] })
  await waits()
  await t.ctx.db.query({ text: `UPDATE services SET blocked_at = NULL WHERE code = 'tg'` })
  expect(supplier.orders).toEqual([])
  expect(await sweepPreorders(t.ctx)).toBe(1)
  await expectBooksRight(t.ctx)
})

test('N-16: the last sale is what the newest buyer of such a number paid, in the caller’s currency', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const seller = await t.makeUser({ balance: '100.00' })
  const { token } = await t.makeUser()
  const lastSale = async (filter: object = {}) =>
    (await call(t, 'GET /api/v1/preorders/last-sale', { service_id: 'tg', country_id: 2, ...filter }, { token })).data
  expect(await lastSale()).toBeNull()
  const sold = await buyOne(t, seller)
  expect(await lastSale()).toBeNull()
  await pushSms(t, supplier, { phone: sold.phone })
  const at = new Date(Math.floor(t.clock.now().getTime() / HOUR) * HOUR).toISOString()
  t.clock.advance(5 * MINUTE)
  const cancelled = await buyOne(t, seller)
  t.clock.advance(5 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token: seller.token })
  expect(await lastSale()).toEqual({ price: '13.00', at })
  expect(await lastSale({ operator_id: 'altel' })).toEqual({ price: '13.00', at })
  expect(await lastSale({ operator_id: 'beeline' })).toBeNull()
  expect(await lastSale({ country_id: 7 })).toBeNull()
  const foreigner = await t.makeUser({ currency: 'usd' })
  const other = await call(t, 'GET /api/v1/preorders/last-sale', { service_id: 'tg', country_id: 2 }, foreigner)
  expect(other.data).toBeNull()
})
