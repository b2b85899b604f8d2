import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { recordOutcomes } from '#server/core/catalog/offers/outcome-queries.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { refundCharges } from '#server/house/money/refund-charges.ts'
import { buyOne, count, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, later, rentOne } from '#test/builders/rental-rows.ts'
import { buyCoded, expectStatisticsRight } from '#test/builders/statistics-rows.ts'
import { call } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { rollUp } from './roll-up.ts'

const read = async (t: TestApp, { token }: TestUser) => (await call(t, 'GET /api/v1/statistics', {}, { token })).data

const runMigration = async (t: TestApp, name: string) =>
  t.ctx.db.query({ text: await readFile(new URL(`../../../../migrations/${name}.sql`, import.meta.url), 'utf8') })

// M-3: outcomes used to be marked by time, so outcomes after a set-back of the clock were never counted.
test('M-3: what came after the clock was set back is counted, and nothing twice', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  await buyCoded(t, buyer, supplier, 4)
  await rollUp(t.ctx)
  t.clock.advance(-10 * MINUTE)
  await buyCoded(t, buyer, supplier, 4)
  const rental = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone: rental.phone, messageId: 'rented' })
  await rollUp(t.ctx)
  t.clock.advance(20 * MINUTE)
  await rollUp(t.ctx)
  expect((await read(t, buyer)).total).toMatchObject({ purchases: 3, activations: 2, codes: 2 })
  expect(await count(t.ctx, `outcome_hours WHERE purchases = 1 AND codes = 1`)).toBe(2)
  await expectStatisticsRight(t.ctx)
})

// M-5: refunded money used to remain in the sum of spending.
test('M-5: what was refunded is not spent any more, in the hour of its sale, and counts as a purchase all the same', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  await buyCoded(t, buyer, supplier, 4)
  const rental = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone: rental.phone, messageId: 'rented' })
  await call(t, 'POST /api/v1/rentals/{id}/extend', { id: rental.id, period: 24 }, { token: buyer.token })
  await rollUp(t.ctx)
  const spent = async () => (await read(t, buyer)).total.spent
  expect(await spent()).toBe('273.00')

  await later(t, buyer, 30 * HOUR)
  const at = t.clock.now()
  expect(await refundCharges(t.ctx.db, { of: { rentalId: BigInt(rental.id) }, at })).toMatchObject({
    outcome: 'refunded',
  })
  await rollUp(t.ctx)
  expect(await spent()).toBe('13.00')
  await buyCoded(t, buyer, supplier, 4)
  const { rows } = await t.ctx.db.query<{ id: bigint }>({ text: 'SELECT id FROM activations ORDER BY id' })
  for (const { id } of rows) await refundActivation(t.ctx.db, { activationId: id, at })
  await rollUp(t.ctx)
  const { total, days } = await read(t, buyer)
  expect(total).toMatchObject({ purchases: 3, activations: 2, codes: 2, success_share: 1, spent: '0.00' })
  expect(days.map((day) => day.spent)).toEqual(days.map(() => '0.00'))
  await expectStatisticsRight(t.ctx)
})

test('M-5: the sums of before are made anew, without what was refunded and with what a clock kept out of them', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  await buyCoded(t, buyer, supplier, 4)
  const cancelled = await buyOne(t, buyer)
  const rental = await rentOne(t, buyer)
  await pushSms(t, supplier, { phone: rental.phone, messageId: 'rented' })
  t.clock.advance(2 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token: buyer.token })
  await refundCharges(t.ctx.db, { of: { rentalId: BigInt(rental.id) }, at: t.clock.now() })
  await rollUp(t.ctx)
  await t.ctx.db.query({ text: 'UPDATE user_hours SET spent_micros = spent_micros + 1, seconds_counts[1] = 9' })
  await t.ctx.db.query({ text: `DELETE FROM user_hours WHERE mode = 'rent'` })
  await buyCoded(t, buyer, supplier, 4)
  await runMigration(t, '0090_spent_without_refunds')
  expect((await read(t, buyer)).total).toMatchObject({ purchases: 3, codes: 1, spent: '13.00', median_seconds: 4 })
  await expectStatisticsRight(t.ctx)
})

test('what was counted up to a time is not counted again when transfers are counted instead', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  await buyCoded(t, buyer, supplier, 4)
  await rollUp(t.ctx)
  const { rows } = await t.ctx.db.query({
    text: `UPDATE settings SET value = to_jsonb($1::timestamptz) WHERE key = 'outcomes_until' RETURNING key`,
    values: [t.clock.now()],
  })
  expect(rows).toHaveLength(1)
  await t.ctx.db.query({ text: `DELETE FROM settings WHERE key = 'outcomes_through'` })
  t.clock.advance(MINUTE)
  await buyCoded(t, buyer, supplier, 4)
  await runMigration(t, '0089_outcomes_by_transfer')
  await rollUp(t.ctx)
  expect((await read(t, buyer)).total).toMatchObject({ purchases: 2, codes: 2 })
})

