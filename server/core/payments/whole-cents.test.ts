import { expect, test } from 'vitest'
import { transaction } from '#server/house/db/transaction.ts'
import { lockAccount, type Move, moveMoney } from '#server/house/money/move-money.ts'
import { debtOf, reversal, tell } from '#test/builders/money/reversals.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { findIdByTransaction } from './queries/arrivals.ts'
import { insertDeposit, insertReversal, storeShares } from './queries/money.ts'
import { lockPayment } from './queries/payments.ts'

const TERMS = { feePoints: 290, bonusPoints: 333 }

async function open(t: TestApp, amount: string, terms = TERMS) {
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, terms)
  const user = await payer(t)
  const { transaction_id: transaction, fee, bonus } = await begin(t, user, amount)
  return { gateway, user, transaction, promised: { fee, bonus } }
}

test('F-6: the fee of a payment is rounded up and its bonus down to whole cents, as was promised when it began', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction, promised } = await open(t, '33.37')
  // The fee before rounding is 0.96773, and the bonus is 1.111221.
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

/** Books a payment as earlier releases did: the fee, the bonus and the returned bonus in millionths. */
async function bookAsBefore(
  t: TestApp,
  { user, name, backMicros }: { user: TestUser; name: string; backMicros: bigint },
  { amountMicros, fee, bonus } = { amountMicros: 33_370_000n, fee: 967_730n, bonus: 1_111_221n },
) {
  const now = t.clock.now()
  await transaction(t.ctx.db, async (tx) => {
    const paymentId = (await findIdByTransaction(tx, name)) ?? 0n
    const row = await lockPayment(tx, paymentId)
    if (row === null) throw new Error('no payment')
    const of = { paymentId, gatewayId: row.gateway_id, currency: row.currency, now }
    await lockAccount(tx, user.id)
    const deposit = { ...of, amountMicros, restMicros: 0n, providerId: 'old', payerHash: null }
    const depositId = (await insertDeposit(tx, deposit)) ?? 0n
    const moves: Move[] = [
      { kind: 'topup', micros: amountMicros, paymentId, depositId, idempotencyKey: `deposit:${depositId}` },
      { kind: 'fee', micros: fee, paymentId, depositId },
      ...(bonus > 0n ? [{ kind: 'bonus', micros: bonus, paymentId } as const] : []),
    ]
    if (backMicros > 0n) {
      const refund = { ...of, kind: 'refund', state: 'done', providerId: 'back', amountMicros: backMicros } as const
      const { id: reversalId } = await insertReversal(tx, { ...refund, isPart: false })
      const bonusMicros = bonus - (bonus * (amountMicros - backMicros)) / amountMicros
      const feeMicros = (fee * backMicros) / amountMicros
      await storeShares(tx, { id: reversalId, bonusMicros, feeMicros })
      moves.push({ kind: 'payment_refund', micros: backMicros, paymentId, reversalId })
      moves.push({ kind: 'bonus_back', micros: bonusMicros, paymentId, reversalId })
      moves.push({ kind: 'fee_back', micros: feeMicros, paymentId, reversalId })
    }
    await moveMoney(tx, { userId: user.id, at: now, moves })
    await tx.query({ text: `UPDATE payments SET state = 'paid', paid_at = $1`, values: [now] })
  })
  await expectRightBooks(t)
}

test('F-6: a fee and a bonus that were booked in millionths stay as they are, and the books are right over them', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction: name } = await open(t, '33.37')
  await bookAsBefore(t, { user, name, backMicros: 0n })
  await tell(t, gateway, name, arrived(['old', 3_337]))
  expect(await look(t, user, name)).toMatchObject({ fee: '0.96773', bonus: '1.111221', credited: '33.513491' })
  await tell(t, gateway, name, arrived(['old', 3_337], ['more', 1_000]))
  expect(await look(t, user, name)).toMatchObject({ fee: '1.26', bonus: '1.111221' })
  await expectRightBooks(t)
})

test('F-6: what goes back takes its share of the bonus, and gives back that of the fee, in whole cents', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction } = await open(t, '33.37')
  const whole = arrived(['whole', 3_337])
  await tell(t, gateway, transaction, whole)
  await tell(t, gateway, transaction, { ...whole, reversals: [reversal('refund', 'done', 1_000, 'one')] })
  // The remaining bonus is 0.777 and the returned fee is 0.290 before rounding.
  expect(await look(t, user, transaction)).toMatchObject({ bonus: '0.77', fee: '0.68', credited: '23.46' })
  const all = [reversal('refund', 'done', 1_000, 'one'), reversal('refund', 'done', 2_337, 'other')]
  await tell(t, gateway, transaction, { ...whole, reversals: all })
  expect(await look(t, user, transaction)).toMatchObject({ state: 'refunded', bonus: '0.00', fee: '0.00' })
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 0n])
  await expectRightBooks(t)
})

test('F-6: shares of earlier releases in millionths stay too, so nobody owes a part of a cent, and all of it can go back', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction: name } = await open(t, '33.37')
  await bookAsBefore(t, { user, name, backMicros: 10_000_000n })
  const before = await look(t, user, name)
  const back = reversal('refund', 'done', 1_000, 'back')
  await tell(t, gateway, name, { ...arrived(['old', 3_337]), reversals: [back] })
  expect(await look(t, user, name)).toEqual(before)
  const rest = reversal('refund', 'done', 2_337, 'rest')
  await tell(t, gateway, name, { ...arrived(['old', 3_337]), reversals: [back, rest] })
  expect(await look(t, user, name)).toMatchObject({ state: 'refunded', bonus: '0.00', fee: '0.00', credited: '0.00' })
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00', 0n])
  await expectRightBooks(t)
})

test('F-6: of a payment with a fee in millionths nearly all can go back, and nobody owes a part of a cent', async () => {
  await using t = await startTestApp()
  const { gateway, user, transaction: name } = await open(t, '13.45', { feePoints: 290, bonusPoints: 0 })
  await bookAsBefore(t, { user, name, backMicros: 0n }, { amountMicros: 13_450_000n, fee: 390_050n, bonus: 0n })
  const back = reversal('refund', 'done', 1_344, 'back')
  await tell(t, gateway, name, { ...arrived(['old', 1_345]), reversals: [back] })
  expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual(['0.00971', 0n])
  await expectRightBooks(t)
})

test.each([
  ['less than a cent', 290, 967_730n, 2_000n, '0.00'],
  ['a cent', 9_900, 33_036_300n, 10_000n, '0.000099'],
])(
  'F-6: %s that comes after a fee in millionths bears no fee beyond itself',
  async (_, feePoints, fee, moreMicros, left) => {
    await using t = await startTestApp()
    const { gateway, user, transaction: name } = await open(t, '33.37', { feePoints, bonusPoints: 0 })
    const amountMicros = 33_370_000n
    await bookAsBefore(t, { user, name, backMicros: 0n }, { amountMicros, fee, bonus: 0n })
    const [old, back] = [arrived(['old', 3_337]), reversal('refund', 'done', 3_337, 'back')]
    await tell(t, gateway, name, { ...old, reversals: [back] })
    const deposits = [...old.deposits, { providerId: 'more', amountMicros: moreMicros }]
    await tell(t, gateway, name, { ...old, deposits, reversals: [back] })
    expect([await balanceOf(t, user), await debtOf(t, user)]).toEqual([left, 0n])
    await expectRightBooks(t)
  },
)
