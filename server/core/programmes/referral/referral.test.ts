import { expect, test } from 'vitest'
import { DAY, HOUR } from '#contract/time.ts'
import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import { adjustBalance } from '#server/house/money/credit.ts'
import { count } from '#test/builders/activation-rows.ts'
import { balanceOf, begin, expectRightBooks, payer } from '#test/builders/payments.ts'
import { figuresOf, invited, type Person, referralOf, spend } from '#test/builders/referral.ts'
import { addFakeGateway, arrived, type FakeGateway } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { sweepReferral } from './settle-shares.ts'

const TEN = { REFERRAL_PERCENT: '10', REFERRAL_PENDING_DAYS: '14' }
const TOP_UPS = { ...TEN, REFERRAL_OF: 'topup' }

let events = 0

async function topUp(t: TestApp, gateway: FakeGateway, user: Person, cents: number): Promise<string> {
  const { transaction_id } = await begin(t, user, (cents / 100).toFixed(2))
  await tell(t, gateway, transaction_id, arrived([`d-${transaction_id}`, cents]))
  return transaction_id
}

async function tell(t: TestApp, gateway: FakeGateway, transaction: string, facts: PaymentFacts): Promise<void> {
  gateway.facts.set(transaction, facts)
  events += 1
  await gateway.send(t, { event: `referral event ${events}`, transaction })
  await t.ctx.background.idle()
}

async function reverse(
  t: TestApp,
  gateway: FakeGateway,
  transaction: string,
  { kind = 'dispute', state, cents }: { kind?: SeenReversal['kind']; state: SeenReversal['state']; cents: number },
): Promise<void> {
  const facts = gateway.facts.get(transaction) ?? arrived()
  const reversal = { kind, state, providerId: `${kind}-${transaction}`, amountMicros: BigInt(cents) * 10_000n }
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal] })
}

const toBalance = (t: TestApp, user: Person, amount: string) =>
  call(t, 'POST /api/v1/referral/withdrawals', { amount, to: 'balance' }, { token: user.token })

async function accountOf(t: TestApp, user: Person) {
  const { rows } = await t.ctx.db.query<{ available: string; debt: string; referral: string }>({
    text: `SELECT available_micros / 10000 AS available, debt_micros / 10000 AS debt, referral_micros / 10000 AS referral
      FROM accounts WHERE user_id = $1`,
    values: [user.id],
  })
  const [row] = rows
  return [row?.available, row?.debt, row?.referral].map(Number)
}

test('a share of what an invited person spends is pending, then available, then on the balance', async () => {
  await using t = await startTestApp({ environment: TEN })
  const fake = await t.addFake()
  const referrer = await payer(t)
  const buyer = await invited(t, referrer)
  const stranger = await payer(t, '100.00')
  const { price } = await spend(t, fake, buyer)
  await spend(t, fake, stranger)
  const share = (Number(price) / 10).toFixed(4).replace(/0{1,2}$/, '')
  expect(await figuresOf(t, referrer)).toEqual([share, '0.00', '0.00', '0.00'])
  await Promise.all([sweepReferral(t.ctx), sweepReferral(t.ctx)])
  expect(await figuresOf(t, referrer)).toEqual([share, '0.00', '0.00', '0.00'])
  expect(await referralOf(t, referrer)).toMatchObject({
    percent: 10,
    of: 'spend',
    pending_days: 14,
    invited: 1,
    paying: 1,
    link: expect.stringMatching(new RegExp(`/\\?ref=${referrer.id}$`)),
  })
  t.clock.advance(14 * DAY - HOUR)
  expect(await figuresOf(t, referrer)).toEqual([share, '0.00', '0.00', '0.00'])
  t.clock.advance(HOUR)
  await Promise.all([sweepReferral(t.ctx), sweepReferral(t.ctx)])
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', share, '0.00'])
  expect(await balanceOf(t, referrer)).toBe('0.00')
  expect(await toBalance(t, referrer, share)).toMatchObject({ balance: share, data: { state: 'paid', to: 'balance' } })
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.00', share])
  const { data } = await call(t, 'GET /api/v1/referral/shares', {}, { token: referrer.token })
  expect(data).toEqual([{ date: '2026-03-01', state: 'available', amount: share, count: 1, available_at: null }])
  await expectRightBooks(t)
})

