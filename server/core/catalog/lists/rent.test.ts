import { expect, test } from 'vitest'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { loadOffers, refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { rentCatalogOf } from '#server/core/catalog/offers/rent-index.ts'
import { priceExtension, quoteRent } from '#server/core/catalog/prices/rent-quote.ts'
import { suppliersOf } from '#server/core/suppliers/running-suppliers.ts'
import type { RentOffer } from '#server/core/suppliers/supplier.ts'
import { count } from '#test/builders/activation-rows.ts'
import { fakeRentOffer, fakeRentOffers } from '#test/fakes/fake-rent.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'

const SERVICES = 'GET /api/rent-services'
const COUNTRIES = 'GET /api/rent-countries'
const PRICE = 'GET /api/rent-price'
const FULL = { service_id: 'full', country_id: 2 }

const offer = (changes: Partial<RentOffer>): RentOffer => ({ ...fakeRentOffer, ...changes })

async function addRule(t: TestApp, scope: { service?: string; country?: number }, rule: { margin: number } | 'fixed') {
  const margin = rule === 'fixed' ? null : rule.margin
  await t.ctx.db.query({
    text: `INSERT INTO price_rules (service_code, country_id, margin_percent, price_micros, currency)
      VALUES ($service, $country, $margin, $priceMicros, $currency)`,
    values: {
      service: scope.service ?? null,
      country: scope.country ?? null,
      margin,
      priceMicros: margin === null ? 1_000_000n : null,
      currency: margin === null ? 'rub' : null,
    },
  })
  await loadCatalog(t.ctx)
}

test('services to rent: the whole number first, prices of the period, one day unless asked', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [], [...fakeRentOffers, offer({ countryId: 7, costMicros: 70_000_000n, stock: 5 })])
  const first = await call(t, SERVICES, {})
  expect(first.services).toHaveLength(10)
  const figures = { success_share: null, median_seconds: null, is_favorite: false }
  expect(first.services[0]).toEqual({ id: 'full', name: 'Полная аренда', price: '91.00', count: 15, ...figures })
  const { count: all } = await call(t, 'GET /api/services', {})
  expect(first.count).toBe(all + 1)
  const one = async (input: object) => (await call(t, SERVICES, input, { locale: 'en' })).services[0]
  expect(await one({ country_id: 2 })).toEqual({
    id: 'full',
    name: 'Full rent',
    price: '130.00',
    count: 10,
    ...figures,
  })
  expect(await one({ country_id: 2, period: 4 })).toMatchObject({ id: 'full', price: '52.00', count: 10 })
  expect(await one({ period: 1440 })).toMatchObject({ id: 'full', price: '1300.00', count: 10 })
  expect(await one({ period: 720 })).toMatchObject({ id: 'full', price: null, count: 0 })
  expect(await one({ search: 'telegram', period: 4 })).toMatchObject({ id: 'tg', price: '26.00', count: 10 })
  expect(await one({ search: 'whatsapp' })).toMatchObject({ id: 'wa', price: null, count: 0 })
  const pages = await call(t, SERVICES, { page: 2, version: 2 })
  expect(pages.services.some(({ id }) => first.services.some((other) => other.id === id))).toBe(false)
  expect((await call(t, SERVICES, { load: 'all' })).services).toHaveLength(first.count)
  for (const period of [25, 0, 'day', 1441]) {
    expect((await refused(t, SERVICES, { period })).body.errors).toHaveProperty('period')
  }
  expect((await call(t, 'GET /api/services', { search: 'telegram' })).services[0]).toMatchObject({ price: null })
})

test('countries to rent in are sorted as asked, those that have numbers for so long first', async () => {
  await using t = await startTestApp()
  await t.addFake('one', undefined, [
    offer({ countryId: 2, costMicros: 30_000_000n, stock: 5 }),
    offer({ countryId: 0, costMicros: 10_000_000n, stock: 7 }),
    offer({ countryId: 16, costMicros: 20_000_000n, stock: 9 }),
    offer({ countryId: 7, hours: 168, costMicros: 20_000_000n, stock: 1 }),
    offer({ countryId: 0, serviceCode: 'tg', costMicros: 5_000_000n, stock: 2 }),
  ])
  const top = async (input: object) => (await call(t, COUNTRIES, input)).countries.slice(0, 3).map(({ id }) => id)
  expect(await top({ service_id: 'full', sort: 'price' })).toEqual([0, 16, 2])
  expect(await top({ service_id: 'full', sort: 'stock' })).toEqual([16, 0, 2])
  expect(await top({ service_id: 'full', sort: 'name' })).toEqual([16, 2, 0])
  expect((await top({ service_id: 'full', period: 168 }))[0]).toBe(7)
  expect((await top({ sort: 'success' })).toSorted()).toEqual([0, 16, 2].toSorted())
  const [russia] = (await call(t, COUNTRIES, { search: 'россия' })).countries
  expect(russia).toMatchObject({ id: 0, price: '6.50', count: 9, success_share: null, median_seconds: null })
})

