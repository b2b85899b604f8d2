import { expect, test } from 'vitest'
import { catalogOf } from '#server/core/catalog/offers/catalog-index.ts'
import { expectBooksRight } from '#test/builders/activation-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }

test('P-16.6: operators are steps, cheapest first; a step sells its own numbers, never dearer than shown', async () => {
  await using t = await startTestApp()
  const good = await t.addFake('good', [{ ...fakeOffer, operator: 'beeline', costMicros: 12_000_000n }])
  const cheap = await t.addFake('cheap', [
    { ...fakeOffer, operator: 'tele2', costMicros: 20_000_000n },
    { ...fakeOffer, operator: 'altel', costMicros: 9_000_000n },
  ])
  const buyer = await t.makeUser({ balance: '100.00' })
  const { data } = await call(t, 'GET /api/price', TELEGRAM, { token: buyer.token })
  expect(data.operators.map(({ id, price }) => [id, price])).toEqual([
    ['any', '11.70'],
    ['altel', '11.70'],
    ['beeline', '15.60'],
    ['tele2', '26.00'],
  ])
  const step = { ...TELEGRAM, operator_id: 'beeline', price: '15.60' }
  const bought = await call(t, BUY, step, { token: buyer.token })
  expect(bought.data).toMatchObject({ operator: 'beeline', price: '15.60' })
  expect(cheap.orders).toEqual([])

  good.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  expect((await refused(t, BUY, step, { token: buyer.token })).body.code).toBe('NO_NUMBERS')
  expect(cheap.orders).toEqual([])
  catalogOf(t.ctx).setOffers(good.id, [{ ...fakeOffer, operator: 'beeline', costMicros: 13_000_000n }])
  const dearer = await refused(t, BUY, step, { token: buyer.token })
  expect(dearer.body).toMatchObject({ code: 'PRICE_CHANGED', data: { price: '16.90' } })
  await expectBooksRight(t.ctx)
})
