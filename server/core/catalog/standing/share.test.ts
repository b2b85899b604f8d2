import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#contract/time.ts'
import { sweepExpired } from '#server/core/numbers/activations/sweep.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { beginTestSession, startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { healthBookOf } from '../health/health-book.ts'
import { restoreStanding } from '../health/queries/standings.ts'
import { judgeShares } from './judge-shares.ts'
import { loadHealth } from './load-health.ts'
import { tryAgain } from './try-again.ts'

async function learn(t: TestApp, ...supplierIds: number[]): Promise<void> {
  for (const supplierId of supplierIds) {
    await t.ctx.db.query({
      text: `INSERT INTO outcome_hours (hour, supplier_id, service_code, country_id, operator, purchases, codes, seconds_counts)
        SELECT $at, $supplierId, service, 2, 'altel', 500, 400, array_fill(0, ARRAY[17]) FROM unnest('{tg,wa}'::text[]) AS service`,
      values: { at: new Date(t.clock.now().getTime() - 3 * DAY), supplierId },
    })
  }
}

type Sold = {
  supplierId: number
  buyers: readonly number[]
  count: number
  coded: number
  service?: string
  lost?: 'expired' | 'cancelled'
}

async function sell(
  t: TestApp,
  { supplierId, buyers, count, coded, service = 'tg', lost = 'expired' }: Sold,
): Promise<void> {
  t.clock.advance(MINUTE)
  await t.ctx.db.query({
    text: `INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id, phone,
        channel, created_at, expires_at, ended_at, outcome_at, first_code_at)
      SELECT ($buyers::integer[])[1 + place % $buyerCount::integer], $service, 2, 'altel', CASE WHEN hit THEN 'finished' ELSE $lost END,
        CASE WHEN hit THEN 'captured' ELSE 'released' END, 13000000, 'rub', $supplierId, '7705' || (1000000 + place), 'web', $now, $now, $now,
        $now::timestamptz + place * interval '1 millisecond', CASE WHEN hit THEN $now::timestamptz END
      FROM generate_series(1, $count) AS place, LATERAL (SELECT place % 10 < $coded AS hit) AS drawn`,
    values: { supplierId, buyers, buyerCount: buyers.length, count, coded, service, lost, now: t.clock.now() },
  })
  t.clock.advance(MINUTE)
}

const buy = async (t: TestApp, user: TestUser) => buyOne(t, { ...user, ...(await beginTestSession(t.ctx, user.id)) })

async function cancel(t: TestApp, id: number, user: TestUser): Promise<void> {
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id }, await beginTestSession(t.ctx, user.id))
}

const stateOf = (t: TestApp, { id }: { id: number }) => healthBookOf(t.ctx).of(id).state
const kindsOf = async (t: TestApp) =>
  (await t.ctx.db.query<{ kind: string }>({ text: 'SELECT kind FROM supplier_events ORDER BY id' })).rows.map(
    ({ kind }) => kind,
  )

