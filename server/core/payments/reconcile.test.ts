import { expect, test } from 'vitest'
import { MINUTE, SECOND } from '#contract/time.ts'
import { balanceOf, begin, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway, arrived, type FakeGateway } from '#test/fakes/fake-gateway.ts'
import { startTestApp, type TestApp } from '#test/harness/harness.ts'
import { reconcilePayments } from './reconcile.ts'

async function addDue(t: TestApp, gateway: FakeGateway, count: number): Promise<void> {
  const user = await payer(t)
  await t.ctx.db.query({
    text: `INSERT INTO payments (transaction_id, user_id, gateway_id, system, state, amount_micros, currency, created_at,
        expires_at, next_check_at)
      SELECT gen_random_uuid(), $1, $2, 'hung', 'pending', 1000000, 'rub', $3, $4, $3 FROM generate_series(1, $5)`,
    values: [user.id, gateway.id, t.clock.now(), new Date(t.clock.now().getTime() + 60 * MINUTE), count],
  })
}

test('a gateway that hangs delays no payment of another, is asked a few times, and is heard when it answers again', async () => {
  await using t = await startTestApp()
  const [hung, other] = [await addFakeGateway(t, 'hung'), await addFakeGateway(t, 'other')]
  await addDue(t, hung, 120)
  t.clock.advance(SECOND)
  const user = await payer(t)
  const { transaction_id } = await begin(t, user, '500.00', 'other')
  other.facts.set(transaction_id, arrived(['d', 50_000]))
  const { promise: otherWasAsked, resolve } = Promise.withResolvers<void>()
  const standard = other.onFetch
  other.onFetch = async (payment, signal) => {
    resolve()
    return standard(payment, signal)
  }
  let slow = 0
  hung.onFetch = async () => {
    await otherWasAsked
    slow += 1
    // The time-out of the first call to the slow gateway takes this long.
    if (slow === 1) t.clock.advance(9 * SECOND)
    throw new Error('no answer within 10000 ms')
  }
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(await balanceOf(t, user)).toBe('500.00')
  expect(hung.asked.length).toBeLessThanOrEqual(8)

  const before = hung.asked.length
  t.clock.advance(5 * SECOND)
  await reconcilePayments(t.ctx)
  expect(hung.asked.length).toBe(before)
  hung.onFetch = async () => arrived()
  t.clock.advance(MINUTE)
  await reconcilePayments(t.ctx)
  expect(hung.asked.length).toBe(before + 50)
  expect(await look(t, user, transaction_id)).toMatchObject({ state: 'paid' })
})

test('a gateway that fails at once is asked about all that is due', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t, 'hung')
  await addDue(t, gateway, 60)
  gateway.onFetch = () => Promise.reject(new Error('404 No such checkout session'))
  await reconcilePayments(t.ctx)
  await reconcilePayments(t.ctx)
  expect(gateway.asked.length).toBe(60)
})
