import { expect, test } from 'vitest'
import { loadSenders } from '#server/core/numbers/messages/load-senders.ts'
import { senderBookOf } from '#server/core/numbers/messages/sender-book.ts'
import { buyOne, chargeByAdvert, expectBooksRight, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { holdActivation } from '#test/builders/held-row.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { auditOf, typed, WHY } from '#test/harness/typed.ts'

async function startToday(): Promise<TestApp> {
  const t = await startTestApp()
  t.clock.advance(Date.now() - t.clock.now().getTime())
  return t
}

test('OP-1: what an advert charged is told by message:judge and order:list, and taken back in one act', async () => {
  await using t = await startToday()
  const supplier = await t.addFake()
  const [anna, gone] = [await t.makeUser({ balance: '50.00' }), await t.makeUser({ balance: '13.00' })]
  const [bad, good, left] = [await buyOne(t, anna), await buyOne(t, anna), await buyOne(t, gone)]
  for (const { phone } of [bad, good, left]) await pushSms(t, supplier, { phone })
  await chargeByAdvert(t, bad.id)
  await chargeByAdvert(t, left.id)

  const judged = await typed(t.database, 'message:judge')
  expect(judged.code).toBe(0)
  expect(judged.out).toContain(`text of ${bad.id} -> nobody AD7: Win a prize today, call us now`)
  expect(judged.out).not.toContain(`of ${good.id}`)
  expect(judged.out + judged.err).toContain(`3 messages were judged; today's rule says something else of 2.`)

  await call(t, 'POST /api/v1/activations/{id}/finish', { id: left.id }, gone)
  expect(await typed(t.database, 'user:erase', gone.email, '--now', ...WHY)).toMatchObject({ code: 0 })
  const listed = await typed(t.database, 'order:list', '--paid-for', 'text')
  expect(listed.out.match(/^\d{9}/gm)).toEqual([String(bad.id)])
  expect(await typed(t.database, 'order:refund-texts', ...WHY)).toMatchObject({ code: 2 })
  const taken = await typed(t.database, 'order:refund-texts', '--since', '24h', ...WHY)
  expect(taken.out).toContain('1 activations were charged without a code')
  expect(await typed(t.database, 'order:refund-texts', '--since', '24h', ...WHY)).toMatchObject({
    out: expect.stringMatching(/^0 activations/),
  })
  expect(await moneyOf(t, anna)).toEqual({ balance: '37.00', held: '0.00' })
  expect((await auditOf(t.ctx.db)).slice(-1)).toMatchObject([
    { command: 'order:refund-texts', detail: { refunded: [{ id: bad.id, amount: '13.00' }] } },
  ])
  await expectBooksRight(t.ctx)
})

test('a buyer who reports at the same moment is paid once, and the others with it', async () => {
  await using t = await startToday()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '50.00' })
  const orders = [await buyOne(t, buyer), await buyOne(t, buyer), await buyOne(t, buyer)]
  for (const { phone } of orders) await pushSms(t, supplier, { phone })
  for (const { id } of orders) await chargeByAdvert(t, id)
  const { id } = orders[1] ?? { id: 0 }
  await using row = await holdActivation(t.database.connectionString, id)
  // The buyer's report locks the order first. The command waits for that lock with an outdated view of the order.
  const reported = call(t, 'POST /api/v1/activations/{id}/not-my-code', { id }, buyer)
  await row.waiters(1)
  const taken = typed(t.database, 'order:refund-texts', '--since', '24h', ...WHY)
  await row.waiters(2)
  await row.release()
  expect((await reported).data).toMatchObject({ refunded: '13.00' })
  expect((await taken).out).toContain('2 activations were charged without a code')
  expect(await moneyOf(t, buyer)).toEqual({ balance: '50.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('an order whose code comes while the act waits keeps its price', async () => {
  await using t = await startToday()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '50.00' })
  const [lost, kept] = [await buyOne(t, buyer), await buyOne(t, buyer)]
  for (const { phone } of [lost, kept]) await pushSms(t, supplier, { phone })
  for (const { id } of [lost, kept]) await chargeByAdvert(t, id)
  await using row = await holdActivation(t.database.connectionString, kept.id)
  const came = pushSms(t, supplier, { phone: kept.phone, text: 'Telegram code: 99821' })
  await row.waiters(1)
  const taken = typed(t.database, 'order:refund-texts', '--since', '24h', ...WHY)
  await row.waiters(2)
  await row.release()
  await came
  expect((await taken).out).toContain('1 activations were charged without a code')
  expect((await call(t, 'GET /api/v1/activations/{id}', { id: kept.id }, buyer)).data).toMatchObject({ code: '99821' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '37.00', held: '0.00' })
  await expectBooksRight(t.ctx)
})

test('OP-1: senders are ignored by pattern, of two letters at least, until they are heeded', async () => {
  await using t = await startToday()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '20.00' })
  for (const pattern of ['*', 'a*', '*a*b*']) {
    expect(await typed(t.database, 'sender:ignore', pattern, ...WHY), pattern).toMatchObject({ code: 2 })
  }
  expect(await typed(t.database, 'sender:ignore', 'AD*', ...WHY)).toMatchObject({ code: 0 })
  await loadSenders(t.ctx)
  expect(['AD7', 'ad-shop', 'LOAD', 'Telegram'].map((name) => senderBookOf(t.ctx).ignoredBy(name))).toEqual([
    'staff',
    'staff',
    null,
    null,
  ])
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone, sender: 'AD7', text: 'Telegram code: 48213' })
  expect((await call(t, 'GET /api/v1/activations/{id}', { id }, buyer)).data).toMatchObject({ state: 'waiting' })
  await typed(t.database, 'sender:heed', 'AD*', ...WHY)
  await loadSenders(t.ctx)
  expect(senderBookOf(t.ctx).ignoredBy('AD7')).toBeNull()
})