test('a share far below the norm sets a supplier aside; single purchases try it, whoever restarts, and codes bring it back', async () => {
  await using t = await startTestApp()
  const bad = await t.addFake('bad')
  const good = await t.addFake('good', [{ ...fakeOffer, costMicros: 10_000_001n }])
  const users = await Promise.all(Array.from({ length: 12 }, () => t.makeUser({ balance: '1000.00' })))
  const buyers = users.map(({ id }) => id)
  await learn(t, bad.id, good.id)
  await sell(t, { supplierId: bad.id, buyers, count: 60, coded: 2 })
  await sell(t, { supplierId: good.id, buyers, count: 60, coded: 8 })
  await judgeShares(t.ctx, [bad.id, good.id])
  expect([stateOf(t, bad), stateOf(t, good)]).toEqual(['aside', 'sound'])
  const [user, next] = users
  if (user === undefined || next === undefined) throw new Error('no buyer')
  await buy(t, user)
  expect([bad.orders.length, good.orders.length]).toEqual([0, 1])
  t.clock.advance(5 * MINUTE)
  await tryAgain(t.ctx)
  const trial = await buy(t, user)
  await buy(t, user)
  expect([bad.orders.length, good.orders.length]).toEqual([1, 2])
  healthBookOf.forget(t.ctx)
  await loadHealth(t.ctx)
  await tryAgain(t.ctx)
  await buy(t, user)
  expect(bad.orders).toHaveLength(1)
  t.clock.advance(HOUR)
  await sweepExpired(t.ctx)
  await tryAgain(t.ctx)
  const second = await buy(t, user)
  t.clock.advance(HOUR)
  await sweepExpired(t.ctx)
  await tryAgain(t.ctx)
  expect(await kindsOf(t)).toEqual(['set-aside', 'trial-failed'])
  await buy(t, user)
  expect(bad.orders).toHaveLength(2)
  expect(trial.id).not.toBe(second.id)
  for (let code = 0; code < 2; code += 1) {
    t.clock.advance(HOUR)
    await tryAgain(t.ctx)
    await buy(t, user)
    expect(bad.orders).toHaveLength(2 + code)
    const { phone } = await buy(t, next)
    t.clock.advance(SECOND)
    await pushSms(t, bad, { phone })
    await tryAgain(t.ctx)
  }
  expect(await kindsOf(t)).toEqual(['set-aside', 'trial-failed', 'returned'])
  await judgeShares(t.ctx, [bad.id])
  await rollUp(t.ctx)
  expect(stateOf(t, bad)).toBe('sound')
  expect(bad.orders).toHaveLength(4)
})

test('two accounts that cancel what they buy set no supplier aside, and one that is aside is not tried again by who cancelled', async () => {
  await using t = await startTestApp()
  const only = await t.addFake('only', [{ ...fakeOffer, stock: 1000 }])
  const honest = await Promise.all(Array.from({ length: 12 }, () => t.makeUser({ balance: '100.00' })))
  const buyers = honest.map(({ id }) => id)
  const [thief, second] = [await t.makeUser({ balance: '500.00' }), await t.makeUser({ balance: '500.00' })]
  await learn(t, only.id)
  await sell(t, { supplierId: only.id, buyers, count: 60, coded: 8 })
  const bought = await Promise.all([thief, second].flatMap((user) => Array.from({ length: 10 }, () => buyOne(t, user))))
  t.clock.advance(2 * MINUTE)
  for (const [place, { id }] of bought.entries()) await cancel(t, id, place < 10 ? thief : second)
  await judgeShares(t.ctx, [only.id])
  expect(stateOf(t, only)).toBe('sound')
  await sell(t, { supplierId: only.id, buyers, count: 100, coded: 0 })
  await judgeShares(t.ctx, [only.id])
  expect(stateOf(t, only)).toBe('aside')
  t.clock.advance(5 * MINUTE)
  await tryAgain(t.ctx)
  const { id } = await buy(t, thief)
  t.clock.advance(2 * MINUTE)
  await cancel(t, id, thief)
  healthBookOf.forget(t.ctx)
  await loadHealth(t.ctx)
  await tryAgain(t.ctx)
  const asked = { service_id: 'tg', country_id: 2 }
  const again = await refused(t, 'POST /api/v1/activations', asked, await beginTestSession(t.ctx, thief.id))
  expect(again.body.code).toBe('NO_NUMBERS')
  const [buyer] = honest
  if (buyer === undefined) throw new Error('no buyer')
  await buy(t, buyer)
  expect(await kindsOf(t)).toEqual(['set-aside'])
})

