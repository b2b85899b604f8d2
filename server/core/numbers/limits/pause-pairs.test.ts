import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '#contract/time.ts'
import { buyActivation } from '#server/core/numbers/purchase/buy.ts'
import { rollUp } from '#server/core/numbers/statistics/roll-up.ts'
import { nodeOf } from '#server/house/nodes/node.ts'
import { addSupplier } from '#server/programs/boot/start-suppliers.ts'
import { buyOne } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { startNodes } from '#test/services/nodes.ts'
import { askInTurn, redisProgram } from '#test/services/three-nodes.ts'
import { listOpenPauses } from './queries.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

async function addEnded(t: TestApp, user: TestUser, { purchases, codes }: { purchases: number; codes: number }) {
  t.clock.advance(MINUTE)
  await t.ctx.db.query({
    text: `WITH ended AS (
      INSERT INTO activations (user_id, service_code, country_id, operator, state, money, price_micros, currency, supplier_id,
        phone, channel, created_at, expires_at, first_code_at, outcome_at, ended_at)
      SELECT $userId, 'tg', 2, 'altel', CASE WHEN n <= $codes THEN 'finished' ELSE 'expired' END,
        CASE WHEN n <= $codes THEN 'captured' ELSE 'released' END, 13000000, 'rub',
        (SELECT min(id) FROM suppliers), '77' || n, 'site',
        $now, $now, CASE WHEN n <= $codes THEN $now::timestamptz END, $now, $now
      FROM generate_series(1, $purchases) n RETURNING *
    )
    INSERT INTO transfers (kind, user_id, from_account, to_account, amount_micros, currency, activation_id, at)
    SELECT CASE money WHEN 'captured' THEN 'capture' ELSE 'release' END, user_id, 'held',
      CASE money WHEN 'captured' THEN 'revenue' ELSE 'available' END, price_micros, currency, id, $now FROM ended`,
    values: { userId: user.id, purchases, codes, now: t.clock.now() },
  })
  t.clock.advance(MINUTE)
  await rollUp(t.ctx)
}

const openPauses = (t: TestApp, user: TestUser) => listOpenPauses(t.ctx.db, { userId: user.id, now: t.clock.now() })
const pausesOf = async (t: TestApp, user: TestUser) => (await openPauses(t, user)).map(({ serviceCode }) => serviceCode)

async function pauseMinutes(t: TestApp, user: TestUser): Promise<number> {
  const [pause] = await openPauses(t, user)
  return pause === undefined ? 0 : (pause.until.getTime() - t.clock.now().getTime()) / MINUTE
}

test('an account that hardly ever gets a code where others do has to pause, longer each time', async () => {
  await using t = await startTestApp()
  await t.addFake('one', [fakeOffer, { ...fakeOffer, serviceCode: 'wa' }])
  const [buyer, others, lucky] = [await t.makeUser({ balance: '1000' }), await t.makeUser(), await t.makeUser()]
  // Six codes in ten purchases are usual here, so fifteen codes in a hundred purchases are a quarter of the usual
  // share.
  await addEnded(t, others, { purchases: 200, codes: 120 })
  await addEnded(t, lucky, { purchases: 100, codes: 16 })
  await addEnded(t, buyer, { purchases: 49, codes: 0 })
  expect([await pausesOf(t, buyer), await pausesOf(t, lucky)]).toEqual([[], []])
  await buyOne(t, buyer)

  await addEnded(t, buyer, { purchases: 1, codes: 0 })
  const until = new Date(t.clock.now().getTime() + 30 * MINUTE)
  expect([await pausesOf(t, buyer), await pausesOf(t, lucky), await pausesOf(t, others)]).toEqual([['tg'], [], []])
  const { antifraud } = await call(t, 'GET /api/user/active-numbers', {}, { token: buyer.token })
  expect(antifraud).toEqual([{ service_id: 'tg', country_id: 2, until: until.toISOString() }])
  const told = await refused(t, BUY, TELEGRAM, { token: buyer.token, locale: 'en' })
  expect([told.status, told.body.code, told.body.data, told.retryAfter]).toEqual([
    409,
    'PAIR_PAUSED',
    { until: until.toISOString() },
    '1800',
  ])
  expect(told.body.message).toContain('30 min')
  const key = await t.makeApiKey(buyer)
  const query = new URLSearchParams({ action: 'getNumber', api_key: key, service: 'tg', country: '2' })
  const reply = await t.fetch(`/stubs/handler_api.php?${query}`)
  expect([reply.status, await reply.text()]).toEqual([200, `BANNED:2026-03-01 12-38-00`])
  await call(t, BUY, { ...TELEGRAM, service_id: 'wa' }, { token: buyer.token })
  await buyOne(t, lucky)

  t.clock.advance(31 * MINUTE)
  expect(await pausesOf(t, buyer)).toEqual([])
  await addEnded(t, buyer, { purchases: 49, codes: 0 })
  expect(await pausesOf(t, buyer)).toEqual([])
  await addEnded(t, buyer, { purchases: 1, codes: 0 })
  expect(await pauseMinutes(t, buyer)).toBe(60)
  for (const minutes of [120, 240, 480]) {
    t.clock.advance((minutes / 2 + 1) * MINUTE)
    await addEnded(t, buyer, { purchases: 50, codes: 1 })
    expect(await pauseMinutes(t, buyer)).toBe(minutes)
  }
  // A pause never lasts longer than a day. After a day without a pause, the next pause has the minimum length again.
  t.clock.advance(8 * HOUR + MINUTE)
  await addEnded(t, buyer, { purchases: 50, codes: 1 })
  expect(await pauseMinutes(t, buyer)).toBe(960)
  t.clock.advance(16 * HOUR + MINUTE)
  await addEnded(t, buyer, { purchases: 50, codes: 1 })
  expect(await pauseMinutes(t, buyer)).toBe(1440)
  t.clock.advance(49 * HOUR)
  await addEnded(t, buyer, { purchases: 50, codes: 1 })
  expect(await pauseMinutes(t, buyer)).toBe(30)
})

