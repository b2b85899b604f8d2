import { expect, test } from 'vitest'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { buyingOf } from '#server/core/numbers/sourcing/buying-stopped.ts'
import {
  buyOne,
  count,
  eventsOf,
  expectBooksRight,
  moneyOf,
  pushSms,
  transfersOf,
} from '#test/builders/activation-rows.ts'
import { LIVE_NAMES } from '#test/builders/live-names.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { buyActivation } from './buy.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

test('a buyer buys a number, and the code that comes captures the price', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  using live = await listen(t, buyer)
  const { data } = await call(t, BUY, { ...TELEGRAM, price: '13.00' }, { token: buyer.token })
  expect(data).toEqual({
    id: 100_000_001,
    state: 'waiting',
    final: false,
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' },
    operator: 'altel',
    phone: supplier.sold.get('100000001-1')?.phone,
    price: '13.00',
    currency: 'rub',
    money: 'held',
    code: null,
    messages: [],
    created_at: '2026-03-01T12:00:00.000Z',
    expires_at: '2026-03-01T12:20:00.000Z',
    cancel_from: '2026-03-01T12:02:00.000Z',
    can_repeat: false,
  })
  expect(await live.next('ActivationChanged')).toEqual({ record: data, names: LIVE_NAMES, balance: '87.00' })
  expect(supplier.orders).toEqual([
    {
      reference: '100000001-1',
      buyerId: buyer.id,
      excludedPrefixes: [],
      serviceCode: 'tg',
      countryId: 2,
      operator: 'altel',
      maxCostMicros: 10_000_000n,
      currency: 'rub',
      expiresAt: new Date('2026-03-01T12:20:00.000Z'),
    },
  ])
  expect(await call(t, 'GET /api/user', {}, { token: buyer.token })).toMatchObject({
    balance: '87.00',
    held: '13.00',
    activations: { count: 1, rent_count: 0 },
  })

  await pushSms(t, supplier, { phone: data.phone ?? '', messageId: 'm1' })

  const told = await live.next('NewCode')
  const message = { sender: 'Telegram', text: 'Telegram code: 48213', code: '48213' }
  expect(told).toMatchObject({ kind: 'activation', record: { id: data.id, state: 'received', code: '48213' }, message })
  const list = await call(t, 'GET /api/user/active-numbers', {}, { token: buyer.token })
  expect(list).toMatchObject({
    numbers: { data: [{ id: data.id, money: 'captured', messages: [message] }], meta: { last_page: 1, total: 1 } },
    antifraud: [],
    total_count: 1,
  })
  expect(list.numbers.data).toEqual([told.record])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  expect(await eventsOf(t.ctx, data.id)).toEqual(['activation.waiting', 'activation.received'])
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture'])
  await expectBooksRight(t.ctx)
})

test('a dollar account is charged in dollars', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '1.00', currency: 'usd' })
  const { data } = await call(t, BUY, TELEGRAM, { token: buyer.token })
  // 10 RUB at 90 RUB per dollar are 0.111112, and with 30 % 0.1444456. Prices below 1 are rounded up to 0.0001.
  expect(data).toMatchObject({ price: '0.1445', currency: 'usd' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.8555', held: '0.1445' })
  await expectBooksRight(t.ctx)
})

test('money for one number buys one, however many presses arrive at once', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      t.fetch('/api/v1/activations', {
        method: 'POST',
        token: buyer.token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(TELEGRAM),
      }),
    ),
  )
  expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '7.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})

test('the same idempotency key twenty times at once buys once', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  const gate = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    await gate.promise
    return supplier.sell(order)
  }
  const press = () =>
    t.fetch('/api/v1/activations', {
      method: 'POST',
      token: buyer.token,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'press-0001' },
      body: JSON.stringify(TELEGRAM),
    })
  const presses = Array.from({ length: 20 }, press)
  const nineteen = Promise.withResolvers<void>()
  let answered = 0
  const counted = presses.map((reply) =>
    reply.then(() => {
      answered += 1
      if (answered === 19) nineteen.resolve()
    }),
  )
  await nineteen.promise
  gate.resolve()
  await Promise.all(counted)
  const replies = await Promise.all(presses)
  const codes = await Promise.all(
    replies.map(async (reply) => ((await reply.json()) as { code?: string }).code ?? 'bought'),
  )
  expect(codes.sort()).toEqual([...Array.from({ length: 19 }, () => 'IN_PROGRESS'), 'bought'])
  const again = await Promise.all([press(), press()])
  for (const reply of again) expect(await reply.json()).toMatchObject({ data: { id: 100_000_001, state: 'waiting' } })
  expect(supplier.orders).toHaveLength(1)
  expect(await count(t.ctx, 'activations')).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '987.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})

test('a key that was used for something else is refused; that of a purchase that failed answers the same', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  const options = { token: buyer.token, idempotencyKey: 'press-0002' }
  await call(t, BUY, TELEGRAM, options)
  expect(await refused(t, BUY, { ...TELEGRAM, price: '14.00' }, options)).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_CONFLICT' },
  })
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  const failing = { token: buyer.token, idempotencyKey: 'press-0003' }
  const first = await refused(t, BUY, TELEGRAM, failing)
  expect(first).toMatchObject({ status: 409, body: { code: 'NO_NUMBERS' } })
  expect(await refused(t, BUY, TELEGRAM, failing)).toEqual(first)
  expect(supplier.orders).toHaveLength(2)
  supplier.onBuy = async (order) => supplier.sell(order)
  const other = await t.makeUser()
  await call(t, BUY, TELEGRAM, { ...options, token: other.token })
  await expectBooksRight(t.ctx)
})

