import { expect, test } from 'vitest'
import type { HistoryTotalsFilter } from '#contract/past/history.ts'
import { MINUTE } from '#contract/time.ts'
import { refundActivation } from '#server/house/money/refund.ts'
import { buyOne, pushSms } from '#test/builders/activation-rows.ts'
import { addRenting, rentOne } from '#test/builders/rental-rows.ts'
import { call, refused } from '#test/harness/calls.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'

const TOTALS = 'GET /api/v1/history/totals'
const NOTHING = { purchases: 0, spent: '0.00', set_aside: '0.00', returned: '0.00', codes: 0, ended: 0 }

const read = async (t: TestApp, { token }: TestUser, filter: HistoryTotalsFilter = {}) =>
  (await call(t, TOTALS, filter, { token })).data

test('the totals add up what the filtered history lists: charged, set aside, come back, and the share of codes', async () => {
  await using t = await startTestApp()
  const supplier = await addRenting(t)
  const buyer = await t.makeUser({ balance: '1000.00' })
  const other = await t.makeUser()
  await buyOne(t, other)
  expect(await read(t, buyer)).toEqual({ ...NOTHING, currency: 'rub', success_share: null, is_cut: false })
  const coded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: coded.phone })
  await t.ctx.db.query({
    text: `UPDATE activations SET created_at = created_at - interval '2 days' WHERE id = $1`,
    values: [coded.id],
  })
  const cancelled = await buyOne(t, buyer)
  const refunded = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone: refunded.phone, messageId: 'refunded' })
  await refundActivation(t.ctx.db, { activationId: BigInt(refunded.id), at: t.clock.now() })
  t.clock.advance(3 * MINUTE)
  await call(t, 'POST /api/v1/activations/{id}/cancel', { id: cancelled.id }, { token: buyer.token })
  await buyOne(t, buyer)
  await rentOne(t, buyer)
  supplier.onBuy = async () => ({ outcome: 'refused', reason: 'no-numbers' })
  await refused(t, 'POST /api/v1/activations', { service_id: 'tg', country_id: 2 }, { token: buyer.token })

  expect(await read(t, buyer)).toEqual({
    currency: 'rub',
    purchases: 5,
    spent: '13.00',
    set_aside: '143.00',
    returned: '26.00',
    codes: 2,
    ended: 3,
    success_share: 0.667,
    is_cut: false,
  })
  expect(await read(t, buyer, { mode: 'rent' })).toMatchObject({ ...NOTHING, purchases: 1, set_aside: '130.00' })
  expect(await read(t, buyer, { mode: 'activation' })).toMatchObject({ purchases: 4, set_aside: '13.00' })
  expect(await read(t, buyer, { outcome: 'returned' })).toMatchObject({
    purchases: 2,
    spent: '0.00',
    returned: '26.00',
  })
  expect(await read(t, buyer, { services_ids: ['tg'] })).toMatchObject({ purchases: 4 })
  expect(await read(t, buyer, { countries_ids: [7] })).toMatchObject(NOTHING)
  expect(await read(t, buyer, { search: String(coded.id) })).toMatchObject({ purchases: 1, spent: '13.00' })
  expect(await read(t, buyer, { to: '2026-02-28' })).toMatchObject({ purchases: 1, spent: '13.00' })
  expect(await read(t, buyer, { from: '2026-03-01' })).toMatchObject({ purchases: 4, spent: '0.00' })
  expect((await refused(t, TOTALS, {})).body.code).toBe('UNAUTHENTICATED')
})