test('staff who refund a purchase shrink its share; after the withdrawal that is a debt, which the next money pays', async () => {
  await using t = await startTestApp({ environment: TOP_UPS })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const buyer = await invited(t, referrer, '0')
  const transaction = await topUp(t, gateway, buyer, 100_000)
  expect(await figuresOf(t, referrer)).toEqual(['100.00', '0.00', '0.00', '0.00'])
  await reverse(t, gateway, transaction, { kind: 'refund', state: 'done', cents: 40_000 })
  expect(await figuresOf(t, referrer)).toEqual(['60.00', '0.00', '0.00', '0.00'])
  t.clock.advance(14 * DAY)
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '60.00', '0.00'])
  await toBalance(t, referrer, '50')
  await typed(t.database, 'user:credit', referrer.email, '-30', '--key', 'spent', ...WHY)
  // A dispute takes back 60 of earnings. 10 are not withdrawn and 20 are on the balance, so 30 are owed.
  await tell(t, gateway, transaction, {
    ...arrived([`d-${transaction}`, 100_000]),
    reversals: [
      { kind: 'refund', state: 'done', providerId: `refund-${transaction}`, amountMicros: 400_000_000n },
      { kind: 'dispute', state: 'open', providerId: 'dispute', amountMicros: 600_000_000n },
    ],
  })
  await sweepReferral(t.ctx)
  expect(await accountOf(t, referrer)).toEqual([0, 3_000, 0])
  await expectRightBooks(t)
  await topUp(t, gateway, referrer, 5_000)
  expect(await accountOf(t, referrer)).toEqual([2_000, 0, 0])
  await tell(t, gateway, transaction, {
    ...arrived([`d-${transaction}`, 100_000]),
    reversals: [
      { kind: 'refund', state: 'done', providerId: `refund-${transaction}`, amountMicros: 400_000_000n },
      { kind: 'dispute', state: 'won', providerId: 'dispute', amountMicros: 600_000_000n },
    ],
  })
  await Promise.all([sweepReferral(t.ctx), sweepReferral(t.ctx)])
  expect(await accountOf(t, referrer)).toEqual([2_000, 0, 6_000])
  await expectRightBooks(t)
})

test('order:refund takes the share of a purchase back; a debt is paid first by what is withdrawn', async () => {
  await using t = await startTestApp({ environment: { ...TEN, REFERRAL_PENDING_DAYS: '0' } })
  const fake = await t.addFake()
  const referrer = await payer(t)
  const buyer = await invited(t, referrer)
  const [first] = [await spend(t, fake, buyer), await spend(t, fake, buyer)]
  const share = Number(first.price) / 10
  await sweepReferral(t.ctx)
  await toBalance(t, referrer, share.toFixed(4))
  await typed(t.database, 'user:credit', referrer.email, `-${share.toFixed(4)}`, '--key', 'spent', ...WHY)
  await toBalance(t, referrer, (share / 2).toFixed(4))
  await typed(t.database, 'user:credit', referrer.email, `-${(share / 2).toFixed(4)}`, '--key', 'more', ...WHY)
  await typed(t.database, 'order:refund', String(first.id), ...WHY)
  await sweepReferral(t.ctx)
  const micros = BigInt(Math.round(share * 1_000_000))
  expect(await microsOf(t, referrer)).toEqual({ available: 0n, debt: micros / 2n, referral: 0n })
  await spend(t, fake, buyer)
  await sweepReferral(t.ctx)
  await toBalance(t, referrer, share.toFixed(4))
  expect(await microsOf(t, referrer)).toEqual({ available: micros - micros / 2n, debt: 0n, referral: 0n })
  await expectRightBooks(t)
})

async function microsOf(t: TestApp, user: Person) {
  const { rows } = await t.ctx.db.query({
    text: 'SELECT available_micros AS available, debt_micros AS debt, referral_micros AS referral FROM accounts WHERE user_id = $1',
    values: [user.id],
  })
  return rows[0]
}