test('what cannot be bought is refused by name, and nothing is held', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '12.99' })
  const { token } = buyer
  const codeOf = async (input: object) => {
    const { status, body } = await refused(t, BUY, input, { token })
    return `${status} ${body.code} ${JSON.stringify(body.data ?? {})}`
  }
  expect(await codeOf({ ...TELEGRAM, service_id: 'nosuch' })).toBe('422 BAD_SERVICE {}')
  expect(await codeOf({ ...TELEGRAM, country_id: 999_999 })).toBe('422 BAD_COUNTRY {}')
  expect(await codeOf({ ...TELEGRAM, operator_id: 'nosuch' })).toBe('422 BAD_OPERATOR {}')
  expect(await codeOf({ ...TELEGRAM, country_id: 7 })).toBe('409 NO_NUMBERS {}')
  expect(await codeOf({ ...TELEGRAM, price: '12.99' })).toBe('409 PRICE_CHANGED {"price":"13.00"}')
  expect(await codeOf({ ...TELEGRAM, price: '-1' })).toBe('422 INVALID_INPUT {}')
  expect(await codeOf({ ...TELEGRAM, max_price: '12.99' })).toBe('422 MAX_PRICE_TOO_LOW {"lowest":"13.00"}')
  expect(await codeOf({ ...TELEGRAM, max_price: 'much' })).toBe('422 INVALID_INPUT {}')
  expect(await codeOf(TELEGRAM)).toBe('409 NO_BALANCE {"price":"13.00","missing":"0.01"}')
  expect(await codeOf({ ...TELEGRAM, operator_id: 'any' })).toBe('409 NO_BALANCE {"price":"13.00","missing":"0.01"}')
  buyingOf(t.ctx).stopped = true
  const stopped = await refused(t, BUY, TELEGRAM, { token })
  expect(stopped).toMatchObject({ status: 503, retryAfter: '60', body: { code: 'BUYING_STOPPED' } })
  expect(await count(t.ctx, 'activations')).toBe(0)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '12.99', held: '0.00' })
})

test('a wrong idempotency key is refused before anything is held', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  for (const idempotencyKey of ['short', 'with a space in it', 'x'.repeat(101)]) {
    const { status, body } = await refused(t, BUY, TELEGRAM, { token: buyer.token, idempotencyKey, locale: 'en' })
    expect([status, body.errors]).toEqual([
      422,
      { 'Idempotency-Key': ['Idempotency-Key must have 8 to 100 printable characters'] },
    ])
  }
  expect(await count(t.ctx, 'activations')).toBe(0)
})

test('an account that is blocked after its token was read buys nothing', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  await setBlocked(t.ctx.db, { userId: buyer.id, blockedAt: t.clock.now() })
  const purchase = {
    userId: buyer.id,
    currency: 'rub',
    serviceCode: 'tg',
    countryId: 2,
    operator: null,
    channel: 'site',
  } as const
  await expect(buyActivation(t.ctx, purchase)).rejects.toMatchObject({ code: 'BLOCKED', httpStatus: 403 })
  expect((await refused(t, BUY, TELEGRAM, { token: buyer.token })).body.code).toBe('BLOCKED')
  expect(await count(t.ctx, 'activations')).toBe(0)
  await expectBooksRight(t.ctx)
})

test('an operator that was asked for is the one that is bought, at its own price', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [
    { ...fakeOffer, operator: 'altel', costMicros: 10_000_000n },
    { ...fakeOffer, operator: 'beeline', costMicros: 20_000_000n },
  ])
  const buyer = await t.makeUser()
  const { data } = await call(t, BUY, { ...TELEGRAM, operator_id: 'beeline' }, { token: buyer.token })
  expect(data).toMatchObject({ operator: 'beeline', price: '26.00' })
  expect(supplier.orders.map((order) => order.operator)).toEqual(['beeline'])
})

test('with a ceiling of his own the buyer pays the lowest price, not the ceiling, and the ceiling is part of the key', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser()
  const press = { token, idempotencyKey: 'ceiling-0001' }
  const { data } = await call(t, BUY, { ...TELEGRAM, max_price: '50' }, press)
  expect(data.price).toBe('13.00')
  expect((await call(t, BUY, { ...TELEGRAM, max_price: '50' }, press)).data.id).toBe(data.id)
  expect((await refused(t, BUY, { ...TELEGRAM, max_price: '60' }, press)).body.code).toBe('IDEMPOTENCY_CONFLICT')
})

test('somebody else’s activation is not found, by any verb', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const [owner, other] = [await t.makeUser(), await t.makeUser()]
  const { id } = await buyOne(t, owner)
  expect(await call(t, 'GET /api/v1/activations/{id}', { id }, { token: owner.token })).toMatchObject({ data: { id } })
  for (const key of [
    'GET /api/v1/activations/{id}',
    'POST /api/v1/activations/{id}/cancel',
    'POST /api/v1/activations/{id}/again',
    'POST /api/v1/activations/{id}/finish',
    'POST /api/v1/activations/{id}/used',
    'POST /api/v1/activations/{id}/replace',
    'POST /api/v1/activations/{id}/repeat',
  ] as const) {
    const foreign = await refused(t, key, { id }, { token: other.token })
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND'])
    expect(await refused(t, key, { id: 99 }, { token: owner.token })).toEqual(foreign)
    expect((await refused(t, key, { id }, {})).body.code).toBe('UNAUTHENTICATED')
  }
})
