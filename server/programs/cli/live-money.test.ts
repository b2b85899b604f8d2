import { expect, test, vi } from 'vitest'
import { insertAudit } from '#server/house/db/audit-log.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { followMoney } from '#server/programs/boot/follow-money.ts'
import { buyOne, chargeByAdvert, count, moneyOf, pushSms } from '#test/builders/activation-rows.ts'
import { WAITING_SESSIONS } from '#test/builders/held-row.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { typed, WHY } from '#test/harness/typed.ts'

test('money that the command line gives, takes or refunds is told to the open pages of its owner, and of nobody else', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const buyer = await t.makeUser({ balance: '100.00', email: 'anna@example.test' })
  const other = await t.makeUser({ balance: '5.00', email: 'boris@example.test' })
  const { id, phone } = await buyOne(t, buyer)
  await pushSms(t, supplier, { phone })
  await typed(t.database, 'user:credit', 'anna@example.test', '1', '--key', 'before', ...WHY)
  const look = await followMoney(t.ctx)
  using page = await listen(t, buyer)
  using otherPage = await listen(t, other)
  const change = async (...argv: string[]) => {
    expect(await typed(t.database, ...argv, ...WHY)).toMatchObject({ code: 0, err: '' })
    await look()
  }
  const told = () => page.next('BalanceTopup')

  await change('user:credit', 'anna@example.test', '12.50', '--key', 'gift')
  expect(await told()).toEqual({ balance: '100.50', currency: 'rub' })
  await change('user:credit', 'anna@example.test', '-0.50', '--key', 'fine')
  expect(await told()).toEqual({ balance: '100.00', currency: 'rub' })
  await change('order:refund', String(id))
  expect(await told()).toEqual({ balance: '113.00', currency: 'rub' })
  expect(await moneyOf(t, buyer)).toEqual({ balance: '113.00', held: '0.00' })

  await change('user:credit', 'anna@example.test', '12.50', '--key', 'gift')
  await change('price:set', '--margin', '20')
  await look()
  await change('user:credit', 'anna@example.test', '1', '--key', 'more')
  expect(await told()).toEqual({ balance: '114.00', currency: 'rub' })
  await change('user:credit', 'boris@example.test', '1', '--key', 'gift')
  expect(await otherPage.next('BalanceTopup')).toEqual({ balance: '6.00', currency: 'rub' })
})

test('a refund of many orders is told to the open pages of each buyer: the order and the balance', async () => {
  await using t = await startTestApp()
  const supplier = await t.addFake()
  const look = await followMoney(t.ctx)
  const open = async (balance: string) => {
    const buyer = await t.makeUser({ balance })
    const { id, phone } = await buyOne(t, buyer)
    await pushSms(t, supplier, { phone })
    await chargeByAdvert(t, id)
    return { id, balance, page: await listen(t, buyer) }
  }
  const pages = [await open('13.00'), await open('14.00')]
  expect(await typed(t.database, 'order:refund-texts', '--since', '3650d', ...WHY)).toMatchObject({ code: 0 })
  await look()
  for (const { id, balance, page } of pages) {
    using _ = page
    expect(await page.next('BalanceTopup')).toEqual({ balance, currency: 'rub' })
    expect(await page.next('ActivationChanged')).toMatchObject({ record: { id, refunded: '13.00' } })
  }
})

test('many changes at once are told in one go, each balance once', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser({ balance: '1.00', email: 'anna@example.test' })
  const look = await followMoney(t.ctx)
  using page = await listen(t, buyer)
  await typed(t.database, 'user:credit', 'anna@example.test', '2', '--key', 'first', ...WHY)
  await t.ctx.db.query({
    text: `INSERT INTO audit_log (at, actor, command, subject, reason) SELECT now(), 'anna', 'rate:set', 'rate:usd', 'x'
      FROM generate_series(1, 250)`,
  })
  await typed(t.database, 'user:credit', 'anna@example.test', '3', '--key', 'second', ...WHY)
  await look()
  const lot = () => page.next('BalanceTopup')
  expect([await lot(), await lot()]).toEqual([
    { balance: '6.00', currency: 'rub' },
    { balance: '6.00', currency: 'rub' },
  ])
  await typed(t.database, 'user:credit', 'anna@example.test', '4', '--key', 'third', ...WHY)
  await look()
  expect(await lot()).toEqual({ balance: '10.00', currency: 'rub' })
})

test('a change that was begun before another and ends after it is told all the same', async () => {
  await using t = await startTestApp()
  const buyer = await t.makeUser({ balance: '1.00', email: 'anna@example.test' })
  const look = await followMoney(t.ctx)
  using page = await listen(t, buyer)
  const row = { at: t.clock.now(), actor: 'anna', subject: 'x', reason: 'x', detail: { userId: buyer.id } }
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const slow = transaction(t.ctx.db, async (tx) => {
    await insertAudit(tx, { ...row, command: 'user:credit', tells: { balancesOf: [buyer.id] } })
    begun.resolve()
    await mayEnd.promise
  })
  await begun.promise
  const quick = transaction(t.ctx.db, (tx) => insertAudit(tx, { ...row, command: 'rate:set' }))
  // The second transaction must wait for the first. Otherwise the server would see the second's higher id first, and
  // never look for the first's lower id.
  await Promise.race([quick, vi.waitUntil(async () => (await count(t.ctx, WAITING_SESSIONS)) > 0, { timeout: 10_000 })])
  await look()
  mayEnd.resolve()
  await Promise.all([slow, quick])
  await look()
  expect(await page.next('BalanceTopup')).toEqual({ balance: '1.00', currency: 'rub' })
})