test('an end and a cap: what comes later, or goes beyond, has no share; a refund makes room', async () => {
  await using t = await startTestApp({ environment: { ...TOP_UPS, REFERRAL_MONTHS: '2', REFERRAL_MOST_RUB: '25' } })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const [buyer, other] = [await invited(t, referrer, '0'), await invited(t, referrer, '0')]
  const first = await topUp(t, gateway, buyer, 20_000)
  await topUp(t, gateway, buyer, 20_000)
  await topUp(t, gateway, other, 20_000)
  expect(await figuresOf(t, referrer)).toEqual(['45.00', '0.00', '0.00', '0.00'])
  await reverse(t, gateway, first, { state: 'open', cents: 20_000 })
  expect(await figuresOf(t, referrer)).toEqual(['25.00', '0.00', '0.00', '0.00'])
  await topUp(t, gateway, buyer, 10_000)
  expect(await figuresOf(t, referrer)).toEqual(['35.00', '0.00', '0.00', '0.00'])
  t.clock.advance(62 * DAY)
  await topUp(t, gateway, other, 20_000)
  // The monthly cap cut the second payment's share to 5. When that share becomes available, the cap leaves room for 15.
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '45.00', '0.00'])
  await expectRightBooks(t)
})

test('another currency takes the rate of that moment, rounded down once; without a rate it waits and is not lost', async () => {
  await using t = await startTestApp({ environment: TOP_UPS })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const buyer = await invited(t, referrer, '0', 'usd')
  await t.ctx.db.query({ text: `DELETE FROM exchange_rates WHERE currency = 'usd'` })
  await topUp(t, gateway, buyer, 333)
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.00', '0.00'])
  t.clock.advance(20 * DAY)
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.00', '0.00'])
  await expectRightBooks(t)
  await typed(t.database, 'rate:set', 'usd', '91.123457', ...WHY)
  t.clock.advance(HOUR)
  // The share is 3.33 × 0.1 × 91.123457 = 30.344111181.
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '30.344111', '0.00'])
  await typed(t.database, 'rate:set', 'usd', '95', ...WHY)
  t.clock.advance(HOUR)
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '30.344111', '0.00'])
  const { rows } = await t.ctx.db.query({ text: 'SELECT rate_micros, rate_source FROM referral_shares' })
  expect(rows).toEqual([{ rate_micros: 91_123_457n, rate_source: 'rate:set' }])
  await expectRightBooks(t)
})

test('parts of a cent of shares stay on their account: the balance gives and takes whole cents', async () => {
  await using t = await startTestApp({ environment: { ...TOP_UPS, REFERRAL_PENDING_DAYS: '0' } })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const buyer = await invited(t, referrer, '0')
  const transaction = await topUp(t, gateway, buyer, 10_005)
  const second = await topUp(t, gateway, buyer, 20_007)
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '30.012', '0.00'])
  await toBalance(t, referrer, '30.01')
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.002', '30.01'])
  await reverse(t, gateway, transaction, { state: 'open', cents: 10_005 })
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.007', '30.01'])
  expect(await balanceOf(t, referrer)).toBe('20.00')
  await reverse(t, gateway, transaction, { state: 'won', cents: 10_005 })
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '10.012', '30.01'])
  // The recall needs 9.995, and the balance is 9.997, so rounding up to a whole cent must not cause a debt.
  const spent = { amountMicros: -10_003_000n, idempotencyKey: 'spent', at: t.clock.now() }
  await adjustBalance(t.ctx.db, { userId: referrer.id, ...spent })
  await reverse(t, gateway, second, { state: 'open', cents: 20_007 })
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.002', '30.01'])
  expect(await count(t.ctx, `transfers WHERE kind = 'debt' AND user_id = $1`, [referrer.id])).toBe(0)
  await expectRightBooks(t)
})

