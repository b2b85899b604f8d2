import { expect, test } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { slugsOf } from './slugs.ts'

const LIST = 'GET /api/v1/directory/{kind}'
const PAGE = 'GET /api/v1/directory/{kind}/{slug}'

test('every service and country has an address of its own', async () => {
  await using t = await startTestApp()
  const { service, country, ofService, ofCountry } = slugsOf(catalogOf(t.ctx))
  expect(ofService.size).toBe(catalogOf(t.ctx).services.size)
  expect(ofCountry.size).toBe(catalogOf(t.ctx).countries.size)
  for (const slug of [...service.keys(), ...country.keys()]) expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  expect(ofService.get('tg')).toBe('telegram')
  expect(ofCountry.get(0)).toBe('russia')
})

test('a service page has its countries, cheapest first, and a country page its services', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [
    { ...fakeOffer, countryId: 2, costMicros: 30_000_000n },
    { ...fakeOffer, countryId: 0, costMicros: 10_000_000n, operator: 'mts' },
    { ...fakeOffer, countryId: 0, serviceCode: 'wa', costMicros: 20_000_000n },
  ])
  const { data: telegram } = await call(t, PAGE, { kind: 'services', slug: 'telegram' }, { locale: 'en' })
  expect(telegram).toMatchObject({ code: 'tg', dial: null, offers_total: 2, currency: 'rub' })
  expect(telegram.item).toMatchObject({ id: 'tg', name: 'Telegram', price: '13.00' })
  expect(telegram.offers.map(({ id, price }) => [id, price])).toEqual([
    [0, '13.00'],
    [2, '39.00'],
  ])
  const { data: russia } = await call(t, PAGE, { kind: 'countries', slug: 'russia' }, { locale: 'ru' })
  expect(russia).toMatchObject({ code: '0', dial: '7', offers_total: 2, item: { name: 'Россия', iso2: 'RU' } })
  expect(russia.operators).toEqual([...new Set([fakeOffer.operator, 'mts'])].sort())
  expect(russia.related).toHaveLength(12)
  expect(russia.related.map(({ id }) => id)).not.toContain(0)
  const { data: operators } = await call(t, 'GET /api/v1/directory/operators', {})
  expect(operators.map(({ country }) => country.id).sort()).toEqual([0, 2])

  await t.ctx.db.query({ text: `UPDATE services SET blocked_at = now() WHERE code = 'tg'` })
  const { loadCatalog } = await import('#server/core/catalog/offers/load-catalog.ts')
  await loadCatalog(t.ctx)
  expect((await refused(t, PAGE, { kind: 'services', slug: 'telegram' })).body.code).toBe('NOT_FOUND')
  expect((await refused(t, PAGE, { kind: 'services', slug: 'none' })).body.code).toBe('NOT_FOUND')
  expect((await refused(t, PAGE, { kind: 'services', slug: 'russia' })).body.code).toBe('NOT_FOUND')
  expect((await refused(t, PAGE, { kind: 'services', slug: 'Tele gram' })).body.code).toBe('INVALID_INPUT')
  const listed = await call(t, LIST, { kind: 'services', search: 'telegram' })
  expect(listed.data.map(({ id }) => id)).not.toContain('tg')
})

test('lists are paged and searched in both languages', async () => {
  await using t = await startTestApp()
  const all = await call(t, LIST, { kind: 'services', per_page: 5000 })
  expect(all.data.length).toBe(all.meta.total)
  const second = await call(t, LIST, { kind: 'services', per_page: 10, page: 2 })
  expect(second.data.map(({ id }) => id)).toEqual(all.data.slice(10, 20).map(({ id }) => id))
  const found = await call(t, LIST, { kind: 'countries', search: 'казах' }, { locale: 'en' })
  expect(found.data.map(({ name }) => name)).toEqual(['Kazakhstan'])
})

