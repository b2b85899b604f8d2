import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { setBlocked } from '#server/core/accounts/users/queries.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
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
import { meetAtRow } from '#test/builders/held-row.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { settleOrphans } from './activation-orphans.ts'
import { replaceActivation } from './replace.ts'

const REPLACE = 'POST /api/v1/activations/{id}/replace'

test('a number is replaced in one press: the money given back pays for the new one, another phone comes', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  // The balance pays for one number, so only the refund can pay for the second number.
  const buyer = await t.makeUser({ balance: '13.00' })
  const { token } = buyer
  const old = await buyOne(t, buyer)
  const early = await refused(t, REPLACE, { id: old.id }, { token })
  expect(early.body).toMatchObject({ code: 'EARLY_CANCEL_DENIED', data: { seconds: 120 } })
  t.clock.advance(2 * MINUTE)
  // The supplier has the old number in stock again and offers it first.
  const offered = [old.phone, undefined]
  supplier.onBuy = async (order) => {
    const number = supplier.sell(order)
    return { ...number, phone: offered.shift() ?? number.phone }
  }
  const second = await t.addFake('second')
  using live = await listen(t, buyer)
  const press = { token, idempotencyKey: 'replace-0001' }
  const { data } = await call(t, REPLACE, { id: old.id, price: '13.00' }, press)
  expect(data).toMatchObject({ state: 'waiting', price: '13.00', service: old.service, country: old.country })
  expect(data.id).not.toBe(old.id)
  expect(data.phone).toBe(second.sold.get(`${data.id}-2`)?.phone)
  const told = [await live.next('ActivationChanged'), await live.next('ActivationChanged')]
  expect(told.find(({ record }) => record.id === old.id)).toMatchObject({ record: { state: 'cancelled' } })
  expect(told).toContainEqual({ record: data, names: expect.anything(), balance: '0.00' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '13.00' })
  expect([await transfersOf(t.ctx, old.id), await transfersOf(t.ctx, data.id)]).toEqual([['hold', 'release'], ['hold']])
  expect(await eventsOf(t.ctx, old.id)).toEqual(['activation.waiting', 'activation.cancelled'])
  await pushSms(t, second, { phone: data.phone ?? '' })
  expect((await call(t, REPLACE, { id: old.id, price: '13.00' }, press)).data).toMatchObject({
    id: data.id,
    code: '48213',
  })
  expect((await refused(t, REPLACE, { id: old.id }, press)).body.code).toBe('IDEMPOTENCY_CONFLICT')
  expect((await refused(t, REPLACE, { id: old.id }, { token })).body.code).toBe('ACTIVATION_ENDED')
  expect((await refused(t, REPLACE, { id: data.id }, { token })).body.code).toBe('CODE_ALREADY_RECEIVED')
  await t.runJobs()
  expect(supplier.ended.map(({ number, ending }) => [number.reference, ending]).sort()).toEqual([
    [`${old.id}-1`, 'cancelled'],
    [`${data.id}-1`, 'unsold'],
  ])
  await expectBooksRight(t.ctx)
})

test('whatever is wrong is found before anything happens: the old number stays', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '14.00' })
  const stranger = await t.makeUser()
  const { token } = buyer
  const { id } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  const refusal = async (input: { price?: string } = {}, options: { token: string } = { token }) =>
    (await refused(t, REPLACE, { id, ...input }, options)).body
  expect((await refusal({}, { token: stranger.token })).code).toBe('NOT_FOUND')
  expect((await refusal({ price: 'x' })).errors).toHaveProperty('price')
  expect(await refusal({ price: '12.99' })).toMatchObject({ code: 'PRICE_CHANGED', data: { price: '13.00' } })
  catalogOf(t.ctx).setOffers(supplier.id, [{ ...fakeOffer, costMicros: 12_000_000n }])
  expect(await refusal()).toMatchObject({ code: 'NO_BALANCE', data: { price: '15.60', missing: '1.60' } })
  catalogOf(t.ctx).setOffers(supplier.id, [])
  const none = await refusal()
  expect([none.code, none.data]).toEqual(['NO_NUMBERS', undefined])
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  buyingOf(t.ctx).stopped = true
  expect((await refusal()).code).toBe('BUYING_STOPPED')
  buyingOf(t.ctx).stopped = false
  expect((await call(t, 'GET /api/v1/activations/{id}', { id }, { token })).data.state).toBe('waiting')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '1.00', held: '13.00' })
  // The API refuses a blocked buyer earlier; here the SQL statement itself must refuse.
  await setBlocked(t.ctx.db, { userId: buyer.id, blockedAt: t.clock.now() })
  const pressed = replaceActivation(t.ctx, { activationId: id, userId: buyer.id })
  await expect(pressed).rejects.toMatchObject({ code: 'BLOCKED' })
  expect(await count(t.ctx, `activations WHERE state = 'waiting'`)).toBe(1)
  expect(await count(t.ctx, 'activations')).toBe(1)
  await expectBooksRight(t.ctx)
})