test('a closed programme counts nothing new, takes back what went back, and lets what was earned be withdrawn', async () => {
  await using t = await startTestApp({ environment: { ...TOP_UPS, REFERRAL_PENDING_DAYS: '0' } })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const buyer = await invited(t, referrer, '0')
  const transaction = await topUp(t, gateway, buyer, 100_000)
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '100.00', '0.00'])
  const { referral } = t.ctx.config.programmes
  Object.assign(referral, { percent: null })
  await topUp(t, gateway, buyer, 100_000)
  await reverse(t, gateway, transaction, { state: 'open', cents: 50_000 })
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '50.00', '0.00'])
  expect(await referralOf(t, referrer)).toMatchObject({ percent: null })
  await toBalance(t, referrer, '50.00')
  Object.assign(referral, { percent: 10 })
  expect(await figuresOf(t, referrer)).toEqual(['0.00', '0.00', '0.00', '50.00'])
  await expectRightBooks(t)
})

test('a blocked referrer waits, a share of nothing moves nothing, and a clock set back pays nothing twice', async () => {
  await using t = await startTestApp({ environment: { ...TOP_UPS, REFERRAL_PENDING_DAYS: '1' } })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const buyer = await invited(t, referrer, '0')
  await topUp(t, gateway, buyer, 100_000)
  await sweepReferral(t.ctx)
  await typed(t.database, 'user:block', referrer.email, ...WHY)
  t.clock.advance(2 * DAY)
  await sweepReferral(t.ctx)
  expect(await accountOf(t, referrer)).toEqual([0, 0, 0])
  await typed(t.database, 'user:unblock', referrer.email, ...WHY)
  t.clock.advance(DAY)
  await sweepReferral(t.ctx)
  expect(await accountOf(t, referrer)).toEqual([0, 0, 10_000])
  t.clock.advance(-30 * DAY)
  await sweepReferral(t.ctx)
  t.clock.advance(60 * DAY)
  await sweepReferral(t.ctx)
  expect(await accountOf(t, referrer)).toEqual([0, 0, 10_000])
  await expectRightBooks(t)
})

test('very many tiny shares are settled in steps, and those that are worth nothing move nothing', async () => {
  await using t = await startTestApp({ environment: { ...TOP_UPS, REFERRAL_PENDING_DAYS: '0' } })
  const gateway = await addFakeGateway(t)
  const referrer = await payer(t)
  const buyer = await invited(t, referrer, '0')
  await t.ctx.db.query({
    text: `WITH paid AS (
        INSERT INTO payments (transaction_id, user_id, gateway_id, system, state, amount_micros, currency, created_at, expires_at, paid_at)
        SELECT 'tiny-' || n, $userId, $gatewayId, 'fake', 'paid', CASE WHEN n % 100 = 0 THEN 10 ELSE 9 END, 'rub', $now, $now, $now
        FROM generate_series(1, 1200) n RETURNING *
      ), arrived AS (
        INSERT INTO deposits (payment_id, gateway_id, provider_id, amount_micros, currency, at)
        SELECT id, gateway_id, transaction_id, amount_micros, currency, $now FROM paid RETURNING *
      ), moved AS (
        INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, payment_id, deposit_id, at)
        SELECT 'topup', $userId, 'cash', 'available', amount_micros, currency, payment_id, id, $now FROM arrived
        UNION ALL
        SELECT 'rounding', $userId, 'rounding', 'available', 10000 - amount_micros, currency, payment_id, id, $now FROM arrived
      )
      UPDATE accounts SET available_micros = available_micros + 10000 * (SELECT count(*) FROM paid) WHERE user_id = $userId`,
    values: { userId: buyer.id, gatewayId: gateway.id, now: t.clock.now() },
  })
  await sweepReferral(t.ctx)
  expect(await microsOf(t, referrer)).toEqual({ available: 0n, debt: 0n, referral: 12n })
  const { rows } = await t.ctx.db.query({
    text: `SELECT count(*) AS shares, count(look_at) AS open, (SELECT count(*) FROM transfers WHERE kind = 'referral') AS given
      FROM referral_shares`,
  })
  expect(rows).toEqual([{ shares: 1200n, open: 0n, given: 12n }])
  await expectRightBooks(t)
})
