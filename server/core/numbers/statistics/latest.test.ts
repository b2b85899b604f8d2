import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { rentOne } from '#test/builders/rental-rows.ts'
import { fakeRentOffer, fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

async function latestOf(t: TestApp, user: TestUser, mode: 'activation' | 'rent' = 'activation') {
  const key = mode === 'rent' ? 'GET /api/user/latest-rent-purchases' : 'GET /api/user/latest-purchases'
  return (await call(t, key, {}, { token: user.token })).data
}

async function addPast(t: TestApp, user: TestUser, kinds: { service: string; country: number; state?: string }[]) {
  const { rows } = await t.ctx.db.query<{ id: number }>({ text: 'SELECT id FROM suppliers LIMIT 1' })
  await t.ctx.db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, state, money, price_micros, currency, supplier_id, phone,
        channel, created_at, expires_at, ended_at)
      SELECT $userId, service, country, state, 'released', 1, 'rub', $supplierId,
        CASE state WHEN 'failed' THEN NULL ELSE '770512345' || n END, 'site', $now, $now, $now
      FROM unnest($services::text[], $countries::integer[], $states::text[]) WITH ORDINALITY
        AS kind (service, country, state, n)`,
    values: {
      userId: user.id,
      supplierId: rows[0]?.id,
      now: t.clock.now(),
      services: kinds.map(({ service }) => service),
      countries: kinds.map(({ country }) => country),
      states: kinds.map(({ state }) => state ?? 'cancelled'),
    },
  })
}

test('the kinds bought last, each once, the newest first, with what each costs now', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('one', [
    fakeOffer,
    { ...fakeOffer, operator: 'beeline', costMicros: 20_000_000n, stock: 5 },
    { ...fakeOffer, serviceCode: 'wa', stock: 3 },
  ])
  const buyer = await t.makeUser({ balance: '500.00' })
  const { token } = buyer
  expect(await latestOf(t, buyer)).toEqual([])
  await buyOne(t, buyer)
  t.clock.advance(MINUTE)
  await call(t, BUY, { ...TELEGRAM, operator_id: 'beeline' }, { token })
  t.clock.advance(MINUTE)
  await call(t, BUY, { ...TELEGRAM, service_id: 'wa' }, { token })
  t.clock.advance(MINUTE)
  await buyOne(t, buyer)
  t.clock.advance(MINUTE)
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  await refused(t, BUY, { ...TELEGRAM, service_id: 'wa' }, { token })
  const common = { country: { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' }, period: null, success_share: null }
  const telegram = { ...common, service: { id: 'tg', name: 'Telegram' } }
  expect(await latestOf(t, buyer)).toEqual([
    { ...telegram, operator: null, price: '13.00', count: 105, bought_at: '2026-03-01T12:03:00.000Z' },
    {
      ...common,
      service: { id: 'wa', name: 'WhatsApp' },
      operator: null,
      price: '13.00',
      count: 3,
      bought_at: '2026-03-01T12:02:00.000Z',
    },
    { ...telegram, operator: 'beeline', price: '26.00', count: 5, bought_at: '2026-03-01T12:01:00.000Z' },
  ])
  supplier.offers = [fakeOffer]
  await refreshOffers(t.ctx, supplier)
  await t.ctx.db.query({ text: `UPDATE services SET blocked_at = now() WHERE code = 'wa'` })
  await loadCatalog(t.ctx)
  expect((await latestOf(t, buyer)).map(({ price, count }) => [price, count])).toEqual([
    ['13.00', 100],
    [null, 0],
    [null, 0],
  ])
  expect(await latestOf(t, await t.makeUser())).toEqual([])
  expect((await refused(t, 'GET /api/user/latest-purchases', {})).body.code).toBe('UNAUTHENTICATED')
})

test('ten kinds at the most, of the last two hundred purchases', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  const services = ['vk', 'ok', 'ig', 'fb', 'go', 'wa', 'vi', 'tw', 'me', 'am', 'mm', 'ds']
  await addPast(t, buyer, [
    { service: 'ya', country: 0 },
    ...Array.from({ length: 187 }, () => ({ service: 'tg', country: 2 })),
    ...services.map((service) => ({ service, country: 0 })),
  ])
  // Failed purchases count towards the maximum read, so a program that only fails takes no more time.
  await addPast(t, buyer, [{ service: 'ya', country: 0, state: 'failed' }])
  const idsOf = async () => (await latestOf(t, buyer)).map(({ service }) => service.id)
  expect(await idsOf()).toEqual(services.toReversed().slice(0, 10))
  await addPast(
    t,
    buyer,
    Array.from({ length: 199 }, () => ({ service: 'tg', country: 2 })),
  )
  expect(await idsOf()).toEqual(['tg'])
})

test('the kinds rented last: for the length first rented, whatever was added to it', async () => {
  await using t = await startTestApp()
  await t.addFake('one', undefined, [...fakeRentOffers, { ...fakeRentOffer, operator: 'beeline', stock: 2 }])
  const buyer = await t.makeUser({ balance: '2000.00' })
  await rentOne(t, buyer, { period: 4 })
  t.clock.advance(MINUTE)
  const whole = await rentOne(t, buyer, { operator_id: 'beeline' })
  t.clock.advance(MINUTE)
  await rentOne(t, buyer, { service_id: 'tg' })
  t.clock.advance(MINUTE)
  await call(t, 'POST /api/v1/rentals/{id}/extend', { id: whole.id, period: 24 }, { token: buyer.token })
  await refused(
    t,
    'POST /api/v1/rentals',
    { service_id: 'full', country_id: 2, period: 1440, price: '1.00' },
    { token: buyer.token },
  )
  expect(await latestOf(t, buyer, 'rent')).toMatchObject([
    { service: { id: 'tg' }, operator: null, period: 24, price: '65.00', count: 10, success_share: null },
    { service: { id: 'full' }, operator: 'beeline', period: 24, price: '130.00', count: 2 },
    { service: { id: 'full', name: 'Полная аренда' }, operator: null, period: 4, price: '52.00', count: 10 },
  ])
  expect(await latestOf(t, buyer)).toEqual([])
  expect((await refused(t, 'GET /api/user/latest-rent-purchases', {})).body.code).toBe('UNAUTHENTICATED')
})
