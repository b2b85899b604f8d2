import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { watchService } from '#server/core/alarms/watch-service.ts'
import { pauseLosers } from '#server/core/numbers/limits/pause-pairs.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { sentMails } from '#test/builders/mails.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed } from '#test/harness/typed.ts'
import { healthBookOf } from '../health/health-book.ts'

const environment = { ALARM_MAIL: 'night@example.test' }

type Lost = { supplierId: number; buyers: readonly number[]; count: number; by?: 'supplier' | 'notice' | 'buyer' }

let serial = 0

async function lose(t: TestApp, { supplierId, buyers, count, by = 'supplier' }: Lost): Promise<void> {
  t.clock.advance(MINUTE)
  serial += 1_000
  const values = {
    supplierId,
    buyers,
    buyerCount: buyers.length,
    count,
    serial,
    now: t.clock.now(),
    isNotice: by === 'notice',
    bySupplier: by === 'supplier',
  }
  await t.ctx.db.query({
    text: `WITH made AS (
        INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id, phone,
          channel, created_at, expires_at, ended_at, outcome_at, notice_at)
        SELECT ($buyers::integer[])[1 + place % $buyerCount::integer], 'tg', 2, 'altel', CASE WHEN $bySupplier THEN 'used' ELSE 'cancelled' END,
          'released', 13000000, 'rub', $supplierId, '7705' || (1000000 + $serial::integer + place), 'web', $now, $now, $now, $now,
          CASE WHEN $isNotice THEN $now::timestamptz END
        FROM generate_series(1, $count) AS place RETURNING *
      ), reported AS (
        INSERT INTO used_reports (activation_id, user_id, service_code, country_id, phone, by_supplier, weighed, bars_all, reported_at)
        SELECT id, user_id, service_code, country_id, phone, true, true, true, $now FROM made WHERE $bySupplier
      ) INSERT INTO resold_orders (supplier_id, reference, state, service, country, cost_micros, asked_at, activation_id, phone, ending,
          ended_at, is_loss)
        SELECT supplier_id, id || '-' || attempt, 'ended', 'tg', '2', 12500000, $now, 'a' || id, phone, 'cancelled', $now, true FROM made`,
    values,
  })
}

const buyersOf = (t: TestApp, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await t.makeUser()).id))

test('OP-1: a supplier that charges twenty messages a day that are no codes is set aside, and not by one buyer', async () => {
  await using t = await startTestApp()
  const [resold, other] = [await t.addFake('resold'), await t.addFake('other')]
  const buyers = await buyersOf(t, 7)
  const stateOf = async (id: number) => {
    await rollUp(t.ctx)
    return healthBookOf(t.ctx).of(id).state
  }
  // Losses by the buyers' own cancellation do not count, and losses of one account count three at most.
  await lose(t, { supplierId: resold.id, buyers, count: 40, by: 'buyer' })
  await lose(t, { supplierId: resold.id, buyers: buyers.slice(0, 1), count: 40 })
  expect(await stateOf(resold.id)).toBe('sound')
  await lose(t, { supplierId: resold.id, buyers: buyers.slice(1, 4), count: 9 })
  expect(await stateOf(resold.id)).toBe('sound')
  await lose(t, { supplierId: resold.id, buyers: buyers.slice(4), count: 8, by: 'notice' })
  expect(await stateOf(resold.id)).toBe('aside')
  expect(healthBookOf(t.ctx).of(other.id).state).toBe('sound')
  const { out } = await typed(t.database, 'supplier:events', 'resold')
  expect(out).toContain('it charged 20 messages within a day that were no codes')
  await typed(t.database, 'supplier:restore', 'resold', '--reason', 'they say that it is mended')
  healthBookOf(t.ctx).load((await t.ctx.db.query({ text: 'SELECT * FROM supplier_standings' })).rows as never)
  expect(await stateOf(resold.id)).toBe('sound')
})

