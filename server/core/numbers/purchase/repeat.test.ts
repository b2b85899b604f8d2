import { expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { settleOrphans } from './activation-orphans.ts'

const REPEAT = 'POST /api/v1/activations/{id}/repeat'
const FINISH = 'POST /api/v1/activations/{id}/finish'

async function openShop(t: TestApp) {
  const supplier = await t.addFake()
  supplier.repeats = true
  const buyer = await t.makeUser({ balance: '100.00' })
  const token = await t.makeApiKey(buyer)
  return { supplier, buyer, token, first: await finishOne(t, buyer, { supplier, token }) }
}

async function finishOne(
  t: TestApp,
  buyer: TestUser,
  { supplier, token }: { supplier: Parameters<typeof pushSms>[1]; token: string },
) {
  const bought = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: bought.phone })
  const { data } = await call(t, FINISH, { id: bought.id }, { token })
  return { ...data, phone: bought.phone }
}

test('an ended number is bought once more: the same phone, at the price of today, though it is out of stock and burnt', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token, first } = await openShop(t)
  expect(first.can_repeat).toBe(true)
  t.clock.advance(MINUTE)
  catalogOf(t.ctx).setOffers(supplier.id, [{ ...fakeOffer, costMicros: 12_000_000n, stock: 0 }])
  const dearer = await refused(t, REPEAT, { id: first.id, price: '13.00' }, { token })
  expect(dearer.body).toMatchObject({ code: 'PRICE_CHANGED', data: { price: '15.60' } })
  const press = { token, idempotencyKey: 'repeat-0001' }
  const { data } = await call(t, REPEAT, { id: first.id, price: '15.60' }, press)
  expect(data).toMatchObject({ state: 'waiting', phone: first.phone, price: '15.60', operator: 'altel' })
  expect(data.id).not.toBe(first.id)
  expect(await call(t, REPEAT, { id: first.id, price: '15.60' }, press)).toEqual({ status: true, data })
  expect((await refused(t, REPEAT, { id: first.id }, press)).body.code).toBe('IDEMPOTENCY_CONFLICT')
  expect(supplier.orders.at(-1)).toMatchObject({ reference: `${data.id}-1`, repeatOf: first.phone, operator: 'altel' })
  expect(supplier.orders).toHaveLength(2)
  await pushSms(t, supplier, { phone: first.phone, text: 'Telegram code: 77777' })
  const { data: coded } = await call(t, 'GET /api/v1/activations/{id}', { id: data.id }, { token })
  expect(coded).toMatchObject({ state: 'received', code: '77777', can_repeat: false, messages: [{}] })
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '71.40', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('what cannot be repeated says so in its record, and holds nothing', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token, first } = await openShop(t)
  const stranger = await t.makeUser()
  const isOffered = async () =>
    (await call(t, 'GET /api/v1/activations/{id}', { id: first.id }, { token })).data.can_repeat
  const codeOf = async (id: number) => (await refused(t, REPEAT, { id }, { token })).body.code
  const cannot = async () => expect([await isOffered(), await codeOf(first.id)]).toEqual([false, 'REPEAT_UNAVAILABLE'])

  expect((await refused(t, REPEAT, { id: first.id }, { token: stranger.token })).status).toBe(404)
  const open = await buyOne(t, buyer)
  expect(await codeOf(open.id)).toBe('REPEAT_UNAVAILABLE')
  await call(t, 'POST /api/v1/activations/{id}/used', { id: open.id }, { token })
  expect(await codeOf(open.id)).toBe('REPEAT_UNAVAILABLE')

  supplier.repeats = false
  await cannot()
  supplier.repeats = true
  catalogOf(t.ctx).setOffers(supplier.id, [{ ...fakeOffer, operator: 'beeline' }])
  await cannot()
  catalogOf(t.ctx).setOffers(supplier.id, [fakeOffer])
  const country = catalogOf(t.ctx).countries.get(2)
  if (country === undefined) throw new Error('there is no Kazakhstan')
  catalogOf(t.ctx).countries.set(2, { ...country, retry: false })
  await cannot()
  catalogOf(t.ctx).countries.set(2, country)
  const telegram = catalogOf(t.ctx).services.get('tg')
  if (telegram === undefined) throw new Error('there is no Telegram')
  catalogOf(t.ctx).services.set('tg', { ...telegram, blocked_at: t.clock.now() })
  await cannot()
  catalogOf(t.ctx).services.set('tg', telegram)
  expect(await isOffered()).toBe(true)
  t.clock.advance(30 * DAY)
  await cannot()
  expect(await moneyOf(t, { ...buyer, token })).toEqual({ balance: '87.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('a supplier that says no, or sells another number, leaves nothing held and nothing in anybody’s hands', async () => {
  await using t = await startTestApp()
  const { supplier, buyer, token, first } = await openShop(t)
  const press = { token, idempotencyKey: 'repeat-0001' }
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect((await refused(t, REPEAT, { id: first.id }, press)).body.code).toBe('REPEAT_UNAVAILABLE')
  expect((await refused(t, REPEAT, { id: first.id }, press)).body.code).toBe('REPEAT_UNAVAILABLE')
  expect(supplier.orders).toHaveLength(2)
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: '77059999999' })
  expect((await refused(t, REPEAT, { id: first.id }, { token })).body.code).toBe('REPEAT_UNAVAILABLE')
  await t.runJobs()
  expect(supplier.ended.map(({ ending }) => ending)).toEqual(['finished', 'unsold'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '87.00', held: '0.00' })
  const other = await t.makeUser()
  supplier.onBuy = async (order) => ({ ...supplier.sell(order), phone: first.phone })
  const buy = refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: other.token })
  expect((await buy).body.code).toBe('NO_NUMBERS')
  await expectBooksRight(t.ctx)
})

test('two presses at once buy it once, and the other is told so', async () => {
  await using t = await startTestApp()
  const { supplier, token, first } = await openShop(t)
  const results = await Promise.all(
    Array.from({ length: 4 }, () =>
      t.fetch(`/api/v1/activations/${first.id}/repeat`, { method: 'POST', token, body: null }),
    ),
  )
  expect(results.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  expect(await count(t.ctx, `activations WHERE state = 'waiting' AND phone = $1`, [first.phone])).toBe(1)
  expect(supplier.orders).toHaveLength(5)
  await expectBooksRight(t.ctx)
})

test.each([
  ['that very number', (phone: string) => phone, 'waiting'],
  ['another one', () => '77059999999', 'failed'],
])('after a crash between hold and settle, %s is found with the supplier', async (_what, found, state) => {
  await using t = await startTestApp()
  const { supplier, buyer, token, first } = await openShop(t)
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  supplier.onBuy = async (order) => {
    const number = { ...supplier.sell(order), phone: found(first.phone) }
    supplier.sold.set(order.reference, number)
    asked.resolve()
    await answer.promise
    return number
  }
  const repeating = t.fetch(`/api/v1/activations/${first.id}/repeat`, { method: 'POST', token })
  await asked.promise
  expect(await settleOrphans(t.ctx)).toBe(1)
  answer.resolve()
  expect((await repeating).status).toBe(state === 'waiting' ? 201 : 409)
  const id = first.id + 1
  expect(await count(t.ctx, 'activations WHERE id = $1 AND state = $2', [id, state])).toBe(1)
  expect(await moneyOf(t, buyer)).toEqual(
    state === 'waiting' ? { balance: '74.00', held: '13.00' } : { balance: '87.00', held: '0.00' },
  )
  await expectBooksRight(t.ctx)
})
