import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '#contract/time.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { checkPayment } from './check-payment.ts'
import { paymentChecksOf } from './payment-checks.ts'
import { reconcilePayments } from './reconcile.ts'

async function pass(t: TestApp, turns: number, stepMs: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    t.clock.advance(stepMs)
    await reconcilePayments(t.ctx)
  }
}

test('payments whose gateway fails from their end on expire, take no place, and are credited when it answers weeks later', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const begun: string[] = []
  for (let turn = 0; turn < 5; turn += 1) begun.push((await begin(t, user)).transaction_id)
  gateway.onFetch = () => Promise.reject(new Error('No such checkout session'))
  await pass(t, 6, 10 * MINUTE)
  const [first = ''] = begun
  expect(await look(t, user, first)).toMatchObject({ state: 'expired' })
  await addFakeGateway(t, 'other')
  await begin(t, user, '500.00', 'other')

  await pass(t, 40, 6 * HOUR)
  const before = gateway.asked.length
  await pass(t, 20, DAY)
  expect(gateway.asked.length).toBeGreaterThan(before + 5 * 3)
  expect(gateway.asked.length).toBeLessThan(before + 5 * 21)
  gateway.onFetch = async ({ transactionId }) => arrived([`d-${transactionId}`, 50_000])
  await pass(t, 2, DAY)
  expect(await balanceOf(t, user)).toBe('2500.00')
  await expectRightBooks(t)
})

test('a gateway that fails about a payment for good is asked about it for months, and not for ever', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  await begin(t, user)
  gateway.onFetch = () => Promise.reject(new Error('No such checkout session'))
  await pass(t, 125, DAY)
  const before = gateway.asked.length
  await pass(t, 20, DAY)
  expect(gateway.asked.length).toBe(before)
})

test('a dispute and a refund that no webhook told of are found within the months in which they come, by few questions', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  gateway.facts.set(transaction_id, arrived(['d', 50_000]))
  await pass(t, 1, MINUTE)
  const before = gateway.asked.length
  await pass(t, 30, DAY)
  expect(gateway.asked.length - before).toBeLessThan(12)
  const refund = { kind: 'refund', providerId: 'r', amountMicros: 100_000_000n, state: 'done' } as const
  gateway.facts.set(transaction_id, { ...arrived(['d', 50_000]), reversals: [refund] })
  await pass(t, 8, DAY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', refunded: '100.00' })
  gateway.onFetch = () => Promise.reject(new Error('503'))
  await pass(t, 10, DAY)
  const dispute = { kind: 'dispute', providerId: 'x', amountMicros: 400_000_000n, state: 'lost' } as const
  gateway.onFetch = async () => ({ ...arrived(['d', 50_000]), reversals: [refund, dispute] })
  await pass(t, 8, DAY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'disputed' })
  expect(await balanceOf(t, user)).toBe('0.00')
  await pass(t, 125, DAY)
  const asked = gateway.asked.length
  await pass(t, 20, DAY)
  expect(gateway.asked.length).toBe(asked)
  expect(asked - before).toBeLessThan(60)
  await expectRightBooks(t)
})

test('a slow payment is confirmed after any number of days', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  gateway.facts.set(transaction_id, { ...NOTHING_YET, progress: 'confirming' })
  await pass(t, 60, DAY)
  gateway.onFetch = () => Promise.reject(new Error('503'))
  await pass(t, 2, DAY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'confirming' })
  gateway.onFetch = async () => arrived(['slow', 50_000])
  await pass(t, 1, DAY)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid' })
  expect(await balanceOf(t, user)).toBe('500.00')
  await expectRightBooks(t)
})

test('a webhook that is answered during a check makes its payment due soon, whatever becomes of the next check', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  const { rows: begun } = await t.ctx.db.query<{ id: bigint }>({ text: 'SELECT id FROM payments' })
  const first = arrived(['first', 50_000])
  const [asked, answer, askedAgain, ended] = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  let calls = 0
  gateway.onFetch = async () => {
    calls += 1
    if (calls > 1) {
      askedAgain?.resolve()
      await ended?.promise
      return null
    }
    asked?.resolve()
    await answer?.promise
    return first
  }
  const checked = checkPayment(t.ctx, begun[0]?.id ?? 0n)
  await asked?.promise
  expect((await gateway.send(t, { event: 'news', transaction: transaction_id })).status).toBe(200)
  const stateOfEvent = async () =>
    (await t.ctx.db.query<{ state: string }>({ text: 'SELECT state FROM gateway_events' })).rows[0]?.state
  await expect.poll(stateOfEvent).toBe('processed')
  await expect.poll(() => paymentChecksOf(t.ctx).isAskedAgain(begun[0]?.id ?? 0n)).toBe(true)
  answer?.resolve()
  await checked
  await askedAgain?.promise
  const { rows } = await t.ctx.db.query<{ state: string; next_check_at: Date }>({
    text: 'SELECT state, next_check_at FROM payments',
  })
  expect(rows).toEqual([{ state: 'paid', next_check_at: new Date(t.clock.now().getTime() + MINUTE) }])
  ended?.resolve()
  await t.ctx.background.idle()
  await expectRightBooks(t)
})