test('OP-1: whoever sells twenty times as many codes stays; losses of two days do not add up', async () => {
  await using t = await startTestApp()
  const [large, steady] = [await t.addFake('large'), await t.addFake('steady')]
  const buyers = await buyersOf(t, 8)
  await t.ctx.db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id, phone,
        channel, created_at, expires_at, ended_at, outcome_at, first_code_at)
      SELECT $buyer, 'tg', 2, 'altel', 'finished', 'captured', 13000000, 'rub', $supplierId, '7706' || (1000000 + place), 'web', $now, $now, $now,
        $now, $now FROM generate_series(1, 500) AS place`,
    values: { buyer: buyers[0], supplierId: large.id, now: t.clock.now() },
  })
  await lose(t, { supplierId: large.id, buyers, count: 24 })
  await lose(t, { supplierId: steady.id, buyers, count: 16 })
  t.clock.advance(DAY)
  await lose(t, { supplierId: steady.id, buyers, count: 16 })
  await lose(t, { supplierId: large.id, buyers, count: 16 })
  await rollUp(t.ctx)
  expect([large, steady].map(({ id }) => healthBookOf(t.ctx).of(id).state)).toEqual(['sound', 'sound'])
})

async function sell(t: TestApp, { supplierId, count }: { supplierId: number; count: number }): Promise<void> {
  serial += 1_000
  await t.ctx.db.query({
    text: `INSERT INTO resold_orders (supplier_id, reference, state, service, country, cost_micros, asked_at, activation_id, phone, ending,
        ended_at)
      SELECT $supplierId, 's' || place, 'ended', 'tg', '2', 12500000, $now, 's' || place, '7707' || (1000000 + place), 'finished', $now
      FROM generate_series($serial::integer, $serial::integer + $count::integer - 1) AS place`,
    values: { supplierId, count, serial, now: t.clock.now() },
  })
}

async function toldOfLosses(t: TestApp): Promise<string[]> {
  await watchService(t.ctx)
  return (await sentMails(t)).flatMap(({ mail }) => {
    if (mail.kind !== 'alarm' || mail.alarm !== 'losses') return []
    return [mail.over ? `${mail.about} over` : `${mail.about}: ${mail.why}`]
  })
}

test('F-9: ten messages a day that nobody paid for ring an alarm, whoever ended the orders; it is over below eight', async () => {
  await using t = await startTestApp({ environment })
  const { id: supplierId } = await t.addFake('resold')
  const buyers = await buyersOf(t, 2)
  const told = () => toldOfLosses(t)
  await sell(t, { supplierId, count: 600 })
  await lose(t, { supplierId, buyers, count: 2, by: 'buyer' })
  t.clock.advance(20 * HOUR)
  await lose(t, { supplierId, buyers, count: 7 })
  expect(await told()).toEqual([])
  await lose(t, { supplierId, buyers, count: 1, by: 'notice' })
  const begun = 'resold: of 610 messages charged within a day nobody paid for 10, 125.00 of 7625.00'
  expect(await told()).toEqual([begun])
  t.clock.advance(4 * HOUR)
  expect(await told()).toEqual([begun])
  t.clock.advance(20 * HOUR)
  expect(await told()).toEqual([begun, 'resold over'])
})

test('F-9: three of a hundred and fifty ring by their sum, which is two in a hundred; it is over below that', async () => {
  await using t = await startTestApp({ environment })
  const { id: supplierId } = await t.addFake('resold')
  await t.addFake('other')
  const buyers = await buyersOf(t, 2)
  await lose(t, { supplierId, buyers, count: 2 })
  await sell(t, { supplierId, count: 145 })
  expect(await toldOfLosses(t)).toEqual([])
  await t.ctx.db.query({
    text: `INSERT INTO supplier_standings (supplier_id, balance_micros, balance_currency, balance_at) VALUES ($1, 0, 'usd', $2)
      ON CONFLICT (supplier_id) DO UPDATE SET balance_micros = 0, balance_currency = 'usd', balance_at = $2`,
    values: [supplierId, t.clock.now()],
  })
  await lose(t, { supplierId, buyers, count: 1, by: 'buyer' })
  const begun = 'resold: of 148 messages charged within a day nobody paid for 3, 37.50 of 1850.00 usd'
  expect(await toldOfLosses(t)).toEqual([begun])
  await sell(t, { supplierId, count: 30 })
  expect(await toldOfLosses(t)).toEqual([begun])
  await sell(t, { supplierId, count: 30 })
  expect(await toldOfLosses(t)).toEqual([begun, 'resold over'])
})

test('OP-1: junk counts a third of what a buyer ended himself, when an account has to pause for losses', async () => {
  await using t = await startTestApp()
  const { id: supplierId } = await t.addFake('resold')
  const [userId = 0] = await buyersOf(t, 1)
  const pair = { userId, serviceCode: 'tg', countryId: 2 }
  await lose(t, { supplierId, buyers: [userId], count: 11 })
  expect(await pauseLosers(t.ctx, [pair])).toBe(0)
  await lose(t, { supplierId, buyers: [userId], count: 1, by: 'buyer' })
  expect(await pauseLosers(t.ctx, [pair])).toBe(1)
})
