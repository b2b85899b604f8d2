import { expect, test } from 'vitest'
import type { StatisticsFilter } from '#contract/past/history.ts'
import { MINUTE } from '#contract/time.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { recordOutcomes } from '#server/core/catalog/offers/outcome-queries.ts'
import { sweepRentals } from '#server/core/numbers/rentals/sweep.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { holdSetting } from '#test/builders/held-row.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { buyCoded } from '#test/builders/statistics-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { rollUp } from './roll-up.ts'

const STATISTICS = 'GET /api/v1/statistics'
const QUALITY = 'GET /api/v1/quality'
const NOTHING = { success_share: null, median_seconds: null, p90_seconds: null }
const EMPTY = { purchases: 0, activations: 0, codes: 0, spent: '0.00', ...NOTHING }

const read = async (t: TestApp, { token }: TestUser, filter: StatisticsFilter = {}) =>
  (await call(t, STATISTICS, filter, { token })).data

test('what was bought is summed by day, service and country once its outcome is known, each once', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const other = await t.makeUser()
  expect((await read(t, buyer)).counted_until).toBe(null)
  await rollUp(t.ctx)
  await buyCoded(t, other, supplier, 1)
  await buyCoded(t, buyer, supplier, 4)
  await buyCoded(t, buyer, supplier, 40)
  const waiting = await buyOne(t, buyer)
  const cancelled = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer)
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token: buyer.token })
  await pushSms(t, supplier, { phone: rental.phone, messageId: 'rented' })
  await call(t, 'POST /api/v1/rentals/{id}/extend', { id: rental.id, period: 24 }, { token: buyer.token })
  expect(await read(t, buyer)).toMatchObject({ total: EMPTY, services: [] })

  t.clock.advance(MINUTE)
  {
    await using mark = await holdSetting(t.database.connectionString, 'outcomes_through')
    const runs = Array.from({ length: 5 }, () => recordOutcomes(t.ctx.db, t.clock.now()))
    await mark.waiters(5)
    await mark.release()
    expect((await Promise.all(runs)).map(({ counted }) => counted).toSorted()).toEqual([0, 0, 0, 0, 4])
  }
  await rollUp(t.ctx)
  const all = await read(t, buyer)
  expect(all).toMatchObject({ currency: 'rub', from: '2026-01-31', to: '2026-03-01' })
  expect(all.counted_until).toBe(t.clock.now().toISOString())
  const activations = {
    purchases: 3,
    activations: 3,
    codes: 2,
    spent: '26.00',
    success_share: 0.667,
    median_seconds: 5,
    p90_seconds: 42,
  }
  const rented = { purchases: 1, activations: 0, codes: 0, spent: '260.00', ...NOTHING }
  expect(all.total).toEqual({ ...activations, purchases: 4, spent: '286.00' })
  expect(all.days).toHaveLength(30)
  expect(all.days.at(-1)).toEqual({ day: '2026-03-01', ...all.total })
  expect(all.days.slice(0, -1).every(({ purchases }) => purchases === 0)).toBe(true)
  expect(all.days[0]).toEqual({ day: '2026-01-31', ...EMPTY })
  expect(all.services).toEqual([
    { id: 'tg', name: 'Telegram', ...activations },
    { id: 'full', name: expect.any(String), ...rented },
  ])
  expect(all.countries).toEqual([{ id: 2, name: 'Казахстан', iso2: 'KZ', ...all.total }])
  expect((await read(t, buyer, { mode: 'rent' })).total).toEqual(rented)
  expect((await read(t, buyer, { services_ids: ['tg'] })).total).toEqual(activations)
  expect((await read(t, buyer, { countries_ids: [7] })).total).toEqual(EMPTY)
  expect((await read(t, other)).total).toMatchObject({ purchases: 1, codes: 1, spent: '13.00' })

  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: waiting.id }, { token: buyer.token })
  t.clock.advance(MINUTE)
  await sweepRentals(t.ctx)
  await rollUp(t.ctx)
  await rollUp(t.ctx)
  expect((await read(t, buyer)).total).toMatchObject({ purchases: 5, codes: 2, spent: '286.00' })
  expect(await count(t.ctx, `outcome_hours WHERE purchases = 5 AND codes = 3`)).toBe(1)
})