test('an account at its limit of open numbers may replace one', async () => {
  await using t = await startTestApp({ config: { maxOpenNumbers: 1 } })
  await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id } = await buyOne(t, buyer)
  const { token } = buyer
  t.clock.advance(2 * MINUTE)
  const more = await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token })
  expect(more.body.code).toBe('TOO_MANY_OPEN_NUMBERS')
  expect((await call(t, REPLACE, { id }, { token })).data.state).toBe('waiting')
})

test('when nobody has another after all, the old one is cancelled and its money back, and the answer says so', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '13.00' })
  const { token } = buyer
  const { id } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  const press = { token, idempotencyKey: 'replace-0001', locale: 'en' as const }
  const first = await refused(t, REPLACE, { id }, press)
  expect(first).toMatchObject({ status: 409, body: { code: 'NO_NUMBERS', data: { cancelled: id } } })
  expect(await refused(t, REPLACE, { id }, press)).toEqual(first)
  expect(supplier.orders).toHaveLength(2)
  expect((await call(t, 'GET /api/v1/activations/{id}', { id }, { token })).data).toMatchObject({ state: 'cancelled' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '13.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test.each([
  ['one key', () => 'replace-0001'],
  ['keys of their own', (place: number) => `replace-000${place}`],
  ['none', () => undefined],
])('six presses at once with %s buy one number', async (_keys, keyOf) => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  const replies = await Promise.all(
    Array.from({ length: 6 }, async (_, place) => {
      const key = keyOf(place)
      const response = await t.fetch(`/api/v1/activations/${id}/replace`, {
        method: 'POST',
        token: buyer.token,
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      })
      const body = (await response.json()) as { code?: string; data?: { id: number } }
      return { status: response.status, told: body.code ?? body.data?.id }
    }),
  )
  const bought = replies.filter(({ status }) => status === 201)
  expect(bought.length).toBeGreaterThan(0)
  for (const { told } of bought) expect(told).toBe(id + 1)
  if (keyOf(0) !== keyOf(1) || keyOf(0) === undefined) expect(bought).toHaveLength(1)
  for (const { told } of replies.filter(({ status }) => status !== 201)) {
    expect(['IN_PROGRESS', 'ACTIVATION_ENDED']).toContain(told)
  }
  expect(supplier.orders).toHaveLength(2)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})

test('a code that is first at the row wins over a replacement: nothing is bought', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  const [received, replaced] = await meetAtRow({ ...t.database, id }, [
    () => pushSms(t, supplier, { phone }),
    () => refused(t, REPLACE, { id }, { token: buyer.token }),
  ])
  expect(received.status).toBe('fulfilled')
  expect(replaced).toMatchObject({ status: 'fulfilled', value: { body: { code: 'CODE_ALREADY_RECEIVED' } } })
  expect(supplier.orders).toHaveLength(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a replacement that is first at the row wins over a code: it is kept under the old number, late, and not charged', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  const [replaced, received] = await meetAtRow({ ...t.database, id }, [
    () => call(t, REPLACE, { id }, { token: buyer.token }),
    () => pushSms(t, supplier, { phone }),
  ])
  expect([replaced.status, received.status]).toEqual(['fulfilled', 'fulfilled'])
  expect(await count(t.ctx, `messages WHERE given = 'late' AND activation_id = $1`, [id])).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})

test('after a crash the old one is cancelled, and the new one is what its supplier says', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '13.00' })
  const { id } = await buyOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    const number = supplier.sell(order)
    asked.resolve()
    await answer.promise
    return number
  }
  const press = { token: buyer.token, idempotencyKey: 'replace-0001' }
  const replacing = call(t, REPLACE, { id }, press)
  await asked.promise
  expect((await refused(t, REPLACE, { id }, press)).body.code).toBe('IN_PROGRESS')
  expect(await settleOrphans(t.ctx)).toBe(1)
  expect((await call(t, REPLACE, { id }, press)).data).toMatchObject({ id: id + 1, state: 'waiting' })
  answer.resolve()
  expect((await replacing).data.id).toBe(id + 1)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '13.00' })
  await expectBooksRight(t.ctx)
})
