import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { reverse, tell, topUp } from '#test/builders/money/top-ups.ts'
import { balanceOf, begin, expectRightBooks, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { payRewards } from './pay-rewards.ts'

/** The test clock begins on Sunday, 1 March 2026, at 15:00 in Moscow, nine hours before the end of the week. */
const TO_NEXT_WEEK = 9 * HOUR
const PAID_BY_THEN = TO_NEXT_WEEK + 10 * MINUTE

async function open(environment: Record<string, string> = {}) {
  const t = await startTestApp({ environment: { LOYALTY: 'week', ...environment } })
  const gateway = await addFakeGateway(t)
  await payRewards(t.ctx)
  return { t, gateway }
}

const standing = (t: TestApp, user: TestUser) => call(t, 'GET /api/v1/loyalty', {}, { token: user.token })

async function movementsOf(t: TestApp, user: TestUser): Promise<string[]> {
  const { movements } = await call(t, 'GET /api/v1/movements', {}, { token: user.token })
  return movements.data.map(({ kind, amount }) => `${kind} ${amount}`)
}

async function debtOf(t: TestApp, user: TestUser): Promise<bigint> {
  const { rows } = await t.ctx.db.query<{ debt_micros: bigint }>({
    text: 'SELECT debt_micros FROM accounts WHERE user_id = $1',
    values: [user.id],
  })
  return rows[0]?.debt_micros ?? 0n
}

test('what is topped up in a week climbs the ranks, and is paid for after Sunday, once', async () => {
  const { t, gateway } = await open()
  await using _ = t
  const user = await payer(t)
  expect(await standing(t, user)).toMatchObject({
    current: {
      period: 'week',
      time_zone: 'Europe/Moscow',
      currency: 'rub',
      begins_at: '2026-02-22T21:00:00.000Z',
      ends_at: '2026-03-01T21:00:00.000Z',
      topped_up: '0.00',
      percent: '0',
      reward: '0.00',
      next: { top_up: '1000.00', percent: '4', missing: '1000.00', reward: '40.00' },
    },
    rewards: [],
  })
  await topUp(t, gateway, user, '999.99')
  expect((await standing(t, user)).current).toMatchObject({ percent: '0', next: { missing: '0.01' } })
  await topUp(t, gateway, user, '3000.01')
  expect((await standing(t, user)).current).toMatchObject({
    topped_up: '4000.00',
    percent: '5',
    reward: '200.00',
    next: { top_up: '15000.00', percent: '6', missing: '11000.00', reward: '900.00' },
  })

  t.clock.advance(TO_NEXT_WEEK + 9 * MINUTE)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('4000.00')
  t.clock.advance(MINUTE)
  using live = await listen(t, { ...user, ...(await beginTestSession(t.ctx, user.id)) })
  await payRewards(t.ctx)
  expect(await live.next('BalanceTopup')).toEqual({ balance: '4200.00', currency: 'rub' })
  expect((await movementsOf(t, user))[0]).toBe('loyalty 200.00')
  expect(await standing(t, user)).toMatchObject({
    current: { begins_at: '2026-03-01T21:00:00.000Z', topped_up: '0.00', percent: '0' },
    rewards: [{ begins_at: '2026-02-22T21:00:00.000Z', topped_up: '4000.00', percent: '5', reward: '200.00' }],
  })
  await payRewards(t.ctx)
  await Promise.all(Array.from({ length: 5 }, () => payRewards(t.ctx)))
  expect(await balanceOf(t, user)).toBe('4200.00')
  await expectRightBooks(t)
})

test('twenty runs at once pay each of many people once', async () => {
  const { t, gateway } = await open()
  await using _ = t
  const users = await Promise.all(Array.from({ length: 12 }, () => payer(t)))
  for (const user of users) await topUp(t, gateway, user, '1000.00')
  t.clock.advance(PAID_BY_THEN)
  await Promise.all(Array.from({ length: 20 }, () => payRewards(t.ctx)))
  expect(await Promise.all(users.map((user) => balanceOf(t, user)))).toEqual(users.map(() => '1040.00'))
  await expectRightBooks(t)
})

test('a clock that jumps ahead and comes back pays the rest of the week, and nothing twice', async () => {
  const { t, gateway } = await open()
  await using _ = t
  const user = await payer(t)
  await topUp(t, gateway, user, '1000.00')
  t.clock.advance(400 * DAY)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('1040.00')
  t.clock.advance(-400 * DAY)
  await payRewards(t.ctx)
  expect((await standing(t, user)).current).toMatchObject({ topped_up: '1000.00', reward: '40.00' })
  await topUp(t, gateway, user, '3000.00')
  t.clock.advance(PAID_BY_THEN)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('4200.00')
  expect((await movementsOf(t, user)).filter((one) => one.startsWith('loyalty'))).toEqual([
    'loyalty 160.00',
    'loyalty 40.00',
  ])
  // A period a year ahead is stored, because the clock was wrong; weeks continue as usual.
  for (let week = 0; week < 3; week += 1) {
    expect((await standing(t, user)).current?.begins_at).toBe(
      new Date(Date.parse('2026-03-01T21:00:00Z') + week * 7 * DAY).toISOString(),
    )
    t.clock.advance(7 * DAY)
    await payRewards(t.ctx)
  }
  await expectRightBooks(t)
})

test('what goes back takes its reward along, however late; what was spent is owed; a dispute that is won brings it back', async () => {
  const { t, gateway } = await open()
  await using _ = t
  const user = await payer(t)
  const small = await topUp(t, gateway, user, '1000.00')
  const large = await topUp(t, gateway, user, '3000.00')
  await reverse(t, gateway, { transaction: small, cents: 10_000, kind: 'refund', state: 'done' })
  expect((await standing(t, user)).current).toMatchObject({ topped_up: '3900.00', reward: '156.00' })
  t.clock.advance(PAID_BY_THEN)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('4056.00')

  await typed(t.database, 'user:credit', user.email, '-4056', '--key', 'spent', ...WHY)
  t.clock.advance(120 * DAY)
  await reverse(t, gateway, { transaction: large, cents: 300_000, kind: 'dispute', state: 'open' })
  await payRewards(t.ctx)
  await payRewards(t.ctx)
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 3_156_000_000n])
  expect((await movementsOf(t, user)).slice(0, 2)).toEqual(['loyalty_back -156.00', 'debt 156.00'])
  await expectRightBooks(t)

  await reverse(t, gateway, { transaction: large, cents: 300_000, kind: 'dispute', state: 'won' })
  await payRewards(t.ctx)
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 0n])
  expect((await standing(t, user)).rewards).toMatchObject([{ topped_up: '3900.00', reward: '156.00' }])
  await expectRightBooks(t)
})

