import { expect, test } from 'vitest'
import { balanceOf, begin, expectRightBooks, payer } from '#test/builders/payments.ts'
import { startTestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

const BANK = {
  text: { en: 'Name the reference', ru: 'Укажите номер' },
  rows: [{ label: { en: 'Account', ru: 'Счёт' }, value: '40817810000000000001' }],
}

test('an --id that was credited for another payment, or with another amount, is refused and named; the same once more is not', async () => {
  await using t = await startTestApp()
  await t.addGateway({ code: 'bank', kind: 'transfer', settings: BANK })
  const [anna, boris] = [await payer(t), await payer(t)]
  const [a, b] = [await begin(t, anna, '500.00', 'bank'), await begin(t, boris, '700.00', 'bank')]
  const settle = (payment: string, amount: string) =>
    typed(t.database, 'payment:settle', payment, amount, '--id', '1', ...WHY)
  expect(await settle(a.transaction_id, '500.001')).toMatchObject({
    code: 2,
    err: expect.stringContaining('AMOUNT is'),
  })
  expect(await settle(a.transaction_id, '500')).toMatchObject({ code: 0 })
  expect(await settle(b.transaction_id, '700')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^1 was credited before, as 500\.00 rub of payment \d+: nothing moved, take another id$/m,
    ),
  })
  expect(await settle(a.transaction_id, '400')).toMatchObject({
    code: 1,
    err: expect.stringContaining('as 500.00 rub'),
  })
  expect(await settle(a.transaction_id, '500')).toMatchObject({
    code: 0,
    out: expect.stringContaining('nothing moved'),
  })
  expect([await balanceOf(t, anna), await balanceOf(t, boris)]).toEqual(['500.00', '0.00'])
  await expectRightBooks(t)
})
