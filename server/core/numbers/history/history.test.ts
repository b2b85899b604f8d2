import { expect, test } from 'vitest'
import type { HistoryFilter } from '#contract/past/history.ts'
import { MINUTE } from '#contract/time.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { buyOne, expectBooksRight, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const HISTORY = 'GET /api/v1/history'

const read = async (t: TestApp, { token }: { token: string }, filter: HistoryFilter = {}) =>
  (await call(t, HISTORY, filter, { token })).history

const idsOf = async (t: TestApp, user: TestUser, filter: HistoryFilter = {}) =>
  (await read(t, user, filter)).data.map(({ id }) => id)

async function walk(t: TestApp, user: TestUser, filter: HistoryFilter): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await read(t, user, { ...filter, ...(cursor !== undefined && { cursor }) })
    ids.push(...data.map(({ id }) => id))
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

/** Inserts sixteen ended activations and eight rentals at the same four times, so only ids tell them apart. */
async function addMany(t: TestApp, user: TestUser): Promise<void> {
  const at = t.clock.now()
  await t.ctx.db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
        phone, channel, created_at, expires_at, outcome_at, ended_at)
      SELECT $1, CASE WHEN n % 2 = 0 THEN 'tg' ELSE 'wa' END, 2, 'altel', 'expired', 'released', 13000000, 'rub',
        (SELECT min(id) FROM suppliers), '7701000' || n, 'site', made, made, made, made
      FROM generate_series(1, 16) n, LATERAL (SELECT $2::timestamptz + (n % 4) * interval '1 second' AS made) times`,
    values: [user.id, at],
  })
  await t.ctx.db.query({
    text: `WITH rented AS (
        INSERT INTO rentals (user_id, service_code, country_id, state, hours, supplier_id, cost_limit_micros, phone, channel,
          created_at, cancel_until, expires_at, ended_at)
        SELECT $1, 'full', 2, 'cancelled', 24, (SELECT min(id) FROM suppliers), 1, '7702000' || n, 'site', made, made, made, made
        FROM generate_series(1, 8) n, LATERAL (SELECT $2::timestamptz + (n % 4) * interval '1 second' AS made) times
        RETURNING id, user_id, created_at
      )
      INSERT INTO charges (user_id, purpose, rental_id, hours, price_micros, currency, money, created_at, settled_at)
      SELECT user_id, 'rental', id, 24, 130000000, 'rub', 'released', created_at, created_at FROM rented`,
    values: [user.id, at],
  })
}

test('the history tells what was bought and what it cost in the end, activations and rentals together', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const other = await t.makeUser()
  await buyOne(t, other)
  const coded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: coded.phone })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: coded.id }, { token: buyer.token })
  t.clock.advance(MINUTE)
  const cancelled = await buyOne(t, buyer)
  const refunded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: refunded.phone, messageId: 'refunded' })
  await refundActivation(t.ctx.db, { activationId: BigInt(refunded.id), at: t.clock.now() })
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token: buyer.token })
  const rental = await rentOne(t, buyer)
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: buyer.token })

  const { data, meta } = await read(t, buyer)
  expect(data.map(({ id, mode, outcome, price, paid }) => [id, mode, outcome, price, paid])).toEqual([
    [rental.id, 'rent', 'active', '130.00', '130.00'],
    [refunded.id, 'activation', 'returned', '13.00', '0.00'],
    [cancelled.id, 'activation', 'returned', '13.00', '0.00'],
    [coded.id, 'activation', 'received', '13.00', '13.00'],
  ])
  expect(data.map(({ money }) => money)).toEqual(['held', 'captured', 'released', 'captured'])
  expect(meta).toEqual({ next_cursor: null })
  expect(data.at(-1)).toEqual({
    id: coded.id,
    mode: 'activation',
    state: 'finished',
    outcome: 'received',
    price: '13.00',
    paid: '13.00',
    refunded: null,
    money: 'captured',
    service: { id: 'tg', name: 'Telegram' },
    country: { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' },
    operator: 'altel',
    phone: coded.phone,
    currency: 'rub',
    hours: null,
    code: '48213',
    messages_count: 1,
    can_repeat: false,
    created_at: '2026-03-01T12:00:00.000Z',
    ended_at: '2026-03-01T12:00:00.000Z',
  })
  expect(data[0]).toMatchObject({ hours: 24, phone: rental.phone, service: { id: 'full' }, can_repeat: false })
  expect(await idsOf(t, buyer, { outcome: 'returned' })).toEqual([refunded.id, cancelled.id])
  expect(await idsOf(t, buyer, { outcome: 'active' })).toEqual([rental.id])
  expect(await idsOf(t, buyer, { outcome: 'received', mode: 'rent' })).toEqual([])
  expect(await idsOf(t, buyer, { mode: 'rent' })).toEqual([rental.id])
  expect(await idsOf(t, buyer, { services_ids: ['tg'] })).toEqual([refunded.id, cancelled.id, coded.id])
  expect(await idsOf(t, buyer, { countries_ids: [7] })).toEqual([])
  expect(await idsOf(t, buyer, { search: String(coded.id) })).toEqual([coded.id])
  expect(await idsOf(t, buyer, { search: `#${rental.id}` })).toEqual([rental.id])
  expect(await idsOf(t, buyer, { search: `+${coded.phone}` })).toEqual([coded.id])
  expect(await idsOf(t, buyer, { search: coded.phone.slice(-4) })).toEqual([coded.id])
  expect(await idsOf(t, buyer, { search: 'телеграм' })).toEqual([])
  expect(await idsOf(t, buyer, { search: 'TELEGR' })).toEqual([refunded.id, cancelled.id, coded.id])
  expect(await idsOf(t, buyer, { search: 'казах' })).toHaveLength(4)
  expect(await idsOf(t, buyer, { search: `%' OR 1=1 --` })).toEqual([])
  expect(await idsOf(t, buyer, { search: String(coded.id - 1) })).toEqual([])
  expect((await refused(t, HISTORY, {})).body.code).toBe('UNAUTHENTICATED')
  await expectBooksRight(t.ctx)
})

