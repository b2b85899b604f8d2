import { expect, test } from 'vitest'
import { transaction } from '#server/house/db/transaction.ts'
import { begin, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

// If the account were locked before the payment, a settlement and a change of the amount would deadlock.
test('another amount waits for the payment that it closes before it takes the account', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  Object.assign(gateway.system, { hasOneOpen: true })
  const user = await payer(t)
  const first = await begin(t, user, '500.00')
  const asked: { second?: Promise<unknown> } = {}
  await transaction(t.ctx.db, async (tx) => {
    await tx.query({
      text: 'SELECT FROM payments WHERE transaction_id = $1 FOR UPDATE',
      values: [first.transaction_id],
    })
    asked.second = call(t, 'POST /api/v1/payments', { system: 'fake', amount: '600.00' }, { token: user.token })
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await t.ctx.db.query({ text: waiting })).rowCount).toBe(1)
    await tx.query({ text: 'SELECT FROM accounts WHERE user_id = $1 FOR UPDATE NOWAIT', values: [user.id] })
  })
  expect(await asked.second).toMatchObject({ data: { state: 'pending', amount: '600.00' } })
  expect(await look(t, user, first.transaction_id)).toMatchObject({ state: 'expired', closed: true })
})