test('the price of renting names operators, and periods of the chosen one', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake(
    'one',
    [],
    [
      fakeRentOffer,
      offer({ hours: 168, costMicros: 500_000_000n }),
      offer({ operator: 'beeline', costMicros: 200_000_000n, stock: 3 }),
      offer({ operator: 'beeline', hours: 720, costMicros: 900_000_000n, stock: 3 }),
    ],
  )
  const priceOf = async (more = {}) => (await call(t, PRICE, { ...FULL, ...more })).data
  const figures = { success_share: null, median_seconds: null, p90_seconds: null }
  expect(await priceOf()).toEqual({
    operators: [
      { id: 'any', name: 'any', price: '130.00', count: 13, ...figures },
      { id: 'altel', name: 'altel', price: '130.00', count: 10, ...figures },
      { id: 'beeline', name: 'beeline', price: '260.00', count: 3, ...figures },
    ],
    price: '130.00',
    count: 13,
    currency: 'rub',
    periods: [
      { period: 24, count: 13, price: '130.00' },
      { period: 168, count: 10, price: '650.00' },
      { period: 720, count: 3, price: '1170.00' },
    ],
  })
  expect(await priceOf({ operator_id: 'beeline', period: 168 })).toMatchObject({
    price: null,
    count: 0,
    operators: [{ price: '650.00' }, { price: '650.00' }, { id: 'beeline', price: null, count: 0 }],
    periods: [
      { period: 24, count: 3, price: '260.00' },
      { period: 168, count: 0, price: null },
      { period: 720, count: 3, price: '1170.00' },
    ],
  })
  supplier.rent.offers = [fakeRentOffer]
  await refreshOffers(t.ctx, supplier)
  expect(await priceOf({ operator_id: 'beeline' })).toMatchObject({ price: '130.00', count: 10 })
  const empty = (await call(t, PRICE, { service_id: 'tg', country_id: 7 })).data
  expect(empty).toMatchObject({ operators: [{ id: 'any', price: null, count: 0 }], price: null, count: 0, periods: [] })
  const codeOf = async (input: object) => (await refused(t, PRICE, input)).body.code
  expect(await codeOf({ ...FULL, period: 5 })).toBe('INVALID_INPUT')
  const buyer = await t.makeUser({ currency: 'usd' })
  expect((await call(t, PRICE, FULL, { token: buyer.token })).data.currency).toBe('usd')
})

test('a blocked service is not rented, nor what a paused supplier has', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('one', undefined, fakeRentOffers)
  const { ctx } = t
  const wanted = { serviceCode: 'full', countryId: 2, operator: 'altel', hours: 24, currency: 'rub' as const }
  const extension = () => priceExtension(rentCatalogOf(ctx), { ...wanted, supplierId: supplier.id })
  const priced = { priceMicros: 130_000_000n, costMicros: 100_000_000n, costCurrency: 'rub' }
  expect(extension()).toEqual(priced)
  await ctx.db.query({ text: `UPDATE services SET blocked_at = now() WHERE code = 'full'` })
  await loadCatalog(ctx)
  expect((await call(t, SERVICES, { load: 'all' })).services.some(({ id }) => id === 'full')).toBe(false)
  expect((await call(t, PRICE, FULL)).data).toMatchObject({ price: null, count: 0, periods: [] })
  expect(quoteRent(rentCatalogOf(ctx), wanted)).toBe('out-of-stock')
  expect(extension()).toBe(null)
  await ctx.db.query({ text: 'UPDATE services SET blocked_at = NULL' })
  await ctx.db.query({ text: 'UPDATE suppliers SET paused_at = now()' })
  await loadCatalog(ctx)
  expect((await call(t, PRICE, FULL)).data).toMatchObject({ price: null, count: 0, periods: [] })
  expect(extension()).toBe(null)
  await ctx.db.query({ text: 'UPDATE suppliers SET paused_at = NULL' })
  await loadCatalog(ctx)
  supplier.rent.offers = [offer({ stock: 0 })]
  await refreshOffers(ctx, supplier)
  expect(quoteRent(rentCatalogOf(ctx), wanted)).toBe('out-of-stock')
  expect(extension()).toEqual(priced)
  expect(priceExtension(rentCatalogOf(ctx), { ...wanted, supplierId: supplier.id, hours: 168 })).toBe(null)
  expect(priceExtension(rentCatalogOf(ctx), { ...wanted, supplierId: supplier.id + 1 })).toBe(null)
})