test('where nobody else buys, only next to no codes at all is a reason', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const [poor, hopeless] = [await t.makeUser(), await t.makeUser()]
  await addEnded(t, poor, { purchases: 50, codes: 2 })
  expect(await pausesOf(t, poor)).toEqual([])
  await addEnded(t, poor, { purchases: 17, codes: 0 })
  expect(await pausesOf(t, poor)).toHaveLength(1)
  await addEnded(t, hopeless, { purchases: 60, codes: 1 })
  expect(await pausesOf(t, hopeless)).toEqual([])
  await addEnded(t, hopeless, { purchases: 200, codes: 0 })
  expect(await pausesOf(t, hopeless)).toHaveLength(1)
})

test('whoever excludes what a supplier sells all the same has to pause, longer each time', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const [buyer, other] = [await t.makeUser({ balance: '1000' }), await t.makeUser({ balance: '1000' })]
  const buyExcluding = async ({ id: userId }: TestUser) => {
    const wanted = { serviceCode: 'tg', countryId: 2, operator: null, currency: 'rub', channel: 'handler_api' } as const
    await expect(buyActivation(t.ctx, { ...wanted, userId, excludedPrefixes: ['77'] })).rejects.toMatchObject({})
    await t.ctx.background.idle()
  }
  for (const minutes of [30, 60]) {
    for (let place = 0; place < 9; place += 1) await buyExcluding(buyer)
    expect(await pauseMinutes(t, buyer)).toBe(0)
    await buyExcluding(buyer)
    expect(await pauseMinutes(t, buyer)).toBe(minutes)
    const { length } = supplier.orders
    await buyExcluding(buyer)
    expect(supplier.orders).toHaveLength(length)
    t.clock.advance(minutes * MINUTE)
  }
  for (let place = 0; place < 9; place += 1) await buyExcluding(other)
  t.clock.advance(HOUR)
  await buyExcluding(other)
  expect(await pausesOf(t, other)).toEqual([])
})

test.runIf(redisProgram)(
  'excluded numbers that a buyer got count over two nodes, and while Redis is away',
  async () => {
    await using nodes = await startNodes(redisProgram)
    const { a, b, supplier } = nodes
    await addSupplier(b.ctx, supplier)
    for (const { ctx } of [a, b]) nodeOf(ctx).livingNodes = 2
    const buyUnwanted = async (t: TestApp, { id: userId }: TestUser) => {
      const wanted = {
        serviceCode: 'tg',
        countryId: 2,
        operator: null,
        currency: 'rub',
        channel: 'handler_api',
      } as const
      await expect(buyActivation(t.ctx, { ...wanted, userId, excludedPrefixes: ['77'] })).rejects.toMatchObject({})
      await t.ctx.background.idle()
    }
    const [first, second] = [await a.makeUser({ balance: '1000' }), await a.makeUser({ balance: '1000' })]
    await askInTurn([a, b], 9, (t) => buyUnwanted(t, first))
    expect(await pausesOf(a, first)).toEqual([])
    await buyUnwanted(b, first)
    expect(await pausesOf(a, first)).toHaveLength(1)
    await nodes.redis.kill()
    await askInTurn([a], 4, (t) => buyUnwanted(t, second))
    expect(await pausesOf(a, second)).toEqual([])
    await buyUnwanted(a, second)
    expect(await pausesOf(a, second)).toHaveLength(1)
  },
)
