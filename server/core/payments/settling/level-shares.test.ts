import { expect, test } from 'vitest'
import { debtOf, paid, reversal, tell } from '#test/builders/money/reversals.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { typed, WHY } from '#test/harness/typed.ts'

async function paidWithBonus(t: TestApp) {
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const user = await payer(t)
  const transaction = await paid(t, gateway, user)
  const facts = gateway.facts.get(transaction) ?? arrived()
  return { gateway, user, transaction, facts }
}

test('of a refund that is refused because a dispute has come, which is lost, no bonus is left', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction, facts } = await paidWithBonus(t)
  await typed(t.database, 'payment:refund', transaction, ...WHY)
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', 'open', 50_000)] })
  gateway.onRefund = async () => ({ outcome: 'refused', reason: 'charge_disputed' })
  await t.runJobs()
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', 'lost', 50_000)] })
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 0n])
  expect(await look(t, user, transaction)).toMatchObject({ state: 'disputed', bonus: '0.00', credited: '0.00' })
  await expectRightBooks(t)
})

test('of a refund made during a dispute, which is won because of it, no bonus is left', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction, facts } = await paidWithBonus(t)
  const refund = reversal('refund', 'done', 50_000)
  for (const state of ['open', 'won'] as const) {
    await tell(t, gateway, transaction, { ...facts, reversals: [reversal('dispute', state, 50_000), refund] })
  }
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 0n])
  expect(await look(t, user, transaction)).toMatchObject({ state: 'refunded', bonus: '0.00', credited: '0.00' })
  await expectRightBooks(t)
})

test('who pays twice by mistake and gets the second back keeps the whole bonus, told at once or one after the other', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { bonusPoints: 1000 })
  const [user, other] = [await payer(t), await payer(t)]
  const twice = (id: string) => arrived([`${id}-1`, 50_000], [`${id}-2`, 50_000])
  const { transaction_id: slow } = await begin(t, user)
  await tell(t, gateway, slow, twice(slow))
  await tell(t, gateway, slow, { ...twice(slow), reversals: [reversal('refund', 'done', 50_000, 're-slow')] })
  const { transaction_id: quick } = await begin(t, other)
  await tell(t, gateway, quick, { ...twice(quick), reversals: [reversal('refund', 'done', 50_000, 're-quick')] })
  expect([await balanceOf(t, user), await balanceOf(t, other)]).toEqual(['550.00', '550.00'])
  const both = [reversal('refund', 'done', 50_000, 're-slow'), reversal('refund', 'done', 25_000, 're-more')]
  await tell(t, gateway, slow, { ...twice(slow), reversals: both })
  expect(await balanceOf(t, user)).toBe('275.00')
  await expectRightBooks(t)
})

test('with a fee of the payer all is refunded, also in the gateway’s pages, without a debt; what fails bears it again', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { feePoints: 350 })
  const [user, other] = [await payer(t), await payer(t)]
  const [first, second] = [await paid(t, gateway, user), await paid(t, gateway, other)]
  expect(await balanceOf(t, user)).toBe('482.50')
  const refund = (...more: string[]) => typed(t.database, 'payment:refund', first, ...more, ...WHY)
  expect(await refund('--amount', '100')).toMatchObject({ code: 0 })
  expect(await balanceOf(t, user)).toBe('386.00')
  expect(await refund('--amount', '400')).toMatchObject({ code: 0 })
  expect(await balanceOf(t, user)).toBe('0.00')
  expect(await look(t, user, first)).toMatchObject({ state: 'refunded', fee: '0.00', credited: '0.00' })
  gateway.onRefund = async () => ({ outcome: 'refused', reason: 'no funds' })
  await t.runJobs()
  expect(await balanceOf(t, user)).toBe('482.50')
  expect(await look(t, user, first)).toMatchObject({ state: 'paid', fee: '17.50', credited: '482.50' })

  const facts = gateway.facts.get(second) ?? arrived()
  await tell(t, gateway, second, { ...facts, reversals: [reversal('refund', 'done', 50_000, 'by-dashboard')] })
  expect([await balanceOf(t, other), await debtOf(t, other)]).toEqual(['0.00', 0n])
  await expectRightBooks(t)
})