test('a small operator has it too: three buyers who have paid for fifty codes set a supplier aside, two of them do not', async () => {
  await using t = await startTestApp()
  const [only, earlier] = [await t.addFake('only'), await t.addFake('earlier')]
  const buyers = (await Promise.all([1, 2, 3].map(() => t.makeUser()))).map(({ id }) => id)
  await learn(t, only.id)
  // The buyers paid for codes at another supplier before, because trust belongs to the account, not to the supplier.
  await sell(t, { supplierId: earlier.id, buyers, count: 150, coded: 10 })
  t.clock.advance(2 * DAY)
  await sell(t, { supplierId: only.id, buyers: buyers.slice(0, 2), count: 60, coded: 0 })
  await judgeShares(t.ctx, [only.id])
  expect(stateOf(t, only)).toBe('sound')
  await sell(t, { supplierId: only.id, buyers: buyers.slice(2), count: 10, coded: 0 })
  await judgeShares(t.ctx, [only.id])
  expect([stateOf(t, only), await kindsOf(t)]).toEqual(['aside', ['set-aside']])
  await restoreStanding(t.ctx.db, { supplierId: only.id, now: t.clock.now() })
  await loadHealth(t.ctx)
  t.clock.advance(8 * DAY)
  await learn(t, only.id)
  await sell(t, { supplierId: only.id, buyers, count: 60, coded: 0 })
  await judgeShares(t.ctx, [only.id])
  expect(stateOf(t, only)).toBe('sound')
})

test('ten new accounts set a supplier aside once a week, whichever they cancel at; ten others do, and those who pay for codes', async () => {
  await using t = await startTestApp()
  const [one, other] = [await t.addFake('one'), await t.addFake('other')]
  const users = await Promise.all(Array.from({ length: 20 }, () => t.makeUser()))
  const buyers = users.map(({ id }) => id)
  const [first, second] = [buyers.slice(0, 10), buyers.slice(10)]
  await learn(t, one.id, other.id)
  const falls = async (supplier: { id: number }, by: readonly number[]) => {
    // Some hours pass, because recent failures at another supplier would be blamed on the service.
    t.clock.advance(4 * HOUR)
    await sell(t, { supplierId: supplier.id, buyers: by, count: 2 * by.length, coded: 0, lost: 'cancelled' })
    await judgeShares(t.ctx, [supplier.id])
    if (stateOf(t, supplier) === 'sound') return false
    await restoreStanding(t.ctx.db, { supplierId: supplier.id, now: t.clock.now() })
    await loadHealth(t.ctx)
    return true
  }
  expect([await falls(one, first), await falls(one, first), await falls(other, first)]).toEqual([true, false, false])
  expect([await falls(other, second), await falls(one, second)]).toEqual([true, false])
  t.clock.advance(8 * DAY)
  await learn(t, one.id, other.id)
  expect([await falls(one, first), await falls(one, first)]).toEqual([true, false])
  await sell(t, { supplierId: other.id, buyers: first, count: 10, coded: 10 })
  expect(await falls(one, first)).toBe(true)
})

test('a dead supplier is found by thirty newcomers, though of each the first two purchases in vain count alone', async () => {
  await using t = await startTestApp()
  const dead = await t.addFake('dead')
  const users = await Promise.all(Array.from({ length: 30 }, () => t.makeUser()))
  await learn(t, dead.id)
  await sell(t, { supplierId: dead.id, buyers: users.map(({ id }) => id), count: 90, coded: 0 })
  await judgeShares(t.ctx, [dead.id])
  expect(stateOf(t, dead)).toBe('aside')
  const { rows } = await t.ctx.db.query<{ reason: string }>({ text: 'SELECT reason FROM supplier_events' })
  expect(rows).toEqual([{ reason: '0 codes of 60 purchases, where 48.0 are usual' }])
})

test('nobody is set aside for a service that fails everywhere, for one buyer, or without a norm', async () => {
  await using t = await startTestApp()
  const [one, other, newcomer] = [await t.addFake('one'), await t.addFake('other'), await t.addFake('newcomer')]
  const buyers = [await t.makeUser(), await t.makeUser(), await t.makeUser()].map(({ id }) => id)
  await learn(t, one.id, other.id)
  await sell(t, { supplierId: one.id, buyers, count: 60, coded: 0 })
  await sell(t, { supplierId: other.id, buyers, count: 30, coded: 1 })
  await sell(t, { supplierId: newcomer.id, buyers, count: 60, coded: 0 })
  await judgeShares(t.ctx, [one.id, other.id, newcomer.id])
  await sell(t, { supplierId: other.id, buyers: buyers.slice(0, 1), count: 100, coded: 0, service: 'wa' })
  await judgeShares(t.ctx, [other.id])
  expect(await kindsOf(t)).toEqual([])
})