test('days are those of the caller’s zone, at most a year and a day of them', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  await t.ctx.db.query({
    text: `INSERT INTO user_hours (user_id, hour, mode, service_code, country_id, purchases, codes, spent_micros, seconds_counts)
      SELECT $1, hour, 'activation', CASE WHEN n % 2 = 0 THEN 'tg' ELSE 'wa' END, n, 10, 5, 1000000, array_fill(1, ARRAY[17])
      FROM unnest('{2026-02-28 20:00Z,2026-02-28 21:00Z,2026-03-01 05:00Z,2025-03-01 00:00Z}'::timestamptz[])
        WITH ORDINALITY AS given (hour, n)`,
    values: [buyer.id],
  })
  const daysOf = async (filter: StatisticsFilter) =>
    (await read(t, buyer, filter)).days
      .filter(({ purchases }) => purchases > 0)
      .map(({ day, purchases }) => [day, purchases])
  expect(await daysOf({})).toEqual([
    ['2026-02-28', 20],
    ['2026-03-01', 10],
  ])
  expect(await daysOf({ time_zone: 'Europe/Moscow' })).toEqual([
    ['2026-02-28', 10],
    ['2026-03-01', 20],
  ])
  expect(await daysOf({ from: '2026-03-01', to: '2026-03-01', time_zone: 'Europe/Moscow' })).toEqual([
    ['2026-03-01', 20],
  ])
  expect(await daysOf({ time_zone: 'America/New_York', to: '2026-02-28' })).toEqual([['2026-02-28', 20]])
  expect(await daysOf({ from: '2025-03-01' })).toHaveLength(3)
  expect((await read(t, buyer, { from: '2025-03-01' })).days).toHaveLength(366)
  const { services, countries } = await read(t, buyer, { from: '2025-03-01' })
  expect(services.map(({ id, purchases }) => [id, purchases])).toEqual([
    ['tg', 20],
    ['wa', 20],
  ])
  expect(countries.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  for (const [field, filter] of Object.entries({
    from: { from: '2025-02-28' },
    time_zone: { time_zone: '../../etc/localtime' },
    to: { to: '2026-13-01' },
    mode: { mode: 'everything' },
  })) {
    expect(Object.keys((await refused(t, STATISTICS, filter, { token: buyer.token })).body.errors ?? {})).toEqual([
      field,
    ])
  }
  expect((await refused(t, STATISTICS, {})).status).toBe(401)
})

test('few days are summed by hour, and any days are compared with as many before, up to the same time of the day', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  await t.ctx.db.query({
    text: `INSERT INTO user_hours (user_id, hour, mode, service_code, country_id, purchases, codes, spent_micros, seconds_counts)
      SELECT $1, hour, 'activation', 'tg', 2, n, n, n * 1000000, array_fill(1, ARRAY[17])
      FROM unnest('{2026-03-01 10:00Z,2026-03-01 11:00Z,2026-02-28 05:00Z,2026-02-28 13:00Z,2026-02-27 05:00Z}'::timestamptz[])
        WITH ORDINALITY AS given (hour, n)`,
    values: [buyer.id],
  })
  // The test's clock stands at 12:00 UTC of 1 March 2026.
  const today = await read(t, buyer, { from: '2026-03-01' })
  expect(today.hours).toHaveLength(24)
  expect(today.hours?.slice(9, 13).map(({ at, purchases }) => [at, purchases])).toEqual([
    ['2026-03-01T09:00:00.000Z', 0],
    ['2026-03-01T10:00:00.000Z', 1],
    ['2026-03-01T11:00:00.000Z', 2],
    ['2026-03-01T12:00:00.000Z', 0],
  ])
  expect(today.days).toEqual([{ day: '2026-03-01', ...today.total }])
  expect(today.before).toMatchObject({ from: '2026-02-28', to: '2026-02-28', total: { purchases: 3, spent: '3.00' } })
  expect(today.before.hours?.map(({ purchases }) => purchases)).toEqual(
    Array.from({ length: 12 }, (_, hour) => (hour === 5 ? 3 : 0)),
  )
  t.clock.advance(MINUTE)
  // The hour under way is compared with a whole one.
  expect((await read(t, buyer, { from: '2026-03-01' })).before.hours).toHaveLength(13)
  const closed = await read(t, buyer, { from: '2026-02-28', to: '2026-02-28' })
  expect(closed.total.purchases).toBe(7)
  expect(closed.before.total.purchases).toBe(5)
  const four = await read(t, buyer, { from: '2026-02-26', to: '2026-03-01' })
  expect(four.hours).toBeNull()
  expect(four.before).toMatchObject({ from: '2026-02-22', to: '2026-02-25', hours: null, total: EMPTY })
  expect(four.before.days).toHaveLength(4)
})

