import { expect, test } from 'vitest'
import type { CallKey } from '#contract/calls/calls.ts'
import { MINUTE } from '#contract/time.ts'
import { loadCatalog } from '#server/core/catalog/offers/load-catalog.ts'
import { refreshOffers } from '#server/core/catalog/offers/refresh-offers.ts'
import { sweepPreorders } from '#server/core/numbers/preorders/sweep.ts'
import { buyOne, count, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting } from '#test/builders/rental-rows.ts'
import { fakeOffer } from '#test/fakes/fake-supplier.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const PAIR = { service_id: 'tg', country_id: 2 }

const waysIn = (numbers: { waiting: number; finished: number }): [CallKey, object][] => [
  ['POST /api/v1/activations', PAIR],
  ['POST /api/v1/rentals', { ...PAIR, period: 24 }],
  ['POST /api/v1/preorders', { ...PAIR, max_price: '10.00', hours: 24 }],
  ['POST /api/v1/activations/{id}/replace', { id: numbers.waiting }],
  ['POST /api/v1/activations/{id}/repeat', { id: numbers.finished }],
]

test('a blocked service can be bought by no way in, from the moment it is blocked', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const { token } = buyer
  const key = await t.makeApiKey(buyer)
  const finished = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: finished.phone })
  await call(t, 'POST /api/v1/activations/{id}/finish', { id: finished.id }, { token })
  const waiting = await buyOne(t, buyer)
  // The price exceeds `max_price`, so the pre-order waits. It must not buy later if the service is blocked.
  const { data: preorder } = await call(
    ...([t, 'POST /api/v1/preorders', { ...PAIR, max_price: '12.00', hours: 24 }, { token }] as const),
  )
  t.clock.advance(3 * MINUTE)
  const before = await moneyOf(t, buyer)
  expect(await typed(t.database, 'service:block', 'tg', ...WHY)).toMatchObject({ code: 0 })

  // The block applies at once, both before and after this process reloads the catalogue.
  for (const heard of [false, true]) {
    if (heard) await loadCatalog(t.ctx)
    for (const [way, input] of waysIn({ waiting: waiting.id, finished: finished.id })) {
      const { body } = await refused(t, way, input, { token })
      const expected = way.endsWith('repeat') ? ['BAD_SERVICE', 'REPEAT_UNAVAILABLE'] : ['BAD_SERVICE']
      expect(expected, `${way}, heard ${heard}`).toContain(body.code)
    }
    const query = new URLSearchParams({ action: 'getNumber', api_key: key, service: 'tg', country: '2' })
    expect(await (await t.fetch(`/stubs/handler_api.php?${query}`)).text()).toBe('BAD_SERVICE')
    supplier.offers = [{ ...fakeOffer, costMicros: heard ? 1_000_000n : 2_000_000n }]
    await refreshOffers(t.ctx, supplier)
    t.clock.advance(MINUTE)
    await sweepPreorders(t.ctx)
  }
  expect(await moneyOf(t, buyer)).toEqual(before)
  expect(await count(t.ctx, 'activations')).toBe(2)
  expect(await count(t.ctx, 'rentals')).toBe(0)
  expect(await count(t.ctx, `preorders WHERE state = 'waiting' AND id = ${preorder.id}`)).toBe(1)
  await pushSms(t, supplier, { phone: waiting.phone, messageId: 'late' })
  expect(await count(t.ctx, `activations WHERE state = 'received'`)).toBe(1)
  await expectBooksRight(t.ctx)
})

test('a paused pair can be bought by no way in, and only by this account', async () => {
  await using t = await startTestApp()
  await addRenting(t)
  const [buyer, other] = [await t.makeUser({ balance: '1000.00' }), await t.makeUser({ balance: '1000.00' })]
  const { token } = buyer
  const waiting = await buyOne(t, buyer)
  await pause(t, buyer.id)
  t.clock.advance(3 * MINUTE)
  for (const [way, input] of waysIn({ waiting: waiting.id, finished: waiting.id }).slice(0, -1)) {
    expect((await refused(t, way, input, { token })).body.code, way).toBe('PAIR_PAUSED')
    if (!way.includes('{id}')) await call(t, way, input as never, { token: other.token })
  }
  expect(await count(t.ctx, `activations WHERE user_id = ${buyer.id}`)).toBe(1)
  const lists = ['GET /api/user/active-numbers', 'GET /api/user/active-rent-numbers'] as const
  for (const list of lists) {
    expect((await call(t, list, {}, { token })).antifraud).toEqual([{ ...PAIR, until: '2026-03-01T13:00:00.000Z' }])
    expect((await call(t, list, {}, { token: other.token })).antifraud).toEqual([])
  }
  await expectBooksRight(t.ctx)
})

async function pause(t: TestApp, userId: number): Promise<void> {
  await t.ctx.db.query({
    text: `INSERT INTO purchase_pauses (user_id, service_code, country_id, purchases, codes, began_at, until)
      VALUES ($1, 'tg', 2, 60, 0, $2, '2026-03-01 13:00Z')`,
    values: [userId, t.clock.now()],
  })
}
