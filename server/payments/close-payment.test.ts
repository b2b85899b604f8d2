import { expect, test } from 'vitest'
import { MINUTE } from '#contract/time.ts'
import { begin, look, payer } from '#test/builders/payments.ts'
import { addFakeGateway } from '#test/fakes/fake-gateway.ts'
import { call } from '#test/harness/calls.ts'
import { startTestApp } from '#test/harness/harness.ts'

test('what its payer closed stays closed; what runs out at that very moment does not become so', async () => {
  await using t = await startTestApp()
  const gateway = await addFakeGateway(t)
  const user = await payer(t)
  const [late, given] = [await begin(t, user), await begin(t, user)]
  t.clock.advance(MINUTE)
  const { token } = user
  await call(t, 'POST /api/v1/payments/{transaction_id}/cancel', { transaction_id: given.transaction_id }, { token })
  t.clock.advance(Date.parse(late.expired_at) - t.clock.now().getTime())
  const told = async (event: string) => {
    for (const { transaction_id } of [late, given]) {
      await gateway.send(t, { event: `${event} ${transaction_id}`, transaction: transaction_id })
    }
    await t.ctx.background.idle()
    const both = [await look(t, user, late.transaction_id), await look(t, user, given.transaction_id)]
    return both.map(({ state, closed }) => [state, closed])
  }
  t.clock.advance(-1)
  expect(await told('before the end')).toEqual([
    ['pending', false],
    ['expired', true],
  ])
  t.clock.advance(1)
  expect(await told('at the end')).toEqual([
    ['expired', false],
    ['expired', true],
  ])
})
