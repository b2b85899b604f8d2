import { expect, test } from 'vitest'
import { adjustBalance } from '#server/house/money/credit.ts'
import { buyOne, count, expectBooksRight, moneyOf } from '#test/builders/activation-rows.ts'
import { refused } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { buyActivation } from '../purchase/buy.ts'

const BUY = 'POST /api/v1/activations'
const TELEGRAM = { service_id: 'tg', country_id: 2 }
const WISH = { currency: 'rub', serviceCode: 'tg', countryId: 2, operator: null, channel: 'site' } as const
const FALLBACK = { from: 'offers', operatorFallback: true } as const

test('a key that comes again with other excluded prefixes, or another fallback, is another purchase: refused', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser()
  const purchase = { ...WISH, userId: buyer.id, idempotencyKey: 'the same key', excludedPrefixes: ['7701', '7702'] }
  const { activation } = await buyActivation(t.ctx, purchase)
  const again = await buyActivation(t.ctx, { ...purchase, excludedPrefixes: ['7702', '7701'] })
  expect([again.repeated, again.activation.id]).toEqual([true, activation.id])
  for (const other of [{ excludedPrefixes: ['7701'] }, { excludedPrefixes: [] }, { source: FALLBACK }]) {
    await expect(buyActivation(t.ctx, { ...purchase, ...other })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
  }
  expect(await count(t.ctx, 'activations')).toBe(1)
})

// H-6: a purchase whose reason for refusal vanished meanwhile used to fail with NO_BALANCE and 0.00 missing.
test('a purchase whose reason to be refused is gone when it is looked for is made after all', async () => {
  await using t = await startTestApp()
  await t.addFake()
  const buyer = await t.makeUser({ balance: '12.99' })
  const { query } = t.ctx.db
  let reserved = 0
  t.ctx.db.query = (async (asked: Parameters<typeof query>[0]) => {
    const result = await query.call(t.ctx.db, asked)
    if (asked.name === 'activation-reserve') reserved += 1
    if (asked.name === 'activation-reserve' && reserved === 1) {
      const topUp = { userId: buyer.id, amountMicros: 10_000n, idempotencyKey: 'top-up', at: t.clock.now() }
      await adjustBalance(t.ctx.db, topUp)
    }
    return result
  }) as typeof query
  expect((await buyOne(t, buyer)).price).toBe('13.00')
  expect(reserved).toBe(2)
  expect(await moneyOf(t, buyer)).toEqual({ balance: '0.00', held: '13.00' })
  const missing = (await refused(t, BUY, TELEGRAM, { token: buyer.token })).body
  expect(missing).toMatchObject({ code: 'NO_BALANCE', data: { missing: '13.00' } })
  await expectBooksRight(t.ctx)
})
