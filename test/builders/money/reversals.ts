import type { PaymentFacts, SeenReversal } from '#server/core/gateways/gateway.ts'
import { arrived, type FakeGateway } from '#test/fakes/fake-gateway.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'
import { begin } from '../payments.ts'

let sent = 0

export async function paid(t: TestApp, gateway: FakeGateway, user: TestUser, cents = 50_000): Promise<string> {
  const { transaction_id } = await begin(t, user, (cents / 100).toFixed(2))
  await tell(t, gateway, transaction_id, arrived([`d-${transaction_id}`, cents]))
  return transaction_id
}

export async function tell(t: TestApp, gateway: FakeGateway, transaction: string, facts: PaymentFacts): Promise<void> {
  gateway.facts.set(transaction, facts)
  sent += 1
  await gateway.send(t, { event: `event ${sent}`, transaction })
  await t.ctx.background.idle()
}

export function reversal(
  kind: SeenReversal['kind'],
  state: SeenReversal['state'],
  cents: number,
  providerId: string = kind,
): SeenReversal {
  return { kind, state, providerId, amountMicros: BigInt(cents) * 10_000n }
}

export async function debtOf(t: TestApp, user: TestUser): Promise<bigint> {
  const { rows } = await t.ctx.db.query<{ debt_micros: bigint }>({
    text: 'SELECT debt_micros FROM accounts WHERE user_id = $1',
    values: [user.id],
  })
  return (rows[0]?.debt_micros ?? 0n) / 10_000n
}
