import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { rawRequest } from '#test/harness/raw-request.ts'

const LIST = 'GET /api/v1/price-list'
const PAGE = 'GET /api/v1/directory/{kind}/{slug}'

/** Stores outcomes of an hour. The codes took `seconds`, 3 … 5 for `fast` and 45 … 60 for `slow`. */
async function measure(
  t: TestApp,
  of: { supplierId: number; service?: string; country: number; codes: number; hoursAgo?: number; isSlow?: boolean },
): Promise<void> {
  const { supplierId, service = 'tg', country, codes, hoursAgo = 1, isSlow = false } = of
  await t.ctx.db.query({
    text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
      SELECT date_trunc('hour', $at::timestamptz, 'UTC'), $supplierId, $service, $country, 'altel', 100, $codes::integer,
        array_fill(0, ARRAY[$place::integer]) || $codes::integer || array_fill(0, ARRAY[16 - $place::integer])`,
    values: {
      at: new Date(t.clock.now().getTime() - hoursAgo * HOUR),
      supplierId,
      service,
      country,
      codes,
      place: isSlow ? 9 : 3,
    },
  })
}

async function addMeasured(t: TestApp): Promise<number> {
  const { id: supplierId } = await t.addFake('one', [
    { ...fakeOffer, countryId: 2, costMicros: 30_000_000n, stock: 5 },
    { ...fakeOffer, countryId: 0, costMicros: 10_000_000n, stock: 7 },
    { ...fakeOffer, countryId: 6, costMicros: 20_000_000n, stock: 9 },
    { ...fakeOffer, countryId: 2, serviceCode: 'wa', costMicros: 40_000_000n, stock: 1 },
  ])
  await measure(t, { supplierId, country: 2, codes: 95 })
  await measure(t, { supplierId, country: 0, codes: 79, isSlow: true })
  await loadCatalog(t.ctx)
  return supplierId
}

test('N-8: the price list is sorted by each figure, and a least share leaves out what has less or none', async () => {
  await using t = await startTestApp()
  await addMeasured(t)
  const countries = async (filter: object) =>
    (await call(t, LIST, { service_id: 'tg', per_page: 250, ...filter }, { locale: 'en' })).data.map(
      ({ country }) => country.id,
    )
  expect(await countries({ sort: 'price' })).toEqual([0, 6, 2])
  expect(await countries({ sort: 'share' })).toEqual([2, 0, 6])
  expect(await countries({ sort: 'time' })).toEqual([2, 0, 6])
  expect(await countries({ sort: 'stock' })).toEqual([6, 0, 2])
  expect(await countries({ sort: 'name' })).toEqual([6, 2, 0])
  expect(await countries({ sort: 'price', min_share: 79 })).toEqual([0, 2])
  expect(await countries({ sort: 'price', min_share: 80 })).toEqual([2])
  expect(await countries({ min_share: 0 })).toHaveLength(3)
  for (const filter of [{ sort: 'cost' }, { min_share: 101 }, { per_page: 251 }, { min_share: '1.5' }])
    expect((await refused(t, LIST, filter)).body.code).toBe('INVALID_INPUT')
  // Sorting the prices of everything would hold everybody up.
  const all = await refused(t, LIST, { sort: 'price' })
  expect([all.body.code, Object.keys(all.body.errors ?? {})]).toEqual(['INVALID_INPUT', ['service_id']])
})

test('the file has what the list has, is cached as bytes, and is made anew with another price', async () => {
  await using t = await startTestApp()
  const supplierId = await addMeasured(t)
  const get = (query: string, headers: Record<string, string> = {}) =>
    rawRequest(t.app, {
      path: `/api/v1/price-list.csv?${query}`,
      headers: { 'accept-encoding': 'identity', locale: 'en', ...headers },
    })
  const inFront = () => t.ctx.metrics.cachedReplies.count
  const first = await get('service_id=tg&sort=price&min_share=50')
  expect(first.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(parse(first.body, { bom: true, columns: true })).toEqual([
    expect.objectContaining({ 'Country ID': '0', Price: '13.00', Currency: 'RUB', 'In stock': '7', 'Codes, %': '79' }),
    expect.objectContaining({ 'Country ID': '2', Country: 'Kazakhstan', Price: '39.00', 'Codes, %': '95' }),
  ])
  const again = await get('service_id=tg&sort=price&min_share=50')
  expect([again.body === first.body, inFront()]).toEqual([true, 0])
  // Only the file of all prices is cached, because files of one service would fill the cache.
  const all = await get('')
  expect((await get('')).body).toBe(all.body)
  expect(inFront()).toBe(1)
  const known = await get('', { 'if-none-match': String(all.headers.etag) })
  expect([known.statusCode, known.body]).toEqual([304, ''])
  catalogOf(t.ctx).setOffers(supplierId, [{ ...fakeOffer, countryId: 2, costMicros: 50_000_000n }])
  for (const query of ['service_id=tg&sort=price&min_share=50', '']) expect((await get(query)).body).toContain('65.00')
  const people = await get('service_id=tg&for=people', { locale: 'ru' })
  expect(people.body.split('\r\n')[1]).toMatch(/^tg;Telegram;2;Казахстан;65,00;RUB;/)
  const none = await get('service_id=none')
  expect([none.statusCode, none.headers['content-type'], none.body.split('\r\n')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    [expect.stringContaining('Service ID'), ''],
  ])
  await get('service_id=none')
  expect(inFront()).toBe(1)
})

test('a name that a spreadsheet would run as a formula is disarmed in the file', async () => {
  await using t = await startTestApp()
  await addMeasured(t)
  await t.ctx.db.query({ text: `UPDATE services SET name_en = '=cmd|calc, "x"' WHERE code = 'tg'` })
  await loadCatalog(t.ctx)
  const { body } = await rawRequest(t.app, {
    path: '/api/v1/price-list.csv?service_id=tg&country_id=2',
    headers: { 'accept-encoding': 'identity', locale: 'en' },
  })
  expect(body).toContain(`tg,"'=cmd|calc, ""x""",2,Kazakhstan`)
})

test('requests for the file count against the limit of calls', async () => {
  await using t = await startTestApp({ config: { apiRequestsPerSecond: 1 } })
  const get = () => rawRequest(t.app, { path: '/api/v1/price-list.csv?service_id=tg' })
  const statuses = [(await get()).statusCode, (await get()).statusCode, (await get()).statusCode]
  expect(statuses).toEqual([200, 200, 429])
})

test('the page of a service has its codes by hour, unless there were few', async () => {
  await using t = await startTestApp()
  const { id: supplierId } = await t.addFake('one', [{ ...fakeOffer }, { ...fakeOffer, serviceCode: 'wa' }])
  await measure(t, { supplierId, country: 2, codes: 30, hoursAgo: 0 })
  await measure(t, { supplierId, country: 0, codes: 4, hoursAgo: 0 })
  await measure(t, { supplierId, country: 2, codes: 7, hoursAgo: 23 })
  await measure(t, { supplierId, country: 2, codes: 90, hoursAgo: 25 })
  await measure(t, { supplierId, service: 'wa', country: 2, codes: 9 })
  const codesOf = async (kind: 'services' | 'countries', slug: string) =>
    (await call(t, PAGE, { kind, slug })).data.codes_by_hour
  const telegram = await codesOf('services', 'telegram')
  // 7 codes of 34 in the best hour.
  expect([telegram.length, telegram[0], telegram.at(-1)]).toEqual([24, 21, 100])
  expect(await codesOf('services', 'whatsapp')).toEqual([])
  expect(await codesOf('countries', 'kazakhstan')).toEqual([])
  await measure(t, { supplierId, service: 'wa', country: 0, codes: 9 })
  expect(await codesOf('services', 'whatsapp')).toEqual([])
  t.clock.advance(6 * MINUTE)
  expect(await codesOf('services', 'whatsapp')).toHaveLength(24)
})
