import { expect } from 'vitest'
import type { PaymentRecord } from '#contract/payment.ts'
import { verifyLedger } from '#server/house/money/verify.ts'
import { call } from '#test/harness/calls.ts'
import type { TestApp, TestUser } from '#test/harness/harness.ts'

/** Creates a person with an API key, because a session would expire when a test moves the clock by days. */
export async function payer(t: TestApp, balance = '0.00'): Promise<TestUser> {
  const user = await t.makeUser({ balance })
  return { ...user, token: await t.makeApiKey(user) }
}

export async function begin(t: TestApp, user: TestUser, amount = '500.00', system = 'fake'): Promise<PaymentRecord> {
  const { data } = await call(t, 'POST /api/v1/payments', { system, amount }, { token: user.token })
  return data
}

export async function look(t: TestApp, user: TestUser, transaction_id: string): Promise<PaymentRecord> {
  return (await call(t, 'GET /api/v1/payments/{transaction_id}', { transaction_id }, { token: user.token })).data
}

export async function balanceOf(t: TestApp, user: TestUser): Promise<string> {
  return (await call(t, 'GET /api/user', {}, { token: user.token })).balance
}

export async function expectRightBooks(t: TestApp): Promise<void> {
  const report = await verifyLedger(t.ctx.db)
  expect(report.checks.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`))).toEqual([])
}