test('an outcome whose transaction is not committed yet is counted when it is', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  await buyCoded(t, buyer, supplier, 1)
  const waiting = await buyOne(t, buyer)
  const held = Promise.withResolvers<void>()
  const took = Promise.withResolvers<void>()
  const slow = transaction(t.ctx.db, async (tx) => {
    await tx.query({
      text: `WITH ended AS (
          UPDATE activations SET state = 'cancelled', money = 'released', ended_at = $2, outcome_at = $2 WHERE id = $1 RETURNING *
        ), moved AS (
          UPDATE accounts SET available_micros = available_micros + price_micros, held_micros = held_micros - price_micros
          FROM ended WHERE accounts.user_id = ended.user_id
        )
        INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
        SELECT 'release', user_id, 'held', 'available', price_micros, currency, id, $2 FROM ended`,
      values: [waiting.id, t.clock.now()],
    })
    took.resolve()
    await held.promise
  })
  await took.promise
  await buyCoded(t, await t.makeUser({ balance: '1000.00' }), supplier, 1)
  let looks = 0
  const watched: Db = {
    query(query) {
      // The slow transaction continues after the roll-up has queried pg_locks twice.
      if (query.text.includes('pg_locks') && ++looks === 2) held.resolve()
      return t.ctx.db.query(query)
    },
  }
  await Promise.all([slow, recordOutcomes(watched, t.clock.now())])
  await rollUp(t.ctx)
  expect((await read(t, buyer)).total).toMatchObject({ purchases: 2, codes: 1 })
  expect(await count(t.ctx, `outcome_hours WHERE purchases = 3 AND codes = 2`)).toBe(1)
})

test('however much is to be counted, one statement counts so much that it is not cut off, and nothing is left', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  await buyCoded(t, buyer, supplier, 4)
  for (const id of [60_000, 175_000]) {
    await t.ctx.db.query({ text: `SELECT setval(pg_get_serial_sequence('transfers', 'id'), $1)`, values: [id] })
    await buyCoded(t, buyer, supplier, 4)
  }
  const ends: bigint[] = []
  const watched: Db = {
    query(query) {
      const { values = {} } = query
      if ('through' in values) ends.push(BigInt(String(values.through)))
      return t.ctx.db.query(query)
    },
  }
  const { counted, pairs } = await recordOutcomes(watched, t.clock.now())
  expect({ counted, pairs }).toEqual({ counted: 3, pairs: [{ userId: buyer.id, serviceCode: 'tg', countryId: 2 }] })
  expect(ends).toEqual([50_000n, 100_000n, 150_000n, 175_002n])
  await expectStatisticsRight(t.ctx)
})

test('one account that cancels for nothing moves a shown share by four misses a week, and by nine for each code it paid for', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const makeBuyer = async () => {
    const user = await t.makeUser({ balance: '1000.00' })
    return { ...user, token: await t.makeApiKey(user) }
  }
  const [honest, thief] = [await makeBuyer(), await makeBuyer()]
  const miss = async (user: TestUser, times: number) => {
    for (let n = 0; n < times; n += 1) {
      const { id } = await buyOne(t, user)
      t.clock.advance(2 * MINUTE)
      await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, { token: user.token })
    }
  }
  const counted = async () => {
    await rollUp(t.ctx)
    await expectStatisticsRight(t.ctx)
    const { rows } = await t.ctx.db.query({
      text: 'SELECT sum(purchases)::integer AS purchases, sum(codes)::integer AS codes FROM outcome_hours',
    })
    return rows[0]
  }
  for (let n = 0; n < 8; n += 1) await buyCoded(t, honest, supplier, 1)
  await miss(honest, 2)
  await miss(thief, 3)
  expect(await counted()).toEqual({ purchases: 13, codes: 8 })
  await miss(thief, 5)
  expect(await counted()).toEqual({ purchases: 14, codes: 8 })
  expect((await call(t, 'GET /api/v1/quality', {})).data).toMatchObject([{ purchases: 14, success_share: 0.571 }])
  const { token } = await beginTestSession(t.ctx, thief.id)
  expect((await read(t, { ...thief, token })).total).toMatchObject({ purchases: 8, codes: 0 })
  await buyCoded(t, thief, supplier, 1)
  await miss(thief, 7)
  expect(await counted()).toEqual({ purchases: 20, codes: 9 })
  t.clock.advance(7 * DAY)
  await miss(thief, 5)
  expect(await counted()).toEqual({ purchases: 24, codes: 9 })
})
