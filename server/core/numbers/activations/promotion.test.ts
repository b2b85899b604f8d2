import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { followChanges } from '#server/programs/boot/follow-changes.ts'
import { buyOne, expectBooksRight, moneyOf, pushSms, transfersOf } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { temporaryFolder } from '#test/harness/temporary-folder.ts'
import { typed, WHY } from '#test/harness/typed.ts'
import { cancelActivation } from './cancel.ts'
import { sweepExpired } from './sweep.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }
const PAIR = ['--service', 'tg', '--country', '2']
const PRICE = ['--price', '9', '--currency', 'rub']
const LIMITS = ['--below-cost', '--sale-loss-limit', '1.50', '--loss-limit', '3.00']

const until = () => new Date(Date.now() + DAY).toISOString()

/** Sells numbers worth 10.00 for 9.00 until tomorrow. Three concurrent sales exceed the loss limit. */
async function openPromotion(t: TestApp, offers = [fakeOffer]) {
  const supplier = await t.addFake('fake', offers)
  const look = await followChanges(t.ctx)
  const set = await typed(t.database, 'price:set', ...PAIR, ...PRICE, '--until', until(), ...LIMITS, '--yes', ...WHY)
  expect(set).toMatchObject({ code: 0 })
  // The command line uses the machine's clock, so the test clock is set to the machine's time.
  t.clock.advance(Date.now() - t.clock.now().getTime() + MINUTE)
  await look()
  return { supplier, look }
}

async function spent(t: TestApp): Promise<bigint[]> {
  const { rows } = await t.ctx.db.query<{ spent_micros: bigint }>({
    text: 'SELECT spent_micros FROM promotions ORDER BY id',
  })
  return rows.map((row) => row.spent_micros)
}

