import { expect, test } from 'vitest'
import { payer } from '#test/builders/payments.ts'
import { invited } from '#test/builders/referral.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { countRowsRead } from '#test/harness/rows-read.ts'
import { listShareDays, MOST_DAYS } from './queries/figures.ts'

const DAYS = 100
const SHARES_A_DAY = 20

async function addOld(t: TestApp, referrer: TestUser, buyer: TestUser, days: [number, number]): Promise<void> {
  await t.ctx.db.query({
    text: `WITH paid AS (
        INSERT INTO payments (transaction_id, user_id, gateway_id, system, state, amount_micros, currency, created_at, expires_at, paid_at)
        SELECT 'old-' || day, $buyerId, (SELECT max(id) FROM gateways), 'fake', 'paid', 10000000, 'rub', $now, $now, $now
        FROM generate_series($from::integer, $to::integer) day RETURNING id, split_part(transaction_id, '-', 2)::integer AS day
      )
      INSERT INTO referral_shares (user_id, invited_id, payment_id, gross_micros, base_currency, percent, currency, due_micros,
        state, created_at, available_at)
      SELECT $referrerId, $buyerId, id, 10000000, 'rub', 10, 'rub', 1000000, 'pending', $now::timestamptz - make_interval(days => day), $now
      FROM paid`,
    values: { buyerId: buyer.id, referrerId: referrer.id, now: t.clock.now(), from: days[0], to: days[1] },
  })
}

async function fillShares(t: TestApp, referrer: TestUser, buyer: TestUser): Promise<void> {
  const gatewayId = await t.addGateway({ code: 'fake', kind: 'vouchers' })
  const now = t.clock.now()
  await t.ctx.db.query({
    text: `WITH invitation AS (
        INSERT INTO referral_invitations (invited_id, user_id, created_at, changed_at) VALUES ($buyerId, $referrerId, $now, $now)
      ), paid AS (
        INSERT INTO payments (transaction_id, user_id, gateway_id, system, state, amount_micros, currency, created_at, expires_at, paid_at)
        SELECT 'share-' || n, $buyerId, $gatewayId, 'fake', 'paid', 10000000, 'rub', $now, $now, $now
        FROM generate_series(0, ${(DAYS + 1) * SHARES_A_DAY - 1}) n RETURNING id, split_part(transaction_id, '-', 2)::integer AS n
      )
      INSERT INTO referral_shares (user_id, invited_id, payment_id, gross_micros, base_currency, percent, currency, due_micros,
        state, created_at, available_at)
      SELECT $referrerId, $buyerId, id, 10000000, 'rub', 10, 'rub', CASE WHEN day = 0 THEN 0 ELSE 1000000 END,
        CASE WHEN day = 0 THEN 'refused' WHEN day = ${DAYS} AND n % 2 = 0 THEN 'available' ELSE 'pending' END,
        $now::timestamptz - make_interval(days => day), $now
      FROM (SELECT id, n, n / ${SHARES_A_DAY} AS day FROM paid) numbered`,
    values: { buyerId: buyer.id, referrerId: referrer.id, gatewayId, now },
  })
  await t.ctx.db.query({ text: 'ANALYZE referral_shares, referral_invitations' })
}

test('a page of shares has ten days and reads the shares of these alone; the last has every state of its day', async () => {
  await using t = await startTestApp({ environment: { REFERRAL_PERCENT: '10', REFERRAL_OF: 'topup' } })
  const referrer = await payer(t)
  const buyer = await invited(t, referrer)
  await fillShares(t, referrer, buyer)
  const page = (number: number) =>
    call(t, 'GET /api/v1/referral/shares', { page: number, per_page: 10 }, { token: referrer.token })
  const first = await page(1)
  expect(first.meta).toEqual({ last_page: DAYS / 10, total: DAYS })
  expect(first.data.map(({ date }) => date)).toEqual([
    '2026-02-28',
    '2026-02-27',
    '2026-02-26',
    '2026-02-25',
    '2026-02-24',
    '2026-02-23',
    '2026-02-22',
    '2026-02-21',
    '2026-02-20',
    '2026-02-19',
  ])
  expect(first.data[0]).toMatchObject({ state: 'pending', amount: '20.00', count: SHARES_A_DAY })
  expect(await page(DAYS)).toMatchObject({ data: [], meta: { last_page: DAYS / 10, total: DAYS } })
  const last = (await page(DAYS / 10)).data
  expect(last.slice(-2)).toMatchObject([
    { state: 'available', amount: '10.00', count: 10, available_at: null },
    { state: 'pending', amount: '10.00', count: 10 },
  ])
  const listed = { userId: referrer.id, offset: 0, limit: 10 }
  const read = await countRowsRead(t.ctx.db, (db) => listShareDays(db, listed))
  expect(read).toBeLessThan(DAYS + 10 * SHARES_A_DAY * 2 + 20)
  await addOld(t, referrer, buyer, [DAYS + 1, MOST_DAYS + 500])
  expect((await page(1)).meta).toEqual({ last_page: MOST_DAYS / 10, total: MOST_DAYS })
  const readOfMany = await countRowsRead(t.ctx.db, (db) => listShareDays(db, listed))
  expect(readOfMany).toBeLessThan(MOST_DAYS + 10 * SHARES_A_DAY * 2 + 20)
})