test('margins alone price a rental: a fixed price is passed over for the next margin in order', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [], [fakeRentOffer])
  const price = async () => (await call(t, PRICE, FULL)).data.price
  expect(await price()).toBe('130.00')
  await addRule(t, { service: 'full', country: 2 }, 'fixed')
  expect(await price()).toBe('130.00')
  await addRule(t, {}, { margin: 10 })
  expect(await price()).toBe('110.00')
  await addRule(t, { country: 2 }, { margin: 20 })
  expect(await price()).toBe('120.00')
  await addRule(t, { service: 'full' }, 'fixed')
  expect(await price()).toBe('120.00')
  await addRule(t, { service: 'full', country: 7 }, { margin: 90 })
  expect(await price()).toBe('120.00')
})

test('a quote asks whoever can serve at the lowest price without a loss, the cheapest first', async () => {
  await using t = await startTestApp()
  const dear = await t.addFake('dear', [], [offer({ costMicros: 129_000_000n })])
  const cheap = await t.addFake('cheap', [], [offer({ operator: 'beeline' })])
  // The dollar cost converts to more than the price of 130.00 roubles, so a sale would make a loss.
  await t.addFake('dollars', [], [offer({ costMicros: 1_500_000n, currency: 'usd' })])
  await t.addFake('empty', [], [offer({ costMicros: 1n, stock: 0 })])
  const quoted = (operator: string | null, changes = {}) => {
    const wanted = { serviceCode: 'full', countryId: 2, hours: 24, currency: 'rub' as const, operator, ...changes }
    const found = quoteRent(rentCatalogOf(t.ctx), wanted)
    return typeof found === 'string'
      ? found
      : [found.priceMicros, ...found.candidates.map(({ supplierId }) => supplierId)]
  }
  expect(quoted(null)).toEqual([130_000_000n, cheap.id, dear.id])
  expect(quoted('beeline')).toEqual([130_000_000n, cheap.id])
  expect(quoted('nobody')).toBe('unknown-operator')
  expect(quoted('beeline', { hours: 168 })).toBe('out-of-stock')
  expect(quoted(null, { countryId: 7 })).toBe('out-of-stock')
  expect(quoted('altel')).toEqual([167_700_000n, dear.id, dear.id + 2])
})

test('offers of rent are kept: what cannot be stored is left out, a failure leaves the last stock', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake('one', undefined, fakeRentOffers)
  supplier.rent.offers = [
    offer({ stock: 7 }),
    offer({ stock: -1, operator: 'a' }),
    offer({ hours: 25, operator: 'b' }),
    offer({ hours: Number.NaN, operator: 'c' }),
    offer({ operator: 'any' }),
    offer({ costMicros: -1n, operator: 'd' }),
    offer({ serviceCode: 'nosuch' }),
    offer({ countryId: 999_999 }),
    offer({ hours: 4, stock: 2 }),
    offer({ stock: 8 }),
  ]
  await refreshOffers(t.ctx, supplier)
  const expected = [
    { hours: 4, stock: 2 },
    { hours: 24, stock: 8 },
  ]
  const { rows } = await t.ctx.db.query({ text: 'SELECT hours, stock FROM rent_offers ORDER BY hours' })
  expect(rows).toEqual(expected)
  const { version } = rentCatalogOf(t.ctx)
  await refreshOffers(t.ctx, supplier)
  expect(rentCatalogOf(t.ctx).version).toBe(version)
  supplier.rent.listRentOffers = async () => {
    throw new Error('503')
  }
  await refreshOffers(t.ctx, supplier)
  expect((await call(t, PRICE, FULL)).data.periods).toEqual([
    { period: 4, count: 2, price: '130.00' },
    { period: 24, count: 8, price: '130.00' },
  ])
  rentCatalogOf(t.ctx).setOffers(supplier.id, [])
  await loadOffers(t.ctx, supplier.id)
  expect((await call(t, PRICE, FULL)).data.count).toBe(8)
  const { rent: _gone, ...without } = supplier
  await suppliersOf(t.ctx).replace(without, 2)
  await refreshOffers(t.ctx, without)
  expect((await call(t, PRICE, FULL)).data.count).toBe(0)
  expect(await count(t.ctx, 'rent_offers')).toBe(0)
})
