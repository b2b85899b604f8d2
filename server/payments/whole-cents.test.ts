import { expect, test } from 'vitest'
import { transaction } from '#server/db/transaction.ts'
import { lockAccount, moveMoney } from '#server/money/move-money.ts'
import { tell } from '#test/builders/money/reversals.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { findIdByTransaction } from './queries/arrivals.ts'
import { insertDeposit } from './queries/money.ts'
import { lockPayment } from './queries/payments.ts'

const TERMS = { feePoints: 290, bonusPoints: 333 }

async function open(t: TestApp, amount: string) {
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, TERMS)
  const user = await payer(t)
  const { transaction_id: transaction, fee, bonus } = await begin(t, user, amount)
  return { gateway, user, transaction, promised: { fee, bonus } }
}

test('F-6: the fee of a payment is rounded up and its bonus down to whole cents, as was promised when it began', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction, promised } = await open(t, '33.37')
  // 0.96773 and 1.111221.
  expect(promised).toEqual({ fee: '0.97', bonus: '1.11' })
  await tell(t, gateway, transaction, arrived(['whole', 3_337]))
  expect(await look(t, user, transaction)).toMatchObject({ ...promised, received: '33.37', credited: '33.51' })
  expect(await balanceOf(t, user)).toBe('33.51')
  await expectRightBooks(t)
})

test('F-6: money that comes in many small parts bears the fee of their sum, not one rounded up for each', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction, promised } = await open(t, '10.00')
  const parts = Array.from({ length: 100 }, (_, place): [string, number] => [`part-${place}`, 10])
  for (const seen of [1, 2, 50, 100]) await tell(t, gateway, transaction, arrived(...parts.slice(0, seen)))
  expect(promised).toEqual({ fee: '0.29', bonus: '0.33' })
  expect(await look(t, user, transaction)).toMatchObject({ ...promised, received: '10.00', credited: '10.04' })
  await expectRightBooks(t)
})

test('F-6: a fee and a bonus that were booked in millionths stay as they are, and the books are right over them', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction: name } = await open(t, '33.37')
  const [amountMicros, fee, bonus] = [33_370_000n, 967_730n, 1_111_221n]
  await transaction(t.ctx.db, async (tx) => {
    const paymentId = (await findIdByTransaction(tx, name)) ?? 0n
    const row = await lockPayment(tx, paymentId)
    if (row === null) throw new Error('no payment')
    const { gateway_id: gatewayId, currency } = row
    await lockAccount(tx, user.id)
    const of = { paymentId, gatewayId, providerId: 'old', payerHash: null, now: t.clock.now() }
    const depositId = (await insertDeposit(tx, { ...of, amountMicros, restMicros: 0n, currency })) ?? 0n
    await moveMoney(tx, {
      ...{ userId: user.id, at: t.clock.now() },
      moves: [
        { kind: 'topup', micros: amountMicros, paymentId, depositId, idempotencyKey: `deposit:${depositId}` },
        { kind: 'fee', micros: fee, paymentId, depositId },
        { kind: 'bonus', micros: bonus, paymentId },
      ],
    })
    await tx.query({ text: `UPDATE payments SET state = 'paid', paid_at = $1`, values: [t.clock.now()] })
  })
  await expectRightBooks(t)
  await tell(t, gateway, name, arrived(['old', 3_337]))
  expect(await look(t, user, name)).toMatchObject({ fee: '0.96773', bonus: '1.111221', credited: '33.513491' })
  // The parts of a cent are made whole by the next fee of the same payment.
  await tell(t, gateway, name, arrived(['old', 3_337], ['more', 1_000]))
  expect(await look(t, user, name)).toMatchObject({ fee: '1.26', bonus: '1.111221' })
  await expectRightBooks(t)
})