test('P-16.6: a sale below cost books its loss with the code, and takes it back with the refund', async () => {
  await using t = await startTestApp()
  const { supplier } = await openPromotion(t)
  const buyer = await t.makeUser({ balance: '100.00' })
  const { data } = await call(t, BUY, { ...TELEGRAM, price: '9.00' }, { token: buyer.token })
  expect(data).toMatchObject({ price: '9.00', state: 'waiting' })
  expect(supplier.orders).toMatchObject([{ maxCostMicros: 10_000_000n }])
  expect(await spent(t)).toEqual([1_500_000n])
  await expectBooksRight(t.ctx)

  await pushSms(t, supplier, { phone: data.phone ?? '' })
  await pushSms(t, supplier, { phone: data.phone ?? '', messageId: 'again' })
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture', 'promotion'])
  expect(await spent(t)).toEqual([1_000_000n])
  const { rows } = await t.ctx.db.query({
    text: `SELECT from_account, to_account, amount_micros, currency, activation_id FROM transfers WHERE kind = 'promotion'`,
  })
  const loss = { amount_micros: 1_000_000n, currency: 'rub', activation_id: BigInt(data.id) }
  expect(rows).toEqual([{ from_account: 'promotions', to_account: 'revenue', ...loss }])
  await expectBooksRight(t.ctx)

  // The buyer sees neither the promotion nor its loss, because they would reveal the cost.
  const moves = await call(t, 'GET /api/v1/movements', {}, { token: buyer.token })
  expect(JSON.stringify(moves)).not.toContain('promotion')
  const entries = await call(t, 'GET /api/v1/entries', {}, { token: buyer.token })
  expect(JSON.stringify(entries)).not.toContain('promotion')

  const refunds = await Promise.all([1, 2].map(() => typed(t.database, 'order:refund', String(data.id), ...WHY)))
  expect(refunds.map(({ code }) => code).toSorted()).toEqual([0, 1])
  const kinds = await transfersOf(t.ctx, data.id)
  expect(kinds.toSorted()).toEqual(['capture', 'hold', 'promotion', 'promotion_back', 'refund'])
  expect(await moneyOf(t, buyer)).toEqual({ balance: '100.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('P-16.6: a sale that ends without a code loses nothing, and a late code books nothing', async () => {
  await using t = await startTestApp()
  const { supplier } = await openPromotion(t)
  const buyer = await t.makeUser({ balance: '100.00' })
  const bought = await buyOne(t, buyer)
  t.clock.advance(HOUR)
  await sweepExpired(t.ctx)
  expect(await spent(t)).toEqual([0n])
  await pushSms(t, supplier, { phone: bought.phone })
  expect(await transfersOf(t.ctx, bought.id)).toEqual(['hold', 'release'])
  expect(await spent(t)).toEqual([0n])
  await expectBooksRight(t.ctx)
})

test('P-16.6: a code and a refund at the same moment leave the books right, whichever is first', async () => {
  await using t = await startTestApp()
  const { supplier } = await openPromotion(t)
  const buyer = await t.makeUser({ balance: '100.00' })
  for (let round = 0; round < 4; round += 1) {
    const { data } = await call(t, BUY, TELEGRAM, { token: buyer.token })
    await Promise.all([
      pushSms(t, supplier, { phone: data.phone ?? '', messageId: `race-${round}` }),
      refundActivation(t.ctx.db, { activationId: BigInt(data.id), at: t.clock.now() }),
      cancelActivation(t.ctx, { activationId: data.id, userId: buyer.id }).catch(() => undefined),
    ])
    await expectBooksRight(t.ctx)
    await t.ctx.db.query({ text: 'UPDATE promotions SET limit_micros = limit_micros + 1000000' })
  }
})

test('P-16.6: of purchases at once no more are sold below cost than the ceiling allows; then the usual price holds', async () => {
  await using t = await startTestApp()
  const { supplier, look } = await openPromotion(t)
  const buyers = await Promise.all(Array.from({ length: 5 }, () => t.makeUser({ balance: '100.00' })))
  const buy = { ...TELEGRAM, price: '9.00' }
  const answers = await Promise.all(
    buyers.map(({ token }) =>
      t.app.inject({
        method: 'POST',
        url: '/api/v1/activations',
        payload: buy,
        headers: { authorization: `Bearer ${token}` },
      }),
    ),
  )
  const refusedOnes = answers.filter(({ statusCode }) => statusCode !== 201)
  expect(refusedOnes).toHaveLength(3)
  for (const answer of refusedOnes)
    expect(answer.json()).toMatchObject({ code: 'PRICE_CHANGED', data: { price: '13.00' } })
  expect(await spent(t)).toEqual([3_000_000n])
  const [one] = buyers
  if (one === undefined) throw new Error('there are five')
  const { data } = await call(t, 'GET /api/price', TELEGRAM, { token: one.token })
  expect(data.price).toBe('13.00')
  await expectBooksRight(t.ctx)

  for (const { phone } of supplier.sold.values()) await pushSms(t, supplier, { phone, messageId: phone })
  expect(await spent(t)).toEqual([2_000_000n])
  await look()
  expect((await call(t, 'GET /api/price', TELEGRAM, { token: one.token })).data.price).toBe('13.00')
  await t.ctx.db.query({ text: 'UPDATE promotions SET limit_micros = 4000000' })
  await look()
  expect((await call(t, 'GET /api/price', TELEGRAM, { token: one.token })).data.price).toBe('9.00')
  t.clock.advance(2 * DAY)
  await look()
  const late = await t.makeUser({ balance: '100.00' })
  expect((await refused(t, BUY, buy, { token: late.token })).body).toMatchObject({ code: 'PRICE_CHANGED' })
  await expectBooksRight(t.ctx)
})

test('P-16.6: an offer above the limit of a sale is not sold; one below the price costs no promotion anything', async () => {
  await using t = await startTestApp()
  const { supplier } = await openPromotion(t, [{ ...fakeOffer, costMicros: 10_600_000n }])
  const buyer = await t.makeUser({ balance: '100.00' })
  const answer = await refused(t, BUY, { ...TELEGRAM, price: '9.00' }, { token: buyer.token })
  expect(answer.body.code).toBe('PRICE_CHANGED')
  expect(supplier.orders).toEqual([])
  const cheap = await t.addFake('cheap', [{ ...fakeOffer, costMicros: 8_000_000n }])
  const { data } = await call(t, BUY, { ...TELEGRAM, price: '9.00' }, { token: buyer.token })
  await pushSms(t, cheap, { phone: data.phone ?? '' })
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture'])
  expect(await spent(t)).toEqual([0n])
  await expectBooksRight(t.ctx)
})

test('P-16.6: buyers of the other currency lose the same ceiling, at the rate of the sale', async () => {
  await using t = await startTestApp()
  const { supplier } = await openPromotion(t)
  const buyer = await t.makeUser({ balance: '10.00', currency: 'usd' })
  const { data } = await call(t, BUY, TELEGRAM, { token: buyer.token })
  await pushSms(t, supplier, { phone: data.phone ?? '' })
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture', 'promotion'])
  const [micros = 0n] = await spent(t)
  expect(micros).toBeGreaterThan(900_000n)
  expect(micros).toBeLessThanOrEqual(1_000_000n)
  await expectBooksRight(t.ctx)
})

test('P-16.6: pre-orders take the ceiling too, and wait once it is reached', async () => {
  await using t = await startTestApp()
  await openPromotion(t)
  const buyer = await t.makeUser({ balance: '100.00' })
  const wish = { ...TELEGRAM, max_price: '9.00', hours: 24 }
  for (let place = 0; place < 3; place += 1) await call(t, 'POST /api/v1/preorders', wish, { token: buyer.token })
  await sweepPreorders(t.ctx)
  await sweepPreorders(t.ctx)
  const { data } = await call(t, 'GET /api/v1/preorders', {}, { token: buyer.token })
  expect(data).toMatchObject([{ state: 'waiting' }])
  expect(await spent(t)).toEqual([3_000_000n])
  await expectBooksRight(t.ctx)
})

test('P-16.6: a number is not bought once more below its cost, but by a promotion', async () => {
  await using t = await startTestApp()
  const { supplier, look } = await openPromotion(t)
  supplier.repeats = true
  const buyer = await t.makeUser({ balance: '100.00' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  const { token } = buyer
  await call(t, 'POST /api/v1/activations/{id}/finish', { id }, { token })
  const { data } = await call(t, 'POST /api/v1/activations/{id}/repeat', { id, price: '9.00' }, { token })
  await pushSms(t, supplier, { phone, messageId: 'repeated' })
  expect(await transfersOf(t.ctx, data.id)).toEqual(['hold', 'capture', 'promotion'])
  expect(await spent(t)).toEqual([2_000_000n])

  expect(await typed(t.database, 'price:remove', ...PAIR, '--yes', ...WHY)).toMatchObject({ code: 0 })
  expect(await typed(t.database, 'price:set', ...PAIR, ...PRICE, '--yes', ...WHY)).toMatchObject({ code: 0 })
  await look()
  const again = await refused(t, 'POST /api/v1/activations/{id}/repeat', { id, price: '9.00' }, { token })
  expect(again.body.code).toBe('REPEAT_UNAVAILABLE')
  await expectBooksRight(t.ctx)
})

test.each([
  ['for one pair', ['--service', 'tg', ...PRICE, '--until', until(), ...LIMITS]],
  ['needs its end', [...PAIR, ...PRICE, ...LIMITS]],
  ['belongs to --price', [...PAIR, '--margin', '1', '--until', until(), ...LIMITS]],
  [
    '--loss-limit is',
    [...PAIR, ...PRICE, '--until', until(), '--below-cost', '--sale-loss-limit', '2', '--loss-limit', '1'],
  ],
  ['--sale-loss-limit is', [...PAIR, ...PRICE, '--until', until(), '--below-cost', '--loss-limit', '1']],
  ['belong to --below-cost', [...PAIR, ...PRICE, '--until', until(), '--loss-limit', '1']],
])('P-16.6: price:set below cost is refused: %s', async (says, argv) => {
  await using t = await startTestApp()
  const { code, err } = await typed(t.database, 'price:set', ...argv, '--yes', ...WHY)
  expect(code).toBe(2)
  expect(err).toContain(says)
})

test('P-16.6: the preview, the list and the files know a price below cost', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const terms = [...PAIR, ...PRICE, '--until', until()]
  expect((await typed(t.database, 'price:preview', ...terms)).out).toContain('1 below cost')
  const preview = await typed(t.database, 'price:preview', ...terms, ...LIMITS)
  expect(preview.out).toContain('0 below cost. Nothing was changed.')
  const asked = await typed(t.database, 'price:set', ...terms, ...LIMITS, ...WHY)
  expect(asked.err).toContain('change by more than 30 %')
  expect(await typed(t.database, 'price:set', ...terms, ...LIMITS, '--yes', ...WHY)).toMatchObject({ code: 0 })
  const list = await typed(t.database, 'price:list')
  expect(list.out).toContain('9.00 rub, below cost by 1.50 a sale and 3.00 in all, until')
  expect(list.out).toContain('0.00 of it spent')
  await using folder = await temporaryFolder()
  const file = folder.path('prices.csv')
  expect((await typed(t.database, 'price:export', file)).out).toContain('0 price rules')
  const replaced = await typed(t.database, 'price:import', file, '--replace', '--yes', ...WHY)
  expect(replaced).toMatchObject({ code: 0 })
  expect((await typed(t.database, 'price:list')).out).toContain('below cost by 1.50')
})
