import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import { arrived, type FakeGateway, NOTHING_YET } from '#test/fakes/fake-gateway.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'
import { begin } from '../payments.ts'

let events = 0

/** Makes a payment that arrives in full and is reported by a webhook. Returns its transaction id. */
export async function topUp(t: TestApp, gateway: FakeGateway, user: TestUser, amount: string): Promise<string> {
  const { transaction_id } = await begin(t, user, amount)
  await tell(t, gateway, transaction_id, arrived([`d-${transaction_id}`, Math.round(Number(amount) * 100)]))
  return transaction_id
}

export async function tell(t: TestApp, gateway: FakeGateway, transaction: string, facts: PaymentFacts): Promise<void> {
  gateway.facts.set(transaction, facts)
  events += 1
  await gateway.send(t, { event: `top-up ${events}`, transaction })
  await t.ctx.background.idle()
}

/** Makes the gateway report one reversal of a payment, in place of all earlier reversals. */
export async function reverse(
  t: TestApp,
  gateway: FakeGateway,
  { transaction, cents, ...seen }: { transaction: string; cents: number } & Pick<SeenReversal, 'kind' | 'state'>,
): Promise<void> {
  const facts = gateway.facts.get(transaction) ?? NOTHING_YET
  const reversal = { ...seen, providerId: `back-${transaction}`, amountMicros: BigInt(cents) * 10_000n }
  await tell(t, gateway, transaction, { ...facts, reversals: [reversal] })
}
