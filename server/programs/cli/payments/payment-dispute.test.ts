import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { reconcilePayments } from '#server/core/payments/reconcile.ts'
import { followMoney } from '#server/programs/boot/follow-money.ts'
import { insertGateway } from '#server/programs/cli/queries/gateways.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { openShop, paymentIn, startBehindProxy, tell } from '#test/fakes/yookassa/open-shop.ts'
import { openYookassaHouse } from '#test/fakes/yookassa/yookassa-house.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { listen } from '#test/harness/live-listener.ts'
import { auditOf, type Said, typed, WHY } from '#test/harness/typed.ts'

const BANK = {
  text: { en: 'Name the reference', ru: 'Укажите номер' },
  rows: [{ label: { en: 'Account', ru: 'Счёт' }, value: '40817810000000000001' }],
  systems: { main: { bonus_percent: '10' } },
}

async function paidByBank(t: TestApp) {
  await t.addGateway({ code: 'bank', kind: 'transfer', settings: BANK })
  const user = await payer(t)
  const { transaction_id } = await begin(t, user, '500.00', 'bank')
  const type = (command: string, ...more: string[]): Promise<Said> =>
    typed(t.database, command, transaction_id, ...more, ...WHY)
  expect(await type('payment:settle', '500', '--id', 'entry-1')).toMatchObject({ code: 0 })
  return { user, transaction_id, type }
}

test('a chargeback that no gateway tells of: noted once, with its bonus, won or lost, and told to open pages', async () => {
  await using t = await startTestApp()
  const { user, transaction_id, type } = await paidByBank(t)
  const follow = await followMoney(t.ctx)
  using page = await listen(t, user)
  expect(await type('payment:dispute', '--id', 'case-1', '--amount', '200')).toMatchObject({
    code: 0,
    out: expect.stringContaining('The dispute case-1 of 200.00 rub is open: payment'),
  })
  await follow()
  expect(await page.next('BalanceTopup')).toEqual({ balance: '330.00', currency: 'rub' })
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'disputed', refunded: '200.00' })
  expect(await type('payment:dispute', '--id', 'case-1', '--amount', '200')).toMatchObject({
    code: 0,
    out: expect.stringContaining('was noted before, it is open: nothing moved'),
  })
  expect(await type('payment:dispute', '--id', 'case-1')).toMatchObject({
    code: 1,
    err: 'The dispute case-1 was noted with 200.00 rub: nothing moved, take another id\n',
  })
  expect(await type('payment:dispute-won', '--id', 'case-1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('is won'),
  })
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', refunded: '0.00', credited: '550.00' })
  expect(await type('payment:dispute-won', '--id', 'case-1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('nothing moved'),
  })
  expect(await type('payment:dispute-lost', '--id', 'case-1')).toMatchObject({
    code: 1,
    err: 'The dispute case-1 was won before\n',
  })
  expect(await type('payment:dispute', '--id', 'case-2')).toMatchObject({ code: 0 })
  expect(await type('payment:dispute-lost', '--id', 'case-2')).toMatchObject({ code: 0 })
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'disputed', credited: '0.00' })
  expect(await auditOf(t.ctx.db)).toMatchObject([
    { command: 'payment:settle' },
    { command: 'payment:dispute', reason: 'because', detail: { amount: '200.00', id: 'case-1', state: 'open' } },
    { command: 'payment:dispute-won', detail: { amount: '200.00', id: 'case-1', state: 'won' } },
    { command: 'payment:dispute', detail: { amount: '500.00', id: 'case-2' } },
    { command: 'payment:dispute-lost', detail: { amount: '500.00', id: 'case-2', state: 'lost' } },
  ])
  await expectRightBooks(t)
})

test('what looks like a slip is refused: unpaid, more than arrived, gone back before, another payment’s id, nonsense', async () => {
  await using t = await startTestApp()
  const { user, type } = await paidByBank(t)
  const { transaction_id: unpaid } = await begin(t, user, '500.00', 'bank')
  const dispute = (payment: string, ...more: string[]) => typed(t.database, 'payment:dispute', payment, ...more, ...WHY)
  expect(await dispute(unpaid, '--id', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing has arrived'),
  })
  expect(await dispute('nobodys', '--id', 'x')).toMatchObject({ code: 1, err: 'There is no payment nobodys\n' })
  expect(await type('payment:dispute', '--id', 'x', '--amount', '500.01')).toMatchObject({
    code: 1,
    err: expect.stringContaining('500.01 is more than the 500.00 rub that arrived'),
  })
  for (const amount of ['0', '-5', '1e3', 'all', '10.015', '0.005']) {
    expect(await type('payment:dispute', '--id', 'x', `--amount=${amount}`), amount).toMatchObject({ code: 2 })
  }
  expect(await type('payment:dispute', '--id', 'two words')).toMatchObject({ code: 2 })
  expect(await type('payment:dispute-won', '--id', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no dispute x'),
  })
  expect(await type('payment:refund', '--amount', '400')).toMatchObject({ code: 0 })
  expect(await type('payment:dispute', '--id', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('400.00 rub of payment'),
  })
  expect(await balanceOf(t, user)).toBe('110.00')
  // A payer who got a refund may still go to the bank. The dispute then becomes a debt.
  expect(await type('payment:dispute', '--id', 'x', '--yes')).toMatchObject({ code: 0 })
  expect(await balanceOf(t, user)).toBe('0.00')
  expect(await typed(t.database, 'payment:settle', unpaid, '500', '--id', 'entry-2', ...WHY)).toMatchObject({ code: 0 })
  expect(await dispute(unpaid, '--id', 'x')).toMatchObject({ code: 1, err: 'x is the dispute of another payment\n' })
  await insertGateway(t.ctx.db, { code: 'card', kind: 'stripe', settings: {}, now: t.clock.now() })
  await t.ctx.db.query({
    text: `UPDATE payments SET gateway_id = (SELECT id FROM gateways WHERE code = 'card') WHERE transaction_id = $1`,
    values: [unpaid],
  })
  expect(await dispute(unpaid, '--id', 'y')).toMatchObject({
    code: 1,
    err: expect.stringContaining('card tells of disputes itself'),
  })
})

test('twenty chargebacks with one id at the same time take the money once; what YooKassa answers later leaves it', async () => {
  await using t = await startBehindProxy()
  await using house = await openYookassaHouse(t.clock)
  const shop = await openShop(t, house)
  const { user } = shop
  const { transaction_id } = await begin(t, user, '500.00', 'yoo-card')
  house.pay(paymentIn(shop).id)
  await tell(shop, house.event('payment.succeeded', paymentIn(shop)))
  const said = await Promise.all(
    Array.from({ length: 20 }, () =>
      typed(t.database, 'payment:dispute', transaction_id, '--id', 'case-1', '--amount', '300', ...WHY),
    ),
  )
  expect(said.filter(({ out }) => out.includes('is open: payment'))).toHaveLength(1)
  expect(said.every(({ code }) => code === 0)).toBe(true)
  expect(await balanceOf(t, user)).toBe('200.00')
  expect(await typed(t.database, 'payment:recheck', transaction_id, ...WHY)).toMatchObject({ code: 0 })
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'disputed', refunded: '300.00' })
  expect(house.faults).toEqual([])
  await expectRightBooks(t)
})