test('of a payment in two weeks what goes back is taken from the later money first', async () => {
  const { t, gateway } = await open()
  await using _ = t
  const user = await payer(t)
  const { transaction_id } = await begin(t, user, '4000.00')
  await tell(t, gateway, transaction_id, arrived(['first', 200_000]))
  t.clock.advance(PAID_BY_THEN)
  await payRewards(t.ctx)
  await tell(t, gateway, transaction_id, arrived(['first', 200_000], ['second', 200_000]))
  t.clock.advance(7 * DAY)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('4160.00')
  await reverse(t, gateway, { transaction: transaction_id, cents: 250_000, kind: 'refund', state: 'done' })
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('1560.00')
  expect((await standing(t, user)).rewards).toMatchObject([{ reward: '0.00' }, { reward: '60.00' }])
  await expectRightBooks(t)
})

test('vouchers, bonuses and money from staff climb no rank; an account in dollars has ranks of its own', async () => {
  const { t, gateway } = await open({ LOYALTY_RANKS: '{"usd":[{"top_up":"7","percent":0.07}]}' })
  await using _ = t
  Object.assign(gateway.system, { bonusPoints: 5_000 })
  await t.addGateway({ code: 'gift', kind: 'vouchers' })
  const made = await typed(
    t.database,
    'voucher:create',
    'gift',
    '1',
    '50',
    '--currency',
    'usd',
    '--batch',
    'x',
    '--json',
    ...WHY,
  )
  const code = String((JSON.parse(made.out) as { codes: string }).codes)
  const dollars = await t.makeUser({ balance: '100.00', currency: 'usd' })
  const roubles = await payer(t)
  await call(t, 'POST /api/v1/vouchers', { code }, { token: dollars.token })
  await topUp(t, gateway, dollars, '3.00')
  expect((await standing(t, dollars)).current).toMatchObject({
    currency: 'usd',
    topped_up: '3.00',
    percent: '0',
    next: { missing: '4.00', percent: '0.07', reward: '0.00' },
  })
  await topUp(t, gateway, roubles, '50000.00')
  expect(await standing(t, roubles)).toEqual({ status: true, current: null, currency: 'rub', rewards: [] })
  t.clock.advance(PAID_BY_THEN)
  await payRewards(t.ctx)
  expect(await balanceOf(t, roubles)).toBe('75000.00')
  await expectRightBooks(t)
})