test('the hours of a day are those of its zone, also where the clocks change', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser()
  const hoursOf = async (from: string) =>
    (await read(t, buyer, { from, to: from, time_zone: 'America/New_York' })).hours?.map(({ at }) => at)
  expect(await hoursOf('2025-03-09')).toHaveLength(23)
  const long = await hoursOf('2025-11-02')
  expect(long).toHaveLength(25)
  expect([long?.[0], long?.at(-1)]).toEqual(['2025-11-02T04:00:00.000Z', '2025-11-03T04:00:00.000Z'])
})

test('quality is public, of all suppliers of an operator together, in stock or not, from a minimum sample on', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const insert = (supplierId: number, operator: string, purchases: number, codes: number, more: object = {}) => {
    const of = { service: 'tg', country: 2, hour: '2026-03-01 11:00Z', ...more }
    return t.ctx.db.query({
      text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
        VALUES ($hour, $supplierId, $service, $country, $operator, $purchases, $codes,
          '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'::integer[] || '{}')`,
      values: { ...of, supplierId, operator, purchases, codes },
    })
  }
  await insert(supplier.id, 'altel', 6, 3)
  await insert(supplier.id + 1, 'altel', 4, 4)
  await insert(supplier.id, 'altel', 1000, 0, { hour: '2026-02-22 11:00Z' })
  await insert(supplier.id, 'beeline', 9, 9)
  await insert(supplier.id, 'gone', 40, 0, { service: 'wa', country: 7 })
  await insert(supplier.id, 'kcell', 20, 20, { service: 'wa' })
  await loadCatalog(t.ctx)
  const rowsOf = async (filter: object = {}) =>
    (await call(t, QUALITY, filter)).data.map((row) =>
      [row.service_id, row.country_id, row.operator, row.purchases, row.success_share].join(' '),
    )
  const telegram = 'tg 2 altel 10 0.7'
  const all = await rowsOf()
  expect(all.toSorted()).toEqual([telegram, 'wa 2 kcell 20 1', 'wa 7 gone 40 0'])
  expect(await rowsOf({ service_id: 'tg' })).toEqual([telegram])
  expect((await rowsOf({ country_id: 2 })).toSorted()).toEqual([telegram, 'wa 2 kcell 20 1'])
  expect(await rowsOf({ service_id: 'nosuch' })).toEqual([])
  const second = await call(t, QUALITY, { page: 2, per_page: 2 })
  expect(second).toMatchObject({ days: 7, minimum_sample: 10, meta: { last_page: 2, total: 3 } })
  expect(second.data.map(({ operator }) => operator)).toEqual([all[2]?.split(' ')[2]])
  await t.ctx.db.query({ text: `UPDATE services SET blocked_at = now() WHERE code = 'wa'` })
  await loadCatalog(t.ctx)
  expect(await rowsOf()).toEqual([telegram])
  await insert(supplier.id, 'silent', 20, 0)
  await insert(supplier.id, 'steady', 20, 19)
  await loadCatalog(t.ctx)
  const better = (await call(t, QUALITY, {})).data.map((row) => [row.operator, row.better?.operator ?? null])
  expect(better).toEqual([
    ['altel', null],
    ['silent', 'steady'],
    ['steady', null],
  ])
})
