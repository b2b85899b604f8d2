import { expect, test } from 'vitest'
import type { MovementsFilter } from '#contract/past/history.ts'
import { MINUTE } from '#contract/time.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { buyOne, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const MOVEMENTS = 'GET /api/v1/movements'

const read = async (t: TestApp, { token }: TestUser, filter: MovementsFilter = {}) =>
  (await call(t, MOVEMENTS, filter, { token })).movements

async function walk(t: TestApp, user: TestUser, filter: MovementsFilter) {
  const rows: string[] = []
  let cursor: string | undefined
  do {
    const { data, meta } = await read(t, user, { ...filter, ...(cursor !== undefined && { cursor }) })
    rows.push(...data.map(({ kind, amount, balance }) => `${kind} ${amount} = ${balance}`))
    cursor = meta.next_cursor ?? undefined
  } while (cursor !== undefined)
  return rows
}

test('every change of the balance is told with the balance it left, whatever the page begins with', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '300.00' })
  const other = await t.makeUser()
  const coded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: coded.phone })
  await buyOne(t, other)
  const cancelled = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer)
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token: buyer.token })
  await refundActivation(t.ctx.db, { activationId: BigInt(coded.id), at: t.clock.now() })
  await call(t, 'POST /api/v1/rentals/{id}/cancel', { id: rental.id }, { token: buyer.token })
  const adjust = { userId: buyer.id, amountMicros: -50_500_000n, idempotencyKey: 'fee', at: t.clock.now() }
  await adjustBalance(t.ctx.db, adjust)

  const all = [
    'debit -50.50 = 249.50',
    'release 130.00 = 300.00',
    'refund 13.00 = 170.00',
    'release 13.00 = 157.00',
    'hold -130.00 = 144.00',
    'hold -13.00 = 274.00',
    'hold -13.00 = 287.00',
    'credit 300.00 = 300.00',
  ]
  for (const per_page of [1, 3, 8, 100]) expect(await walk(t, buyer, { per_page })).toEqual(all)
  const { data: told } = await read(t, buyer, { per_page: 100 })
  const holds = told.filter(({ kind }) => kind === 'hold').map(({ subject }) => subject?.money)
  expect(holds).toEqual(['released', 'released', 'captured'])
  const isIn = (row: string) => !row.includes(' -')
  for (const per_page of [1, 2, 100]) {
    expect(await walk(t, buyer, { per_page, direction: 'in' })).toEqual(all.filter(isIn))
    expect(await walk(t, buyer, { per_page, direction: 'out' })).toEqual(all.filter((row) => !isIn(row)))
  }
  expect((await moneyOf(t, buyer)).balance).toBe('249.50')
  const { data } = await read(t, buyer)
  const kazakhstan = { id: 2, name: 'Казахстан', iso2: 'KZ', dial: '7' }
  expect(data[4]).toEqual({
    id: data[4]?.id,
    kind: 'hold',
    amount: '-130.00',
    balance: '144.00',
    currency: 'rub',
    subject: {
      purpose: 'rental',
      id: rental.id,
      money: 'released',
      service: expect.objectContaining({ id: 'full' }),
      country: kazakhstan,
    },
    payment: null,
    at: '2026-03-01T12:00:00.000Z',
  })
  expect(data[6]?.subject).toMatchObject({
    purpose: 'activation',
    id: coded.id,
    service: { id: 'tg', name: 'Telegram' },
  })
  expect([data[0]?.subject, data[7]?.subject]).toEqual([null, null])
  const first = await read(t, buyer, { per_page: 2 })
  await buyOne(t, buyer)
  const cursor = first.meta.next_cursor ?? ''
  expect((await read(t, buyer, { per_page: 1, cursor })).data[0]).toMatchObject({ kind: 'refund', balance: '170.00' })
  // S-15: a forged balance in the cursor used to appear in every line of the file that began at that cursor.
  const forged = cursor.replace(/\.\d+\./, '.999000000.')
  expect(forged).not.toBe(cursor)
  const stranger = await t.makeUser()
  await refused(t, MOVEMENTS, { cursor }, { token: stranger.token })
  for (const wrong of ['0', '1.2.3', 'x.1', `1'.1`, '-5.1', '9'.repeat(40), forged, cursor.slice(0, -23)]) {
    const { body } = await refused(t, MOVEMENTS, { cursor: wrong }, { token: buyer.token })
    expect(Object.keys(body.errors ?? {})).toEqual(['cursor'])
  }
})

test('days of long ago begin with the balance of then', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser({ balance: '1000.00' })
  // Inserts hourly credits of 1.00 for the 100 hours before noon of 1 March, and a credit of another user beside each.
  const other = await t.makeUser({ balance: '0' })
  await t.ctx.db.query({
    text: `INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, at)
      SELECT 'credit', whose, 'adjustments', 'available', 1000000, 'rub', $2::timestamptz - (100 - n) * interval '1 hour'
      FROM generate_series(1, 100) n, unnest($1::integer[]) AS whose ORDER BY n`,
    values: [[buyer.id, other.id], t.clock.now()],
  })
  await t.ctx.db.query({
    text: 'UPDATE accounts SET available_micros = available_micros + 100000000 WHERE user_id = ANY ($1)',
    values: [[buyer.id, other.id]],
  })
  const balancesOf = async (filter: MovementsFilter) => (await walk(t, other, filter)).map((row) => row.split(' = ')[1])
  const whole = await balancesOf({ per_page: 100 })
  expect([whole.length, whole[0], whole[99]]).toEqual([100, '100.00', '1.00'])
  // On 27 February the user got credits 42 to 65, because the hundredth credit came at noon of 1 March.
  const day = { from: '2026-02-27', to: '2026-02-27' }
  const expected = Array.from({ length: 24 }, (_, place) => `${63 - place}.00`)
  for (const per_page of [7, 100]) expect(await balancesOf({ ...day, per_page })).toEqual(expected)
  expect(await balancesOf({ ...day, direction: 'out' })).toEqual([])
  expect((await balancesOf({ to: '2026-02-27', per_page: 100 })).slice(0, 2)).toEqual(['63.00', '62.00'])
  expect(await balancesOf({ to: '2025-02-27' })).toEqual([])
  expect((await balancesOf({ from: '2026-03-01', per_page: 100 })).at(-1)).toBe('88.00')
  const moscow = { ...day, time_zone: 'Europe/Moscow', per_page: 100 }
  expect((await balancesOf(moscow))[0]).toBe('60.00')
})

test('three readings of one user at once, and no fourth; another user waits and is served', async () => {
  await using t = await startTestApp()
  const [user, other] = [await t.makeUser(), await t.makeUser()]
  const ask = ({ token }: TestUser) => t.fetch('/api/v1/movements', { token })
  const readings: Promise<Response>[] = []
  await transaction(t.ctx.db, async (tx) => {
    // Every reading of movements joins this table, so the lock keeps all of them running.
    await tx.query({ text: 'LOCK TABLE rentals IN ACCESS EXCLUSIVE MODE' })
    readings.push(...Array.from({ length: 4 }, () => ask(user)))
    expect((await Promise.race(readings)).status).toBe(429)
    readings.push(ask(other))
  })
  const statuses = (await Promise.all(readings)).map(({ status }) => status)
  expect([statuses.slice(0, 4).toSorted(), statuses[4]]).toEqual([[200, 200, 200, 429], 200])
  expect((await ask(user)).status).toBe(200)
})
