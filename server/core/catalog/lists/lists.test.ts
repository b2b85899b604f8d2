import { expect, test } from 'vitest'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const PRICE = 'GET /api/price'

test('services are listed by ten, searched in both languages, and measured in one country', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [fakeOffer, { ...fakeOffer, serviceCode: 'wa', costMicros: 20_000_000n, stock: 3 }])
  const first = await call(t, 'GET /api/services', { version: 2 })
  expect(first.services).toHaveLength(10)
  const second = await call(t, 'GET /api/services', { page: 2 })
  expect(second.count).toBe(first.count)
  expect(second.services.map(({ id }) => id)).not.toContain(first.services[0]?.id)
  const all = await call(t, 'GET /api/services', { version: 2, load: 'all' })
  expect(all.services).toHaveLength(all.count)
  expect(all.services.slice(0, 20).map(({ id }) => id)).toEqual(
    [...first.services, ...second.services].map(({ id }) => id),
  )
  expect(all.services.some(({ id }) => id === 'full')).toBe(false)
  const found = async (search: string, more = {}) =>
    (await call(t, 'GET /api/services', { search, ...more })).services.map(({ id }) => id)
  expect(await found('  TELEGRAM ')).toContain('tg')
  expect(await found('достависта')).toEqual(['sv'])
  expect(await found(`%' OR 1=1 --`)).toEqual([])
  const [telegram] = (await call(t, 'GET /api/services', { search: 'telegram', country_id: 2 })).services
  expect(telegram).toEqual({
    id: 'tg',
    name: 'Telegram',
    is_favorite: false,
    price: '13.00',
    count: 100,
    success_share: null,
    median_seconds: null,
  })
  const elsewhere = (await call(t, 'GET /api/services', { search: 'telegram', country_id: 7 })).services[0]
  expect(elsewhere).toMatchObject({ price: null, count: 0 })
})

// Finding P-2: an unknown id matches nothing, and a field outside the specification is ignored.
test('an unknown service or country has an empty list', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [fakeOffer])
  const services = await t.fetch('/api/services?country_id=999999&colour=red')
  expect([services.status, await services.json()]).toMatchObject([200, { count: 0, services: [] }])
  const countries = await t.fetch('/api/countries?service_id=nobody')
  expect([countries.status, await countries.json()]).toMatchObject([200, { count: 0, countries: [] }])
})

test('countries are sorted as asked, those in stock first', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [
    { ...fakeOffer, countryId: 2, costMicros: 30_000_000n, stock: 5 },
    { ...fakeOffer, countryId: 0, costMicros: 10_000_000n, stock: 7 },
    { ...fakeOffer, countryId: 16, costMicros: 20_000_000n, stock: 9 },
  ])
  const top = async (sort: 'popular' | 'price' | 'stock' | 'success' | 'name') =>
    (await call(t, 'GET /api/countries', { service_id: 'tg', sort })).countries.slice(0, 3).map(({ id }) => id)
  expect(await top('price')).toEqual([0, 16, 2])
  expect(await top('stock')).toEqual([16, 0, 2])
  // The ids stand for Великобритания, Казахстан, Россия in the order of the Russian alphabet.
  expect(await top('name')).toEqual([16, 2, 0])
  expect((await top('popular')).toSorted()).toEqual([0, 16, 2].toSorted())
  expect((await refused(t, 'GET /api/countries', { sort: 'cheapest' })).body.errors).toHaveProperty('sort')
  const byDial = await call(t, 'GET /api/countries', { search: '+44' })
  expect(byDial.countries.map(({ id }) => id)).toContain(16)
})

test('the price names each operator, and falls back to the first when the chosen one is gone', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('two', [
    fakeOffer,
    { ...fakeOffer, operator: 'beeline', costMicros: 20_000_000n, stock: 5 },
  ])
  const priceOf = async (operator_id?: string) =>
    (await call(t, PRICE, { service_id: 'tg', country_id: 2, ...(operator_id !== undefined && { operator_id }) })).data
  const any = await priceOf()
  expect(any.operators.map(({ id, price, count }) => [id, price, count])).toEqual([
    ['any', '13.00', 105],
    ['altel', '13.00', 100],
    ['beeline', '26.00', 5],
  ])
  expect(any).toMatchObject({ price: '13.00', count: 105, currency: 'rub' })
  expect(await priceOf('beeline')).toMatchObject({ price: '26.00', count: 5 })
  supplier.offers = [fakeOffer]
  await refreshOffers(t.ctx, supplier)
  expect(await priceOf('beeline')).toMatchObject({ price: '13.00', count: 100 })
  const empty = (await call(t, PRICE, { service_id: 'tg', country_id: 7 })).data
  expect(empty).toMatchObject({ operators: [{ id: 'any', price: null, count: 0 }], price: null, count: 0 })
})

test('a blocked service is neither listed, priced nor sold', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const { token } = await t.makeUser()
  await t.ctx.db.query({ text: `UPDATE services SET blocked_at = now() WHERE code = 'tg'` })
  await loadCatalog(t.ctx)
  const { services } = await call(t, 'GET /api/services', { load: 'all' })
  expect(services.some(({ id }) => id === 'tg')).toBe(false)
  expect((await call(t, PRICE, { service_id: 'tg', country_id: 2 })).data).toMatchObject({ price: null, count: 0 })
  expect((await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token })).body.code).toBe(
    'BAD_SERVICE',
  )
})

test('what a supplier lists wrongly is left out, and when it cannot list, its last stock stands', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser()
  supplier.offers = [
    { ...fakeOffer, stock: -1 },
    { ...fakeOffer, operator: '' },
    { ...fakeOffer, operator: 'any' },
    { ...fakeOffer, operator: 'x\0' },
    { ...fakeOffer, operator: 'x'.repeat(61) },
    { ...fakeOffer, costMicros: -5n },
    { ...fakeOffer, operator: 'dear', costMicros: 10n ** 30n },
    { ...fakeOffer, operator: 'endless', stock: 1e15 },
    { ...fakeOffer, operator: 'broken', stock: 2.5 },
    { ...fakeOffer, operator: 'none', stock: Number.NaN },
    { ...fakeOffer, stock: 7 },
    { ...fakeOffer, serviceCode: 'nosuch' },
    { ...fakeOffer, countryId: 999_999 },
    { ...fakeOffer, operator: `o'; DROP TABLE offers; --` },
    fakeOffer,
  ]
  await refreshOffers(t.ctx, supplier)
  const { operators } = (await call(t, PRICE, { service_id: 'tg', country_id: 2 })).data
  expect(operators.map(({ id }) => id).sort()).toEqual(['altel', 'any', `o'; DROP TABLE offers; --`])
  supplier.listOffers = async () => {
    throw new Error('503')
  }
  await refreshOffers(t.ctx, supplier)
  expect((await call(t, PRICE, { service_id: 'tg', country_id: 2 })).data.count).toBe(200)
  expect((await buyOne(t, buyer)).operator).not.toBe('any')
})
