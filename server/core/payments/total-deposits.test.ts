import { expect, test } from 'vitest'
import type { PaymentFacts } from '#server/core/gateways/gateway.ts'
import type { Db } from '#server/house/db/pool.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { balanceOf, begin, expectRightBooks, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { findIdByTransaction } from './queries/arrivals.ts'
import { settlePayment } from './settle-payment.ts'

const total = (cents: number): PaymentFacts => ({
  ...NOTHING_YET,
  deposits: [{ providerId: 'invoice', amountMicros: BigInt(cents) * 10_000n, isTotal: true }],
})

async function settle(t: TestApp, transactionId: string, facts: PaymentFacts): Promise<void> {
  const id = await findIdByTransaction(t.ctx.db, transactionId)
  await transaction(t.ctx.db, (tx) => settlePayment(tx, { id: id ?? 0n, facts, now: t.clock.now() }))
}

test('totals: what is new of each is credited, in any order, repeated, and twenty at once', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  await settle(t, transaction_id, total(0))
  await settle(t, transaction_id, total(30_000))
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'partial', received: '300.00' })
  const totals = Array.from({ length: 20 }, (_, place) => total(30_000 + (place % 5) * 5_000))
  await Promise.all(totals.map((facts) => settle(t, transaction_id, facts)))
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', received: '500.00' })
  await settle(t, transaction_id, total(30_000))
  expect(await balanceOf(t, user)).toBe('500.00')
  await settle(t, transaction_id, total(70_001))
  expect(await balanceOf(t, user)).toBe('700.01')
  await expectRightBooks(t)
})

test('a total beside single deposits counts them', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  const parts = [
    { providerId: 'a', amountMicros: 299_999_999n },
    { providerId: 'b', amountMicros: 200_000_000n },
  ]
  const facts = { ...total(0), deposits: [...parts, ...total(50_000).deposits] }
  await settle(t, transaction_id, facts)
  await settle(t, transaction_id, facts)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', received: '500.00' })
  await expectRightBooks(t)
})

test('deposits that facts repeat cost no statement each, however many there are', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user)
  const id = (await findIdByTransaction(t.ctx.db, transaction_id)) ?? 0n
  const first = (count: number): PaymentFacts => ({
    ...NOTHING_YET,
    deposits: Array.from({ length: count }, (_, place) => ({ providerId: `part-${place}`, amountMicros: 1_000_000n })),
  })
  let statements = 0
  const settleCounted = (facts: PaymentFacts) =>
    transaction(t.ctx.db, (tx) => {
      statements = 0
      const counting: Db = {
        query: (query) => {
          statements += 1
          return tx.query(query)
        },
      }
      return settlePayment(counting, { id, facts, now: t.clock.now() })
    })
  await settleCounted(first(1))
  await settleCounted(first(1))
  const ofOne = statements
  await settleCounted(first(300))
  await settleCounted(first(300))
  expect(statements).toBe(ofOne)
  await settleCounted(first(301))
  expect(await balanceOf(t, user)).toBe('301.00')
  await expectRightBooks(t)
})
