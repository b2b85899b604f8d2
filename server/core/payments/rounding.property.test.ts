import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Currency, toDecimal } from '#contract/money.ts'
import type { ArrivedDeposit, PaymentFacts } from '#server/core/gateways/gateway.ts'
import { transaction } from '#server/house/db/transaction.ts'
import { balanceOf, begin, expectRightBooks, look } from '#test/builders/payments.ts'
import { addFakeGateway, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp, type TestUser } from '#test/harness/harness.ts'
import { randomRuns } from '#test/harness/random-runs.ts'
import { findIdByTransaction } from './queries/arrivals.ts'
import { settlePayment } from './settle-payment.ts'

const CENT = 10_000n

type Split = {
  currency: Currency
  parts: bigint[]
  looks: number[]
  isTotal: boolean
}

const micros = fc.oneof(fc.bigInt(1n, 20_000n), fc.bigInt(1n, 3_000_000n))
const anySplit: fc.Arbitrary<Split> = fc.record({
  currency: fc.constantFrom('rub', 'usd'),
  parts: fc.array(micros, { minLength: 1, maxLength: 40 }),
  looks: fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
  isTotal: fc.boolean(),
})

const sum = (values: readonly bigint[]): bigint => values.reduce((total, one) => total + one, 0n)

function factsOf({ parts, isTotal }: Split, seen: number): PaymentFacts {
  const [known, turn] = [parts.slice(0, seen), seen % 2 === 0]
  const each: ArrivedDeposit[] = known.map((amountMicros, place) => ({ providerId: `part-${place}`, amountMicros }))
  const total: ArrivedDeposit = { providerId: 'total', amountMicros: sum(known), isTotal: true }
  return { ...NOTHING_YET, deposits: isTotal ? [total] : turn ? each : each.toReversed() }
}

async function settle(t: TestApp, transactionId: string, facts: PaymentFacts): Promise<void> {
  const id = (await findIdByTransaction(t.ctx.db, transactionId)) ?? 0n
  const deposits = facts.deposits.map((one) => ({ ...one, providerId: `${transactionId}/${one.providerId}` }))
  await transaction(t.ctx.db, (tx) => settlePayment(tx, { id, facts: { ...facts, deposits }, now: t.clock.now() }))
}

async function payerIn(t: TestApp, currency: Split['currency']): Promise<TestUser> {
  const user = await t.makeUser({ currency, balance: '0.00' })
  return { ...user, token: await t.makeApiKey(user) }
}

test('however money is split, a payment has the exact sum of it rounded down to the cent once', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const property = fc.asyncProperty(anySplit, async (split) => {
    const user = await payerIn(t, split.currency)
    const { transaction_id } = await begin(t, user, '100.00')
    for (const seen of [...split.looks, split.parts.length]) {
      await settle(t, transaction_id, factsOf(split, seen))
      await settle(t, transaction_id, factsOf(split, seen))
    }
    const exact = sum(split.parts)
    const whole = toDecimal(exact - (exact % CENT))
    expect(await look(t, user, transaction_id)).toMatchObject({ received: whole, credited: whole })
    expect(await balanceOf(t, user)).toBe(whole)
    await expectRightBooks(t)
  })
  await fc.assert(property, { numRuns: randomRuns({ suite: 8, soak: 500 }) })
})

test('a hundred deposits of 1.000001 credit what one of 100.0001 does', async () => {
  await using t = await startTestApp()
  await addFakeGateway(t)
  const user = await payerIn(t, 'usd')
  const { transaction_id } = await begin(t, user, '100.00')
  const deposits = Array.from({ length: 100 }, (_, place) => ({ providerId: `p-${place}`, amountMicros: 1_000_001n }))
  await settle(t, transaction_id, { ...NOTHING_YET, deposits })
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid', received: '100.00', credited: '100.00' })
  await expectRightBooks(t)
})
