import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call } from '#test/harness/calls.ts'
import { startFiveSimTest } from '#test/services/five-sim-service.ts'

const JSON_BODY = { 'content-type': 'application/json' }

test('17.3: the profile has what is held, the default country and the last order', async () => {
  await using f = await startFiveSimTest()
  await call(f.t, 'PATCH /api/v1/user/settings', { default_country_id: 2 }, { token: f.buyer.token })
  const { id } = await f.buy()
  expect(await f.ask('/user/profile')).toEqual({
    status: 200,
    type: 'application/json',
    body: {
      id: f.buyer.id,
      email: f.buyer.email,
      vendor: 'demo',
      default_forwarding_number: '',
      balance: 87,
      frozen_balance: 13,
      rating: 96,
      default_country: { name: 'kazakhstan', iso: 'kz', prefix: '+7' },
      default_operator: { name: '' },
      last_order: `kazakhstan:telegram:altel:${id}:13`,
      last_top_orders: '',
      total_active_orders: 1,
    },
  })
})

test('17.3: orders are listed by kind, in pages and both directions, the ended ones too', async () => {
  await using f = await startFiveSimTest({ rentOffers: fakeRentOffers, balance: '1000' })
  const ids = [(await f.buy()).id, (await f.buy()).id, (await f.buy()).id]
  const rented = await f.buy('/user/buy/hosting/any/any/3HOURS')
  expect(rented).toMatchObject({ product: '3hours', price: 52, country: 'kazakhstan', sms: null, status: 'PENDING' })
  await f.sms(rented.phone)
  await f.ask(`/user/ban/${ids[0]}`)
  f.t.clock.advance(21 * MINUTE)
  await sweepExpired(f.t.ctx)
  const listed = async (query: string) => {
    const { body } = await f.ask(`/user/orders?${query}`)
    const { Data, Total } = body as { Data: { id: number; status: string }[]; Total: number }
    return { Total, Data: Data.map(({ id, status }) => `${id} ${status}`) }
  }
  const [first, second, third] = [`${ids[0]} BANNED`, `${ids[1]} TIMEOUT`, `${ids[2]} TIMEOUT`]
  expect(await listed('category=activation')).toEqual({ Total: 3, Data: [first, second, third] })
  expect(await listed('limit=2&offset=1&reverse=true')).toEqual({ Total: 3, Data: [second, first] })
  expect(await listed('limit=0&offset=-1&reverse=x')).toEqual({ Total: 3, Data: [first, second, third] })
  expect(await listed('category=hosting&reverse=1')).toEqual({ Total: 1, Data: [`${rented.id} RECEIVED`] })
  expect((await f.ask(`/user/sms/inbox/${rented.id}`)).body).toEqual({
    Data: [
      {
        ID: expect.any(Number),
        created_at: expect.any(String),
        date: expect.any(String),
        sender: 'Telegram',
        text: 'Telegram code: 48213',
        code: '48213',
        is_wave: false,
        wave_uuid: '',
      },
    ],
    Total: 1,
  })
  await expectBooksRight(f.t.ctx)
})

test('17.3: payments are what changed the balance besides orders, each with the balance after it', async () => {
  await using f = await startFiveSimTest({ balance: '100' })
  await f.buy()
  const staff = { userId: f.buyer.id, at: f.t.clock.now() }
  await adjustBalance(f.t.ctx.db, { ...staff, amountMicros: -7_500_000n, idempotencyKey: 'less' })
  const [charge, debit] = [
    { TypeName: 'charge', ProviderName: 'admin', Amount: 100, Balance: 100 },
    { TypeName: 'debit', ProviderName: 'admin', Amount: -7.5, Balance: 79.5 },
  ]
  expect((await f.ask('/user/payments?reverse=true')).body).toMatchObject({
    Data: [debit, charge],
    Total: 2,
    PaymentProviders: [{ Name: 'admin' }],
    PaymentTypes: [{ Name: 'debit' }, { Name: 'charge' }],
  })
  expect((await f.ask('/user/payments?limit=1')).body).toMatchObject({ Data: [charge], Total: 2 })
})

test('17.3: a price limit of a product holds for operator any, and maxPrice goes before it', async () => {
  await using f = await startFiveSimTest({
    offers: [fakeOffer, { ...fakeOffer, countryId: 16, costMicros: 5_000_000n }],
  })
  const set = (body: unknown, method = 'POST') =>
    f.ask('/user/max-prices', { method, headers: JSON_BODY, body: JSON.stringify(body) })
  expect(await set({ price: 10 })).toMatchObject({ status: 400, body: 'product_name is empty' })
  expect(await set({ product_name: 'nothing', price: 10 })).toMatchObject({ status: 400, body: 'no product' })
  for (const price of [0, -1, 'x', undefined, 1e21]) {
    expect(await set({ product_name: 'telegram', price })).toMatchObject({ status: 400, body: 'bad price' })
  }
  await Promise.all([10, 12.5, 12.5].map((price) => set({ product_name: 'telegram', price })))
  await set({ product_name: 'Telegram', price: 12.5 })
  const limits = (await f.ask('/user/max-prices')).body
  const at = expect.stringMatching(/^\d{4}-.*\.\d{9}Z$/)
  expect(limits).toEqual([{ id: expect.any(Number), product: 'telegram', price: 12.5, CreatedAt: at, created_at: at }])
  const telegram = '/user/buy/activation/kazakhstan/any/telegram'
  expect((await f.ask(telegram)).body).toBe('no free phones')
  expect((await f.ask(`${telegram}?maxPrice=13.0000000001`)).body).toMatchObject({ price: 13 })
  expect((await f.ask('/user/buy/activation/kazakhstan/altel/telegram')).body).toMatchObject({ price: 13 })
  expect((await f.ask('/user/buy/activation/any/any/telegram')).body).toMatchObject({ country: 'england', price: 6.5 })
  const stranger = await f.t.makeApiKey(await f.t.makeUser())
  expect((await f.ask('/user/max-prices', { token: stranger })).body).toEqual([])
  for (const _ of ['at first', 'again'])
    expect((await set({ product_name: 'telegram' }, 'DELETE')).body).toEqual({ success: true })
  expect((await f.ask(telegram)).body).toMatchObject({ price: 13 })
})

test('17.3: a purchase with an Idempotency-Key is made once, and told again', async () => {
  await using f = await startFiveSimTest()
  const path = '/user/buy/activation/kazakhstan/any/telegram'
  const init = { headers: { 'idempotency-key': 'order-of-mine-1' } }
  const { body } = await f.ask(path, init)
  expect((await f.ask(path, init)).body).toEqual({ ...(body as object), sms: [] })
  expect(await f.ask(`${path}?maxPrice=50`, init)).toMatchObject({ status: 400, body: 'bad request' })
  expect(await f.ask(path, { headers: { 'idempotency-key': 'x' } })).toMatchObject({ status: 400, body: 'bad request' })
  expect(f.supplier.orders).toHaveLength(1)
})
