import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived, providerIdOf } from '#test/fakes/fake-gateway.ts'
import { openStripeHouse, STRIPE_KEY, STRIPE_SECRET } from '#test/fakes/stripe-house.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const INPUT = { system: 'fake', amount: '500.00' }
const close = (t: TestApp, { token }: TestUser, transaction_id: string) =>
  call(t, 'POST /api/v1/payments/{transaction_id}/cancel', { transaction_id }, { token })

test('what a new account closes counts in its first days while it can still be paid at the gateway, and no longer', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  gateway.system.firstDays = { days: 7, mostMicros: { rub: 10_000_000_000n } }
  const user = await payer(t)
  const ask = () => refused(t, 'POST /api/v1/payments', { ...INPUT, amount: '0.01' }, { token: user.token })
  const first = await begin(t, user, '10000.00')
  await close(t, user, first.transaction_id)
  expect(
    await refused(t, 'POST /api/v1/payments', { ...INPUT, amount: '10000.00' }, { token: user.token, locale: 'en' }),
  ).toMatchObject({ status: 422, body: { errors: { amount: [expect.stringContaining('You can still top up 0.00')] } } })
  t.clock.advance(20 * MINUTE + SECOND)
  const second = await begin(t, user, '10000.00')
  gateway.close = async ({ providerId }) => {
    expect(providerId).toBe(providerIdOf(second.transaction_id))
  }
  await close(t, user, second.transaction_id)
  const third = await begin(t, user, '10000.00')
  gateway.close = () => Promise.reject(new Error('a session that is complete'))
  gateway.facts.set(third.transaction_id, arrived(['third', 1_000_000]))
  await close(t, user, third.transaction_id)
  expect(await ask()).toMatchObject({ status: 422 })
  await reconcilePayments(t.ctx)
  expect(await look(t, user, third.transaction_id)).toMatchObject({ state: 'paid' })
  t.clock.advance(MINUTE)
  expect(await ask()).toMatchObject({ status: 422 })
  expect(await balanceOf(t, user)).toBe('10000.00')
})

test('Stripe: a payment that is closed here is closed on its page', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const settings = { secret_key: STRIPE_KEY, webhook_secrets: [STRIPE_SECRET], api_url: house.url }
  await t.addGateway({ code: 'card', kind: 'stripe', settings })
  const user = await t.makeUser({ currency: 'usd', balance: '0.00' })
  const open = await begin(t, user, '100.00', 'card')
  await close(t, user, open.transaction_id)
  expect(house.sessions.get('cs_test_1')).toMatchObject({ status: 'expired' })
  const next = await begin(t, user, '100.00', 'card')
  house.pay('cs_test_2')
  await close(t, user, next.transaction_id)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, next.transaction_id)).toMatchObject({ state: 'paid' })
  expect(await balanceOf(t, user)).toBe('100.00')
  expect(house.faults).toEqual([])
})

test('one press that is repeated asks its gateway once at a time, and within the limits of payments', async () => {
  await using t = await startTestApp({ config: { apiRequestsPerSecond: 20 } })
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const statuses = new Set<number>()
  const press = async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'one-press-for-all' }
    const body = JSON.stringify(INPUT)
    statuses.add((await t.fetch('/api/v1/payments', { method: 'POST', token: user.token, headers, body })).status)
  }
  let most = 0
  let now = 0
  gateway.onBegin = async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    throw new Error('503')
  }
  gateway.onFetch = () => Promise.reject(new Error('503'))
  for (let second = 0; second < 10; second += 1) {
    await Promise.all(Array.from({ length: 20 }, press))
    t.clock.advance(SECOND)
  }
  expect(most).toBe(1)
  expect(gateway.orders.length).toBeLessThanOrEqual(15)
  expect(new Set(gateway.orders.map(({ transactionId }) => transactionId)).size).toBe(1)
  expect(statuses).toEqual(new Set([502, 429]))
})

test('a payment that its gateway refuses takes no place, and the next press of its key begins another', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  await addFakeGateway(t, 'other')
  const user = await payer(t)
  const standard = gateway.onBegin
  gateway.onBegin = async () => ({ outcome: 'refused', reason: 'the account is not activated' })
  const options = { token: user.token, idempotencyKey: 'one-press-only' }
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await refused(t, 'POST /api/v1/payments', INPUT, options)).toMatchObject({
      status: 502,
      body: { code: 'GATEWAY_UNAVAILABLE' },
    })
  }
  await begin(t, user, '500.00', 'other')
  gateway.onBegin = standard
  const { data } = await call(t, 'POST /api/v1/payments', INPUT, options)
  const again = await call(t, 'POST /api/v1/payments', INPUT, options)
  expect(again.data.transaction_id).toBe(data.transaction_id)
  expect(new Set(gateway.orders.map(({ transactionId }) => transactionId)).size).toBe(6)
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  expect(history.data.map(({ state }) => state)).toEqual(['pending', 'pending', ...Array(5).fill('failed')])
  await expectRightBooks(t)
})