test('the terms of a week hold until its end: another table, a month or no programme come after it', async () => {
  const clock = { LOYALTY_RANKS: '{"rub":[{"top_up":"100","percent":1}]}' }
  const { t, gateway } = await open(clock)
  await using _ = t
  const user = await payer(t)
  await topUp(t, gateway, user, '1000.00')
  const { programmes } = t.ctx.config
  programmes.loyalty = {
    period: 'month',
    timeZone: 'Europe/Moscow',
    ranks: { rub: [{ topUpMicros: 100_000_000n, points: 9_000 }] },
  }
  expect((await standing(t, user)).current).toMatchObject({ period: 'week', percent: '1', reward: '10.00' })
  t.clock.advance(PAID_BY_THEN)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('1010.00')
  expect((await standing(t, user)).current).toMatchObject({
    period: 'month',
    begins_at: '2026-03-01T21:00:00.000Z',
    ends_at: '2026-03-31T21:00:00.000Z',
    topped_up: '0.00',
    next: { percent: '90' },
  })
  programmes.loyalty = null
  await topUp(t, gateway, user, '200.00')
  t.clock.advance(31 * DAY)
  await payRewards(t.ctx)
  expect(await balanceOf(t, user)).toBe('1390.00')
  expect((await standing(t, user)).current).toBe(null)
  await expectRightBooks(t)
})

test('who is not signed in has no standing', async () => {
  await using t = await startTestApp()
  expect(await refused(t, 'GET /api/v1/loyalty', {})).toMatchObject({ status: 401 })
})

test('one account that cannot be settled keeps nobody else from their reward, and gets its own by the next run', async () => {
  const { t, gateway } = await open()
  await using _ = t
  const [first, second] = [await payer(t), await payer(t)]
  await topUp(t, gateway, first, '1000.00')
  await topUp(t, gateway, second, '1000.00')
  t.clock.advance(PAID_BY_THEN)
  await t.ctx.db.query({ text: `ALTER TABLE loyalty_rewards ADD CONSTRAINT broken CHECK (user_id <> ${first.id})` })
  await payRewards(t.ctx)
  expect([await balanceOf(t, first), await balanceOf(t, second)]).toEqual(['1000.00', '1040.00'])
  await t.ctx.db.query({ text: 'ALTER TABLE loyalty_rewards DROP CONSTRAINT broken' })
  await payRewards(t.ctx)
  expect([await balanceOf(t, first), await balanceOf(t, second)]).toEqual(['1040.00', '1040.00'])
  expect((await verifyLedger(t.ctx.db)).ok).toBe(true)
})