test('pages follow each other without a gap or a repeat, while more is bought', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '1000.00' })
  await addMany(t, buyer)
  const all = await idsOf(t, buyer, { per_page: 100 })
  expect(all).toHaveLength(24)
  expect(new Set(all).size).toBe(24)
  for (const per_page of [1, 5, 23, 24]) expect(await walk(t, buyer, { per_page })).toEqual(all)
  expect(await walk(t, buyer, { per_page: 3, services_ids: ['tg'] })).toEqual(
    all.filter((id) => id < 500_000_000 && id % 2 === 0),
  )
  const { meta } = await read(t, buyer, { per_page: 10 })
  t.clock.advance(MINUTE)
  await buyOne(t, buyer)
  const second = await idsOf(t, buyer, { per_page: 10, ...(meta.next_cursor !== null && { cursor: meta.next_cursor }) })
  expect(second).toEqual(all.slice(10, 20))
  for (const cursor of ['0', '1.2.3', 'x.1', "1'.1", '9'.repeat(40)]) {
    expect(Object.keys((await refused(t, HISTORY, { cursor }, { token: buyer.token })).body.errors ?? {})).toEqual([
      'cursor',
    ])
  }
})

test('days are those of the caller, from midnight to midnight', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  for (const at of ['2026-03-01T12:00:00Z', '2026-03-01T21:00:00Z', '2026-03-02T20:59:59.999Z']) {
    await t.ctx.db.query({
      text: `INSERT INTO activations (user_id, service_code, country_id, state, money, price_micros, currency, supplier_id, phone,
          channel, created_at, expires_at, ended_at)
        VALUES ($1, 'tg', 2, 'expired', 'released', 1, 'rub', (SELECT min(id) FROM suppliers), '7', 'site', $2, $2, $2)`,
      values: [buyer.id, at],
    })
  }
  const [, , first = 0] = await idsOf(t, buyer)
  const moscow = { time_zone: 'Europe/Moscow' }
  const countOf = async (filter: HistoryFilter) => (await idsOf(t, buyer, filter)).length
  expect(await countOf({ from: '2026-03-01', to: '2026-03-01' })).toBe(2)
  expect(await countOf({ from: '2026-03-01', to: '2026-03-01', ...moscow })).toBe(1)
  expect(await countOf({ from: '2026-03-02', to: '2026-03-02', ...moscow })).toBe(2)
  expect(await countOf({ from: '2026-03-02' })).toBe(1)
  expect(await countOf({ to: '2026-03-02' })).toBe(3)
  expect(await countOf({ to: '2026-02-28' })).toBe(0)
  expect(await countOf({ from: '0001-01-01', to: '9999-12-31', time_zone: 'Pacific/Kiritimati' })).toBe(3)
  expect(await countOf({ to: '2026-02-28', search: String(first) })).toBe(0)
  expect(await countOf({ from: '2026-03-01', search: String(first) })).toBe(1)
  for (const [field, filter] of Object.entries({
    time_zone: { time_zone: 'Mars/Olympus' },
    from: { from: '2026-03-02', to: '2026-03-01' },
    to: { to: '2026-02-30' },
  })) {
    const { status, body } = await refused(t, HISTORY, filter, { token: buyer.token })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
  }
})