test('the price list has each pair in stock with its real price', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [
    { ...fakeOffer, countryId: 2 },
    { ...fakeOffer, countryId: 0 },
    { ...fakeOffer, countryId: 0, serviceCode: 'wa', costMicros: 20_000_000n },
  ])
  const pairs = async (filter: object) =>
    (await call(t, 'GET /api/v1/price-list', filter, { locale: 'en' })).data.map(
      ({ service, country, price }) => `${service.id} ${country.id} ${price}`,
    )
  expect((await pairs({})).sort()).toEqual(['tg 0 13.00', 'tg 2 13.00', 'wa 0 26.00'])
  expect(await pairs({ service: 'whats' })).toEqual(['wa 0 26.00'])
  expect(await pairs({ country: 'казах' })).toEqual(['tg 2 13.00'])
  expect(await pairs({ country_id: 0, service_id: 'tg' })).toEqual(['tg 0 13.00'])
  expect(await pairs({ service: 'no such thing' })).toEqual([])
  const paged = await call(t, 'GET /api/v1/price-list', { per_page: 2, page: 2 })
  expect(paged).toMatchObject({ meta: { last_page: 2, total: 3 }, currency: 'rub' })
  expect(paged.data).toHaveLength(1)
})

// Finding E-4: the pages /price, /service, /country and the tables of the documentation search as the panel does.
test('E-4: every list of the catalogue is searched by what people type', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [
    { ...fakeOffer, countryId: 16, operator: 'giffgaff' },
    { ...fakeOffer, countryId: 0 },
    { ...fakeOffer, countryId: 0, serviceCode: 'wa' },
  ])
  const ru = { locale: 'ru' } as const
  const priced = async (service: string, country: string) =>
    (await call(t, 'GET /api/v1/price-list', { service, country }, ru)).data.map(
      (row) => `${row.service.id} ${row.country.id}`,
    )
  expect(await priced('телеграм', '')).toEqual(expect.arrayContaining(['tg 0', 'tg 16']))
  expect(await priced('телега', 'англия')).toEqual(['tg 16'])
  expect(await priced('вотсап', '')).toEqual(['wa 0'])
  expect(await priced('ntktuhfv', 'hjccbz')).toEqual(['tg 0'])
  const listed = async (kind: 'services' | 'countries', search: string) =>
    (await call(t, LIST, { kind, search }, ru)).data.map(({ id }) => id)
  const services = { телега: 'tg', вотсап: 'wa', гугл: 'go', авито: 'ot', telegarm: 'tg' }
  for (const [search, id] of Object.entries(services))
    expect([search, (await listed('services', search))[0]]).toEqual([search, id])
  expect((await listed('countries', 'америка')).toSorted()).toEqual([12, 187])
  expect(await listed('countries', '+380')).toEqual([1])
  const operators = await call(t, 'GET /api/v1/directory/operators', { search: 'giff' }, ru)
  expect(operators.data.map(({ country }) => country.id)).toEqual([16])
  const { services: whole } = await call(t, 'GET /api/services', { load: 'all' }, ru)
  expect(whole.find(({ id }) => id === 'tg')?.also).toContain('телега')
  const { countries } = await call(t, 'GET /api/countries', { load: 'all' }, ru)
  expect(countries.find(({ id }) => id === 16)?.also).toEqual(
    expect.arrayContaining(['United Kingdom', 'gb', '+44', 'англия']),
  )
})

test('E-18: letters are in the order of their alphabets, the Latin one first in either language', async () => {
  await using t = await startTestApp()
  const { letters } = await call(t, LIST, { kind: 'services' }, { locale: 'ru' })
  const latin = letters.filter((letter) => /[a-z]/.test(letter))
  const cyrillic = letters.filter((letter) => /[а-яё]/.test(letter))
  expect(latin.join('')).toBe('abcdefghijklmnopqrstuvwxyz')
  expect(cyrillic.toSorted(new Intl.Collator('ru').compare)).toEqual(cyrillic)
  expect(letters).toEqual(['#', ...latin, ...cyrillic])
})