test('payments whose gateway does not answer take a place for two minutes; those it never saw fail right then', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  await addFakeGateway(t, 'other')
  const user = await payer(t)
  gateway.onBegin = () => Promise.reject(new Error('ECONNREFUSED'))
  gateway.onFetch = () => Promise.reject(new Error('ECONNREFUSED'))
  const press = () => refused(t, 'POST /api/v1/payments', INPUT, { token: user.token })
  for (let turn = 0; turn < 5; turn += 1) expect(await press()).toMatchObject({ status: 502 })
  expect(await press()).toMatchObject({ body: { code: 'TOO_MANY_PAYMENTS' } })
  gateway.onFetch = async () => null
  for (let turn = 0; turn < 25; turn += 1) {
    t.clock.advance(5 * SECOND)
    await reconcilePayments(t.ctx)
  }
  const { history } = await call(t, 'GET /api/payments-history', {}, { token: user.token })
  expect(history.data.map(({ state }) => state)).toEqual(Array(5).fill('failed'))

  gateway.onFetch = () => Promise.reject(new Error('ECONNREFUSED'))
  t.clock.advance(20 * MINUTE)
  for (let turn = 0; turn < 5; turn += 1) expect(await press()).toMatchObject({ status: 502 })
  t.clock.advance(2 * MINUTE + SECOND)
  await reconcilePayments(t.ctx)
  await begin(t, user, '500.00', 'other')
})

test('a press that is repeated in another language, after its answer was lost, leads to the session of the first', async () => {
  await using t = await startTestApp()
  await using house = await openStripeHouse(t.clock)
  const settings = { secret_key: STRIPE_KEY, webhook_secrets: [STRIPE_SECRET], api_url: house.url }
  await t.addGateway({ code: 'card', kind: 'stripe', settings })
  const user = await t.makeUser({ currency: 'usd', balance: '0.00' })
  const press = async (locale: 'ru' | 'en') => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'one-press-only', locale }
    const body = JSON.stringify({ system: 'card', amount: '20.00' })
    return (await t.fetch('/api/v1/payments', { method: 'POST', token: user.token, headers, body })).status
  }
  house.misbehave = (request, reply) => {
    if (request.method === 'POST') Object.assign(reply, { end: () => reply.socket?.destroy() })
    return false
  }
  expect(await press('ru')).toBe(502)
  house.misbehave = null
  await t.ctx.db.query({ text: 'UPDATE users SET email = $1 WHERE id = $2', values: ['new@example.com', user.id] })
  expect([await press('en'), await press('en')]).toEqual([201, 201])
  expect(house.created).toBe(1)
  const { rows } = await t.ctx.db.query({ text: 'SELECT state, press FROM payments' })
  expect(rows).toEqual([{ state: 'pending', press: null }])
})

test('a payment that is paid at once has begun though its first check fails, and is credited by the next, once', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  gateway.onBegin = async ({ transactionId }) => {
    gateway.facts.set(transactionId, arrived([`d-${transactionId}`, 50_000]))
    return { outcome: 'begun', providerId: providerIdOf(transactionId), guidance: { form: 'instant' } }
  }
  await t.ctx.db.query({ text: 'ALTER TABLE deposits ADD CONSTRAINT broken CHECK (amount_micros < 0) NOT VALID' })
  const wish = { system: 'fake', amount: '500.00' }
  const again = { token: user.token, idempotencyKey: 'press-number-1' }
  const { data } = await call(t, 'POST /api/v1/payments', wish, again)
  expect(data.state).toBe('pending')
  expect(await balanceOf(t, user)).toBe('0.00')
  await t.ctx.db.query({ text: 'ALTER TABLE deposits DROP CONSTRAINT broken' })
  expect((await call(t, 'POST /api/v1/payments', wish, again)).data.transaction_id).toBe(data.transaction_id)
  t.clock.advance(MINUTE)
  await Promise.all([reconcilePayments(t.ctx), reconcilePayments(t.ctx)])
  expect(await look(t, user, data.transaction_id)).toMatchObject({ state: 'paid', credited: '500.00' })
  expect(gateway.orders).toHaveLength(1)
  await expectRightBooks(t)
})
